#!/usr/bin/env node
import { closeInheritedDescriptors } from "@postern/exec-sandbox";
import { main } from "./cli.ts";

closeInheritedDescriptors();
process.exit(await main(process.argv.slice(2)));

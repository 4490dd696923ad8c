import { ReceiptsError, type ReceiptStore, type StoreFault } from "../src/index.ts";
import { openEngine } from "../src/sqlite/engine.ts";

/** The SQLite store without its thread, for experiments that open hundreds of them. */
export async function openInlineStore(options: {
  readonly file: string;
  readonly faults?: StoreFault;
}): Promise<ReceiptStore> {
  const { file, faults } = options;
  const engine = openEngine({ file, ...(faults !== undefined && { fault: faults }) });
  return {
    owner: engine.owner,
    perform: async (kind, request) => {
      const [result] = engine.executor.run([{ id: 1, kind, request }]);
      if (result === undefined || "failure" in result) {
        const { code = "store_unavailable", message = "" } = result?.failure ?? {};
        throw new ReceiptsError(code, message);
      }
      return result.reply;
    },
    health: () => {
      const { readOnly } = engine.executor;
      return readOnly === undefined ? "ok" : { readOnly };
    },
    close: async () => engine.close(),
  };
}

export {
  deliverySchema,
  errorResultSchema,
  requestIdSchema,
  timestampSchema,
  truncationSchema,
} from "./shared-schemas.ts";

import { removed } from "../CommonShapes.js"
import type { Examples } from "./OperationExamples.js"

const page = "<!doctype html>…"
const unknownLink = (resource: string) => ({ _tag: "ResourceNotFoundError", resource, id: "TOKEN" })

/** Examples of the routes without a key, by operation id. */
export const publicRouteExamples: Examples = {
  "unsubscribe.look": { response: page, errors: { ResourceNotFoundError: unknownLink("unsubscribe link") } },
  "unsubscribe.confirm": { response: page, errors: { ResourceNotFoundError: unknownLink("unsubscribe link") } },
  "objects.download": { errors: { ResourceNotFoundError: unknownLink("download") } },
  "uploads.put": {
    response: removed,
    errors: {
      BadRequestError: { _tag: "BadRequestError", message: "The body ended early" },
      ResourceNotFoundError: unknownLink("upload"),
      ConflictError: {
        _tag: "ConflictError",
        message: "The document is uploaded, or being uploaded",
        resource: "document"
      },
      ValidationError: {
        _tag: "ValidationError",
        message: "The upload does not match its link",
        fields: { contentLength: ["must be 48213 octets, as in the upload request"] }
      }
    }
  },
  "health.alive": { response: { status: "alive" } },
  "health.ready": { response: { status: "ready" } }
}

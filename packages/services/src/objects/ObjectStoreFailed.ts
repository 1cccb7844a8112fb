import { ExternalServiceError } from "@switchboard/domain/Errors"

/** The error response when objects can't be read or written. The cause is logged only. */
export const objectStoreFailed = new ExternalServiceError({
  provider: "object store",
  message: "The object store failed; try again"
})

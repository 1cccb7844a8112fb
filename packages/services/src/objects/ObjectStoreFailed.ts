import { ExternalServiceError } from "@switchboard/domain/Errors"

/** What callers hear when objects can't be read or written; why is in the log alone. */
export const objectStoreFailed = new ExternalServiceError({
  provider: "object store",
  message: "The object store does not answer as it should; try again"
})

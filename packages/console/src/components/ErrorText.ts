import { isApiError, RequestError } from "@switchboard/client/promise"

/** The words of an error. */
export const errorText = (error: unknown): string => {
  if (error instanceof RequestError) return "The service cannot be reached. Check the connection and try again."
  if (isApiError(error) && error._tag === "RateLimitedError") {
    return `Too many requests. Try again in ${error.retryAfterSeconds} seconds.`
  }
  return error instanceof Error ? error.message : String(error)
}

/** The errors of the fields of a request: the path of each field and its words. */
export const fieldErrors = (error: unknown): ReadonlyArray<readonly [string, string]> =>
  isApiError(error) && error._tag === "ValidationError"
    ? Object.entries(error.fields ?? {}).map(([path, messages]) => [path, messages.join(", ")] as const)
    : []

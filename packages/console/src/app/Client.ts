import { make } from "@switchboard/client/promise"
import { endSession } from "./SessionState.js"
import { basePath } from "./Urls.js"

/** The URL of the service without `/v1`. */
export const serviceUrl = `${location.origin}${basePath()}`

/** The client of the service. The session's cookie authenticates its requests. */
export const client = make({
  baseUrl: serviceUrl,
  session: true,
  fetch: async (input, init) => {
    const response = await fetch(input, init)
    if (response.status === 401) endSession()
    return response
  }
})

import { signal } from "@preact/signals"
import { make } from "@switchboard/client/promise"
import { basePath } from "./Paths.js"
import { endSession } from "./SessionState.js"

/** Whether the last request to the service had no response. */
export const isOffline = signal(false)

/** Sends a request, and records whether the service responds. */
const fetchFollowed: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init)
    isOffline.value = false
    return response
  } catch (error) {
    if (init?.signal?.aborted !== true) isOffline.value = true
    throw error
  }
}

/** The URL of the service without `/v1`. */
export const serviceUrl = `${location.origin}${basePath()}`

/** The client of the service. The session's cookie authenticates its requests. */
export const client = make({
  baseUrl: serviceUrl,
  session: true,
  fetch: async (input, init) => {
    const response = await fetchFollowed(input, init)
    if (response.status === 401) endSession()
    return response
  }
})

// Without a network of the browser, a service on the same host still responds: `isOffline` is the result of the request.
for (const change of ["online", "offline"]) {
  addEventListener(change, () => void fetchFollowed(`${serviceUrl}/v1/session`).catch(() => undefined))
}

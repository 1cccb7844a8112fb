import { make } from "@switchboard/client/promise"
import { endSession } from "./SessionState.js"

const folder = "/console/"

/** The path of the console, with a slash at its end. A service with a base path has that before `/console/`. */
export const consoleRoot = location.pathname.slice(0, location.pathname.indexOf(folder) + folder.length)

/** The URL of the service without `/v1`. */
export const serviceUrl = `${location.origin}${consoleRoot.slice(0, -folder.length)}`

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

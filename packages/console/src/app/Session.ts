import { UnauthorizedError } from "@switchboard/client/promise"
import { client } from "./Client.js"
import { sessionState } from "./SessionState.js"

const readSession = async () => {
  sessionState.value = { _tag: "LoggedIn", details: await client.sessions.get() }
}

/** Continues the session of the cookie. */
export const startSession = async (): Promise<void> => {
  try {
    await readSession()
  } catch (error) {
    sessionState.value = error instanceof UnauthorizedError ? { _tag: "LoggedOut" } : { _tag: "Unavailable", error }
  }
}

/** Rejects with the error of the service if the key is not valid. */
export const logIn = async (apiKey: string): Promise<void> => {
  await client.sessions.create({ payload: { apiKey } })
  await readSession()
}

/** Ends the session for all tabs of the browser. */
export const logOut = async (): Promise<void> => {
  await client.sessions.remove()
  sessionState.value = { _tag: "LoggedOut", reason: "You are logged out." }
}

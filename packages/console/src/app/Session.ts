import { UnauthorizedError } from "@switchboard/client/promise"
import { client } from "./Client.js"
import { sessionState } from "./SessionState.js"

const tokenPattern = /^#login=([\w-]+)$/

/** Removes the token of a log-in link from the URL and the history. */
const takeLoginToken = (): string | undefined => {
  const token = tokenPattern.exec(location.hash)?.[1]
  if (token !== undefined) history.replaceState(null, "", location.pathname + location.search)
  return token
}

const readSession = async () => {
  sessionState.value = { _tag: "LoggedIn", details: await client.sessions.get() }
}

/** Continues the session of the cookie, or begins one with the token of a log-in link. */
export const startSession = async (): Promise<void> => {
  const loginToken = takeLoginToken()
  try {
    if (loginToken !== undefined) await client.sessions.create({ payload: { loginToken } })
    await readSession()
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) sessionState.value = { _tag: "Unavailable", error }
    else if (loginToken === undefined) sessionState.value = { _tag: "LoggedOut" }
    else {
      const reason = "The log-in link was used before or has expired. Log in with an API key."
      sessionState.value = { _tag: "LoggedOut", reason }
    }
  }
}

/** Rejects with the error of the service if the key is not valid. */
export const logIn = async (apiKey: string): Promise<void> => {
  await client.sessions.create({ payload: { apiKey } })
  await readSession()
}

/** Ends the session for all tabs of the browser, and removes what this tab has stored. */
export const logOut = async (): Promise<void> => {
  await client.sessions.remove()
  sessionStorage.clear()
  sessionState.value = { _tag: "LoggedOut", reason: "You are logged out." }
}

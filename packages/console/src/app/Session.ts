import { UnauthorizedError } from "@switchboard/client/promise"
import { client } from "./Client.js"
import { sessionState } from "./SessionState.js"

const linkPattern = /^#(login|invitation|reset|error)=([\w.-]+)$/

/** Removes the token of a link from the URL and the history. */
const takeLink = () => {
  const [, page, token] = linkPattern.exec(location.hash) ?? []
  if (page === undefined || token === undefined) return undefined
  history.replaceState(null, "", location.pathname + location.search)
  return { page, token }
}

/** Reads the session of the cookie. */
export const readSession = async (): Promise<void> => {
  sessionState.value = { _tag: "LoggedIn", details: await client.sessions.get() }
}

/** What the log-in page says after a log-in at the provider of OpenID Connect that failed, by its code. */
const loginFailures: Readonly<Record<string, string>> = {
  oidc_denied: "The log-in was cancelled.",
  oidc_unknown_user: "Your address has no account here: ask an admin for an invitation.",
  oidc_unverified_email: "The provider has not verified your e-mail address.",
  oidc_unavailable: "The provider cannot be reached. Try again later."
}

/** Continues the session of the cookie, or opens the page of a link, or begins a session with a log-in link. */
export const startSession = async (): Promise<void> => {
  const link = takeLink()
  if (link?.page === "invitation" || link?.page === "reset") {
    sessionState.value = { _tag: "LinkOpened", link: { page: link.page, token: link.token } }
    return
  }
  if (link?.page === "error") {
    const reason = loginFailures[link.token] ?? "The log-in failed. Try again."
    sessionState.value = { _tag: "LoggedOut", reason }
    return
  }
  try {
    if (link !== undefined) await client.sessions.create({ payload: { loginToken: link.token } })
    await readSession()
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) sessionState.value = { _tag: "Unavailable", error }
    else if (link === undefined) sessionState.value = { _tag: "LoggedOut" }
    else {
      const reason = "The log-in link was used before or has expired. Log in another way."
      sessionState.value = { _tag: "LoggedOut", reason }
    }
  }
}

/** Follows links also in a tab that shows the console: then only the fragment of its URL changes. */
export const followLinks = (): void =>
  addEventListener("hashchange", () => {
    if (linkPattern.test(location.hash)) void startSession()
  })

/** Rejects with the error of the service if the credentials are not valid. */
export const logIn = async (
  credentials:
    | { readonly apiKey: string }
    | { readonly email: string; readonly password: string; readonly code?: string | undefined }
): Promise<void> => {
  await client.sessions.create({ payload: credentials })
  await readSession()
}

/** Creates the account of an invitation, and begins its session: what this tab has stored is of an earlier one. */
export const acceptInvitation = async (token: string, name: string, password: string): Promise<void> => {
  await client.users.acceptInvitation({ payload: { token, name, password } })
  sessionStorage.clear()
  await readSession()
}

/** Sets the password of the user of a link, whose sessions end. */
export const resetPassword = async (token: string, password: string): Promise<void> => {
  await client.users.confirmReset({ payload: { token, password } })
  sessionState.value = { _tag: "LoggedOut", reason: "The password is set. Log in with it." }
}

/** Ends the session for all tabs of the browser, and removes what this tab has stored. */
export const logOut = async (): Promise<void> => {
  await client.sessions.remove()
  sessionStorage.clear()
  sessionState.value = { _tag: "LoggedOut", reason: "You are logged out." }
}

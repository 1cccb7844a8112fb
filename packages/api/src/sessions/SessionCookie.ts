import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { sessionLifetime } from "@switchboard/services/sessions/Sessions"
import { Option, Redacted } from "effect"
import { sessionCookie } from "./SessionsApi.js"

/** The session token in the cookie of a request. */
export const sessionToken = ({ cookies }: HttpServerRequest.HttpServerRequest) =>
  Option.map(Option.fromNullable(cookies[sessionCookie]), Redacted.make)

/** `httpOnly`: scripts cannot read the cookie. `sameSite`: browsers do not send it with requests of other sites. */
const options = (secure: boolean) => ({ httpOnly: true, sameSite: "strict", path: "/", secure }) as const

/** Sets the session cookie. */
export const setSession = (token: Redacted.Redacted<string>, secure: boolean) =>
  HttpServerResponse.unsafeSetCookie(sessionCookie, Redacted.value(token), {
    ...options(secure),
    maxAge: sessionLifetime
  })

/** Clears the session cookie. */
export const clearSession = (secure: boolean) =>
  HttpServerResponse.unsafeSetCookie(sessionCookie, "", { ...options(secure), maxAge: 0 })

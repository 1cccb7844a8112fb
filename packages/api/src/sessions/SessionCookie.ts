import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { sessionLifetime } from "@switchboard/services/sessions/Sessions"
import { Option, Redacted } from "effect"
import { sessionCookie } from "./SessionsApi.js"

/** The token of the session whose cookie a request carries. */
export const sessionToken = ({ cookies }: HttpServerRequest.HttpServerRequest) =>
  Option.map(Option.fromNullable(cookies[sessionCookie]), Redacted.make)

/**
 * Scripts can't read it, and browsers send it along with no request that another site began: what a page of another
 * site asks for comes without.
 */
const options = (secure: boolean) => ({ httpOnly: true, sameSite: "strict", path: "/", secure }) as const

/** Gives a browser its session. */
export const setSession = (token: Redacted.Redacted<string>, secure: boolean) =>
  HttpServerResponse.unsafeSetCookie(sessionCookie, Redacted.value(token), {
    ...options(secure),
    maxAge: sessionLifetime
  })

/** Takes it away. */
export const clearSession = (secure: boolean) =>
  HttpServerResponse.unsafeSetCookie(sessionCookie, "", { ...options(secure), maxAge: 0 })

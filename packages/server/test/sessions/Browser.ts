import { Effect } from "effect"
import { caller } from "../LiveService.js"

type Credentials =
  | { readonly apiKey: string }
  | { readonly loginToken: string }
  | { readonly email: string; readonly password: string }

/** Logs a browser in; returns the attributes of its cookie and the headers of its requests. */
export const logIn = (baseUrl: string, credentials: Credentials) =>
  Effect.map(caller(baseUrl, null)("POST", "/v1/session", credentials), ({ body, headers, status }) => {
    const [Cookie = "", ...attributes] = (headers.get("set-cookie") ?? "").split("; ")
    return { status, body, attributes, headers: { Cookie, "X-CSRF-Token": String(body.csrfToken) } }
  })

/** A `fetch` that stores and sends the cookies of one origin, as a browser does. */
export const browserFetch = (): typeof globalThis.fetch => {
  let cookie = ""
  return async (input, init) => {
    const response = await fetch(input, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init?.headers)), cookie }
    })
    const [stored] = (response.headers.get("set-cookie") ?? "").split("; ")
    if (stored !== undefined && stored !== "") cookie = stored
    return response
  }
}

/** Opens the event stream; waits until it has begun. `ended` waits for its end. */
export const openStream = (baseUrl: string, headers: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const abort = yield* Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (controller) => Effect.sync(() => controller.abort())
    )
    return yield* Effect.promise(async () => {
      const response = await fetch(`${baseUrl}/v1/events`, { headers, signal: abort.signal })
      const reader = response.body?.getReader()
      await reader?.read()
      const readAll = async (): Promise<void> => ((await reader?.read())?.done === false ? readAll() : undefined)
      return { status: response.status, ended: Effect.promise(readAll) }
    })
  })

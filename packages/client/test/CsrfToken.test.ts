import { assert, describe, it } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { ForbiddenError, InvalidResponseError, make, UnauthorizedError } from "@switchboard/client/promise"
import { Effect } from "effect"
import { rejection } from "./promise/Serving.js"

const expiresAt = "2030-01-01T00:00:00.000Z"
const forbidden = { status: 403, body: { _tag: "ForbiddenError", message: "Not allowed" } }
const removed = { status: 200, body: { success: true } }
const path = { id: "01a1fc1d-cf8f-76d9-be28-52307925009f" }

/** A service with a session with this CSRF token, which a test can change, and a client that uses the session. */
const serving = (
  session: { token: string },
  answer: (token: string | undefined) => { readonly status: number; readonly body: unknown } = (token) =>
    token === session.token ? removed : forbidden
) =>
  Effect.gen(function* () {
    const inits: Array<RequestInit | undefined> = []
    const service = yield* receiver((response, { headers, path: requested }) => {
      const { body, status } =
        requested === "/v1/session"
          ? session.token === ""
            ? { status: 401, body: { _tag: "UnauthorizedError", message: "The session is missing or has ended" } }
            : { status: 200, body: { csrfToken: session.token, expiresAt } }
          : answer(headers["x-csrf-token"]?.toString())
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    })
    const switchboard = make({
      baseUrl: service.url,
      session: true,
      fetch: (input, init) => {
        inits.push(init)
        return fetch(input, init)
      }
    })
    const remove = () => switchboard.blocks.remove({ path })
    const requests = () =>
      service.received.map(({ headers, path: requested }) => [requested.split("/")[2], headers["x-csrf-token"]])
    return { inits, remove, requests, service, switchboard }
  })

describe("a client with a session", () => {
  it.scopedLive("sends cookies of the same origin and the CSRF token, which it requests once, and no API key", () =>
    Effect.gen(function* () {
      const { inits, remove, requests, service } = yield* serving({ token: "one" })
      yield* Effect.promise(() => Promise.all([remove(), remove(), remove()]))
      assert.deepStrictEqual(requests(), [
        ["session", undefined],
        ["email", "one"],
        ["email", "one"],
        ["email", "one"]
      ])
      for (const init of inits) assert.deepInclude(init, { credentials: "same-origin", redirect: "manual" })
      for (const { headers } of service.received) assert.notProperty(headers, "x-api-key")
    })
  )

  it.scopedLive("accepts an invitation without a session, and takes the CSRF token of the new one", () =>
    Effect.gen(function* () {
      const session = { token: "" }
      const accepted = { status: 200, body: { csrfToken: "one", expiresAt } }
      const { remove, requests, switchboard } = yield* serving(session, (token) =>
        token === undefined ? accepted : removed
      )
      const payload = { token: "token", name: "Ada", password: "correct horse battery" }
      yield* Effect.promise(() => switchboard.users.acceptInvitation({ payload }))
      yield* Effect.promise(remove)
      assert.deepStrictEqual(requests(), [
        ["users", undefined],
        ["email", "one"]
      ])
    })
  )

  it.scopedLive("takes the CSRF token of a log-in, and sends none with requests that only read", () =>
    Effect.gen(function* () {
      const session = { token: "one" }
      const { remove, requests, switchboard } = yield* serving(session)
      yield* rejection(switchboard.blocks.list())
      for (const token of ["one", "two"]) {
        session.token = token
        yield* Effect.promise(() => switchboard.sessions.create({ payload: { apiKey: "key" } }))
        yield* Effect.promise(remove)
      }
      assert.deepStrictEqual(requests(), [
        ["email", undefined],
        ["session", undefined],
        ["email", "one"],
        ["session", undefined],
        ["email", "two"]
      ])
    })
  )

  it.scopedLive("repeats a request once with the token of a newer session", () =>
    Effect.gen(function* () {
      const session = { token: "one" }
      const { remove, requests } = yield* serving(session)
      yield* Effect.promise(remove)
      session.token = "two"
      yield* Effect.promise(() => Promise.all([remove(), remove()]))
      assert.deepStrictEqual(
        requests().filter(([requested]) => requested === "session"),
        [
          ["session", undefined],
          ["session", undefined]
        ]
      )
      assert.deepStrictEqual(
        requests()
          .map(([, token]) => token)
          .filter((token) => token !== undefined)
          .sort(),
        ["one", "one", "one", "two", "two"]
      )
    })
  )

  it.scopedLive("does not repeat a request that the session does not permit", () =>
    Effect.gen(function* () {
      const { remove, requests } = yield* serving({ token: "one" }, () => forbidden)
      assert.instanceOf(yield* rejection(remove()), ForbiddenError)
      assert.deepStrictEqual(requests(), [
        ["session", undefined],
        ["email", "one"],
        ["session", undefined]
      ])
    })
  )

  it.scopedLive("rejects without a session, and after a response of another service", () =>
    Effect.gen(function* () {
      const ended = yield* serving({ token: "" })
      assert.instanceOf(yield* rejection(ended.remove()), UnauthorizedError)
      assert.deepStrictEqual(ended.requests(), [["session", undefined]])
      const website = yield* receiver((response) => response.end("<html>It works!</html>"))
      const other = make({ baseUrl: website.url, session: true })
      assert.instanceOf(yield* rejection(other.blocks.remove({ path })), InvalidResponseError)
    })
  )
})

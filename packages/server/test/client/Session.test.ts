import { assert, layer } from "@effect/vitest"
import { make, UnauthorizedError } from "@switchboard/client/promise"
import { beforeAllEvents } from "@switchboard/services/events/EventStream"
import { Effect } from "effect"
import { LiveService } from "../LiveService.js"
import { browserFetch } from "../sessions/Browser.js"

const mail = {
  channel: "email",
  to: [{ email: "ada@example.com" }],
  email: { subject: "Hello", text: "Hello" }
} as const

/** The error of a rejection. */
const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail("The promise is not rejected"),
    (reason: unknown) => reason
  )

layer(LiveService.Shared, { excludeTestServices: true })("The client with a session", (it) => {
  it.effect("reads, sends and streams in two pages of one browser until it logs out", () =>
    Effect.gen(function* () {
      const { baseUrl, key } = yield* LiveService
      yield* Effect.promise(async () => {
        const fetch = browserFetch()
        const page = make({ baseUrl, session: true, retries: 20, fetch })
        const other = make({ baseUrl, session: true, retries: 20, fetch })
        assert.instanceOf(await rejection(page.messages.send({ payload: mail })), UnauthorizedError)
        await page.sessions.create({ payload: { apiKey: key } })
        const { organization, permissions } = await other.sessions.get()
        assert.strictEqual(organization.name, "Switchboard")
        assert.deepStrictEqual(permissions, { "*": ["*"], system: ["read"] })
        const events = page.events({ types: ["message.*"], lastEventId: beforeAllEvents })
        const first = events.next()
        const { id } = await other.messages.send({ payload: mail })
        assert.strictEqual((await page.messages.get({ path: { id } })).id, id)

        // A log-in in one page changes the cookie, and with it the CSRF token, of both.
        await other.sessions.create({ payload: { apiKey: key } })
        const sent = await page.messages.send({ payload: mail })
        assert.strictEqual((await first).done, false)
        await events.return()
        await other.sessions.remove()
        assert.instanceOf(await rejection(page.messages.get({ path: { id: sent.id } })), UnauthorizedError)
        assert.instanceOf(await rejection(page.messages.send({ payload: mail })), UnauthorizedError)
      })
    })
  )
})

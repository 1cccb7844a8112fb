import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { InvalidResponseError, make, type SwitchboardEvent, UnauthorizedError } from "@switchboard/client/promise"
import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { Deferred, Effect } from "effect"
import { v7 } from "uuid"
import { limited, list, mail, pagination, rejection, serving } from "./Serving.js"

const event = {
  id: v7(),
  type: "organization.updated",
  timestamp: "2030-01-01T00:00:00.000Z",
  organizationId: v7(),
  data: eventExamples["organization.updated"]
}

/** A server that holds its first response open after some text, and the client for it. */
const holding = (text: string | null) =>
  Effect.gen(function* () {
    const open = yield* Deferred.make<ServerResponse>()
    const service = yield* receiver((response) => {
      if (text !== null) response.writeHead(200, { "content-type": "text/event-stream" }).write(text)
      Deferred.unsafeDone(open, Effect.succeed(response))
    })
    const closed = Effect.flatMap(Deferred.await(open), (response) =>
      response.closed ? Effect.void : Effect.promise(() => once(response, "close"))
    )
    return { service, open: Deferred.await(open), closed, switchboard: make({ baseUrl: service.url, apiKey: "key" }) }
  })

const eventFrame = `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

describe("an iterable of the client", () => {
  it.scopedLive("has the items of all pages of a list", () =>
    Effect.gen(function* () {
      const { service, switchboard } = yield* serving([
        { headers: { link: '</v1/mailbox?after=x>; rel="next"' }, body: { items: [mail(1), mail(2)], pagination } },
        { body: { items: [mail(3)], pagination } }
      ])
      const subjects = yield* Effect.promise(async () => {
        const found: Array<string> = []
        for await (const { receivedAt, subject } of switchboard.mailbox.list.all()) {
          found.push(`${subject} of ${receivedAt.getUTCFullYear()}`)
        }
        return found
      })
      assert.deepStrictEqual(subjects, ["Mail 1 of 2030", "Mail 2 of 2030", "Mail 3 of 2030"])
      assert.deepStrictEqual(
        service.received.map(({ path }) => path),
        ["/v1/mailbox?limit=100", "/v1/mailbox?after=x"]
      )
    })
  )

  it.scopedLive("requests no page after the loop has ended", () =>
    Effect.gen(function* () {
      const { service, switchboard } = yield* serving([{ ...list, headers: { link: '<?after=x>; rel="next"' } }])
      yield* Effect.promise(async () => {
        for await (const { subject } of switchboard.mailbox.list.all()) {
          assert.strictEqual(subject, "Mail 1")
          break
        }
      })
      assert.lengthOf(service.received, 1)
    })
  )

  it.scopedLive("throws the error itself, with the frames of the loop", () =>
    Effect.gen(function* () {
      const { switchboard } = yield* serving([{ ...list, headers: { link: '<//elsewhere.test>; rel="next"' } }])
      const subjects: Array<string> = []
      const readMails = async () => {
        for await (const { subject } of switchboard.mailbox.list.all()) subjects.push(subject)
      }
      const error = yield* rejection(readMails())
      assert(error instanceof InvalidResponseError)
      assert.match(error.stack ?? "", /^InvalidResponseError: [\s\S]*readMails/)
      assert.deepStrictEqual(subjects, ["Mail 1"])
      const rejected = yield* serving([{ status: 401, body: { _tag: "UnauthorizedError", message: "No" } }])
      assert.instanceOf(yield* rejection(rejected.switchboard.events().next()), UnauthorizedError)
    })
  )

  it.scopedLive("has events as they happen, and closes the connection at the end of the loop", () =>
    Effect.gen(function* () {
      const { closed, service, switchboard } = yield* holding(eventFrame)
      const found = yield* Effect.promise(async (): Promise<SwitchboardEvent | undefined> => {
        for await (const one of switchboard.events({ types: ["organization.*"], lastEventId: event.id })) return one
      })
      yield* closed
      assert(found?.type === "organization.updated")
      assert.deepStrictEqual(found.timestamp, new Date(event.timestamp))
      assert.strictEqual(found.data.name, event.data.name)
      assert.strictEqual(service.received[0]?.path, "/v1/events?types=organization.*")
      assert.strictEqual(service.received[0]?.headers["last-event-id"], event.id)
    })
  )

  it.scopedLive("ends with the reason of an aborted signal, and closes the connection", () =>
    Effect.gen(function* () {
      const { closed, switchboard } = yield* holding(eventFrame)
      const controller = new AbortController()
      const error = yield* rejection(
        (async () => {
          for await (const _ of switchboard.events({}, { signal: controller.signal })) controller.abort()
        })()
      )
      assert.strictEqual(error, controller.signal.reason)
      yield* closed
    })
  )
})

describe("an aborted call", () => {
  it.scopedLive("rejects with the reason of the signal, and closes the connection", () =>
    Effect.gen(function* () {
      const { closed, open, switchboard } = yield* holding(null)
      const controller = new AbortController()
      const call = switchboard.messages.list({}, { signal: controller.signal })
      yield* open
      const reason = new Error("The user left")
      controller.abort(reason)
      assert.strictEqual(yield* rejection(call), reason)
      yield* closed
    })
  )

  it.scopedLive("makes no request if the signal was aborted before", () =>
    Effect.gen(function* () {
      const { service, switchboard } = yield* serving([list])
      const signal = AbortSignal.abort()
      assert.strictEqual(yield* rejection(switchboard.mailbox.list({}, { signal })), signal.reason)
      assert.strictEqual(yield* rejection(switchboard.mailbox.list.all({}, { signal }).next()), signal.reason)
      assert.deepStrictEqual(service.received, [])
    })
  )

  it.scopedLive("ends the wait for a retry", () =>
    Effect.gen(function* () {
      const controller = new AbortController()
      const { service, switchboard } = yield* serving([limited(60)], {
        fetch: (input, init) =>
          fetch(input, init).finally(() => {
            setImmediate(() => controller.abort())
          })
      })
      const error = yield* rejection(switchboard.mailbox.list({}, { signal: controller.signal }))
      assert.strictEqual(error, controller.signal.reason)
      assert.lengthOf(service.received, 1)
    })
  )
})

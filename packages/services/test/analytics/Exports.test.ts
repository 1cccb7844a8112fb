import { assert, describe, it } from "@effect/vitest"
import { messageExample } from "@switchboard/api/openapi/examples/MessageExamples"
import { Message, MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Exports, exportPage, maxExports } from "@switchboard/services/analytics/Exports"
import { AuditRepo } from "@switchboard/services/audit/AuditRepo"
import { Array, Effect, Exit, Fiber, Layer, Schema, Stream, TestClock } from "effect"
import { v7 } from "uuid"
import { organizationsIn } from "../organizations/OrganizationsInMemory.js"
import { type ExportRequests, exportsInMemory } from "./ExportsInMemory.js"

const organization = OrganizationId.make(v7())
const example = Schema.decodeUnknownSync(Message)(messageExample)
const messagesOf = (count: number) =>
  Array.makeBy(count, () => new Message({ ...example, id: MessageId.make(v7()) }, { disableValidation: true }))

const recordRequests = (...failing: ReadonlyArray<number>): ExportRequests => ({ parts: [], failing: new Set(failing) })

const exporting = <A, E>(
  messages: ReadonlyArray<Message>,
  requests: ExportRequests,
  use: (exports: Exports) => Effect.Effect<A, E>
) =>
  Effect.flatMap(Exports, use).pipe(
    Effect.provide(Layer.provide(Exports.Default, [organizationsIn("UTC"), Layer.mock(AuditRepo, {})])),
    Effect.provide(exportsInMemory(messages, requests))
  )

const all = (exports: Exports) =>
  Stream.unwrapScoped(exports.messages(organization, {})).pipe(
    Stream.runCollect,
    Effect.map((pages) => [...pages].flat())
  )

describe("Exports", () => {
  for (const count of [0, 1, exportPage - 1, exportPage, exportPage + 1, 2 * exportPage]) {
    it.effect(`streams ${count} messages once each and in order, and requests no page after the last`, () =>
      Effect.gen(function* () {
        const messages = messagesOf(count)
        const requests = recordRequests()
        const found = yield* exporting(messages, requests, all)
        assert.deepStrictEqual(
          found.map(({ id }) => id),
          messages.map(({ id }) => id)
        )
        assert.lengthOf(requests.parts, 1 + Math.floor(count / exportPage))
      })
    )
  }

  it.effect("reads a page only when the consumer requests it", () =>
    Effect.gen(function* () {
      const requests = recordRequests()
      yield* exporting(messagesOf(5 * exportPage), requests, (exports) =>
        Effect.scoped(
          Effect.gen(function* () {
            const pages = yield* exports.messages(organization, {})
            assert.lengthOf(requests.parts, 1)
            yield* Stream.runDrain(Stream.take(pages, 2))
            assert.lengthOf(requests.parts, 2)
          })
        )
      )
    })
  )

  it.effect("retries during a short outage of the database and fails after a long one", () =>
    Effect.gen(function* () {
      const messages = messagesOf(2 * exportPage + 1)
      const shortOutage = recordRequests(2, 3)
      const fiber = yield* Effect.fork(exporting(messages, shortOutage, all))
      yield* TestClock.adjust("10 seconds")
      assert.lengthOf(yield* Fiber.join(fiber), messages.length)

      const longOutage = recordRequests(...Array.range(2, 20))
      const failing = yield* Effect.fork(Effect.exit(exporting(messages, longOutage, all)))
      yield* TestClock.adjust("10 seconds")
      assert.isTrue(Exit.isFailure(yield* Fiber.join(failing)))
      assert.lengthOf(longOutage.parts, 6)

      const error = yield* Effect.flip(exporting(messages, recordRequests(1), all))
      assert.strictEqual(error._tag, "ServiceUnavailableError")
    })
  )

  it.effect("limits the concurrent exports of an organization and frees the slot of a finished export", () =>
    exporting(messagesOf(1), recordRequests(), (exports) =>
      Effect.gen(function* () {
        const open = Effect.all([exports.messages(organization, {}), exports.events(organization, {})])
        const other = OrganizationId.make(v7())
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* Effect.replicateEffect(open, Math.floor(maxExports / 2))
            yield* exports.events(organization, {})
            assert.strictEqual((yield* Effect.flip(exports.events(organization, {})))._tag, "RateLimitedError")
            yield* exports.events(other, {})
          })
        )
        assert.lengthOf(yield* all(exports), 1)
      })
    )
  )
})

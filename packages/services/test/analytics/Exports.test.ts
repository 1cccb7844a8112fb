import { assert, describe, it } from "@effect/vitest"
import { messageExample } from "@switchboard/api/messages/MessageExamples"
import { Message, MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Exports, exportPage, mostExports } from "@switchboard/services/analytics/Exports"
import { Array, Effect, Exit, Fiber, Schema, Stream, TestClock } from "effect"
import { v7 } from "uuid"
import { type ExportsAsked, exportsInMemory } from "./ExportsInMemory.js"

const organization = OrganizationId.make(v7())
const example = Schema.decodeUnknownSync(Message)(messageExample)
const messagesOf = (count: number) =>
  Array.makeBy(count, () => new Message({ ...example, id: MessageId.make(v7()) }, { disableValidation: true }))

const nothingAsked = (...failing: ReadonlyArray<number>): ExportsAsked => ({ parts: [], failing: new Set(failing) })

const exporting = <A, E>(
  messages: ReadonlyArray<Message>,
  asked: ExportsAsked,
  use: (exports: Exports) => Effect.Effect<A, E>
) =>
  Effect.flatMap(Exports, use).pipe(Effect.provide(Exports.Default), Effect.provide(exportsInMemory(messages, asked)))

const all = (exports: Exports) =>
  Stream.unwrapScoped(exports.messages(organization, {})).pipe(
    Stream.runCollect,
    Effect.map((pages) => [...pages].flat())
  )

describe("An export", () => {
  for (const count of [0, 1, exportPage - 1, exportPage, exportPage + 1, 2 * exportPage]) {
    it.effect(`tells each of ${count} messages once, in order, and asks for no page after the last`, () =>
      Effect.gen(function* () {
        const messages = messagesOf(count)
        const asked = nothingAsked()
        const found = yield* exporting(messages, asked, all)
        assert.deepStrictEqual(
          found.map(({ id }) => id),
          messages.map(({ id }) => id)
        )
        assert.lengthOf(asked.parts, 1 + Math.floor(count / exportPage))
      })
    )
  }

  it.effect("reads a page when it is asked for, and not before", () =>
    Effect.gen(function* () {
      const asked = nothingAsked()
      yield* exporting(messagesOf(5 * exportPage), asked, (exports) =>
        Effect.scoped(
          Effect.gen(function* () {
            const pages = yield* exports.messages(organization, {})
            assert.lengthOf(asked.parts, 1)
            yield* Stream.runDrain(Stream.take(pages, 2))
            assert.lengthOf(asked.parts, 2)
          })
        )
      )
    })
  )

  it.effect("tells nothing of a database that is away for a moment, and fails when it stays away", () =>
    Effect.gen(function* () {
      const messages = messagesOf(2 * exportPage + 1)
      const short = nothingAsked(2, 3)
      const fiber = yield* Effect.fork(exporting(messages, short, all))
      yield* TestClock.adjust("10 seconds")
      assert.lengthOf(yield* Fiber.join(fiber), messages.length)

      const long = nothingAsked(...Array.range(2, 20))
      const failing = yield* Effect.fork(Effect.exit(exporting(messages, long, all)))
      yield* TestClock.adjust("10 seconds")
      assert.isTrue(Exit.isFailure(yield* Fiber.join(failing)))
      assert.lengthOf(long.parts, 6)

      const error = yield* Effect.flip(exporting(messages, nothingAsked(1), all))
      assert.strictEqual(error._tag, "ServiceUnavailableError")
    })
  )

  it.effect("has few of its kind at a time, and its place is free when it is over", () =>
    exporting(messagesOf(1), nothingAsked(), (exports) =>
      Effect.gen(function* () {
        const open = Effect.all([exports.messages(organization, {}), exports.events(organization, {})])
        const other = OrganizationId.make(v7())
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* Effect.replicateEffect(open, Math.floor(mostExports / 2))
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

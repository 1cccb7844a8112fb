import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { EventId } from "@switchboard/domain/events/EventType"
import type { Message, MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ExportRepo } from "@switchboard/services/analytics/ExportRepo"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Array, DateTime, Effect, Option } from "effect"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"
import { StoreLive } from "../StoreLive.js"

const recently = Effect.map(DateTime.now, (now) => ({
  start: DateTime.subtract(now, { minutes: 1 }),
  end: DateTime.add(now, { minutes: 1 })
}))

const accept = (own: OrganizationId) =>
  Effect.gen(function* () {
    const { message } = yield* (yield* MessageRepo).accept(yield* newMessage(own))
    return message
  })

layer(StoreLive, { excludeTestServices: true })("ExportRepo (SQL)", (it) => {
  it.effect("returns messages in pages, oldest first, with empty bodies", () =>
    Effect.gen(function* () {
      const repo = yield* ExportRepo
      const messages = yield* MessageRepo
      const [own, other] = [yield* makeOrganization(), yield* makeOrganization()]
      const accepted: Array<MessageId> = []
      for (const _ of Array.range(1, 5)) {
        accepted.push((yield* accept(own)).id)
        yield* accept(other)
      }
      const range = yield* recently
      const piece = (after: MessageId | null) => repo.messages(own, { range, after, limit: 2 })
      const first = yield* piece(null)
      const second = yield* piece(accepted[1] ?? null)
      const third = yield* piece(accepted[3] ?? null)
      assert.deepStrictEqual(
        [first, second, third].map((one) => one.map(({ id }) => id)),
        [accepted.slice(0, 2), accepted.slice(2, 4), accepted.slice(4)]
      )
      const stored = Option.getOrThrow(yield* messages.find(own, third[0]?.id ?? assert.fail("no message")))
      assert.deepStrictEqual({ ...third[0] }, { ...stored, content: { ...stored.content, html: "", text: "" } })
    })
  )

  it.effect("returns a message in only one of two adjacent ranges", () =>
    Effect.gen(function* () {
      const repo = yield* ExportRepo
      const own = yield* makeOrganization()
      const { createdAt: at } = yield* accept(own)
      const around = (start: DateTime.Utc, end: DateTime.Utc) =>
        Effect.map(
          Effect.all([
            repo.messages(own, { range: { start, end }, after: null, limit: 9 }),
            repo.events(own, { range: { start, end }, after: null, limit: 9 })
          ]),
          ([messages, events]) => [
            messages.length,
            events.filter(({ event }) => event.type === "message.created").length
          ]
        )
      assert.deepStrictEqual(yield* around(DateTime.subtract(at, { hours: 3 }), at), [0, 0])
      assert.deepStrictEqual(yield* around(at, DateTime.add(at, { millis: 1 })), [1, 1])
      assert.deepStrictEqual(yield* around(DateTime.add(at, { millis: 1 }), DateTime.add(at, { hours: 3 })), [0, 0])
    })
  )

  it.effect("returns events in pages, with the messages that still exist", () =>
    Effect.gen(function* () {
      const repo = yield* ExportRepo
      const messages = yield* MessageRepo
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const kept = yield* accept(own)
      const gone = yield* accept(own)
      yield* accept(yield* makeOrganization())
      yield* messages.remove(own, gone.id)
      const range = yield* recently
      const found: Array<readonly [string, string | undefined, string | undefined]> = []
      let after: EventId | null = null
      for (;;) {
        const piece: ReadonlyArray<{
          event: { id: EventId; type: string }
          message: Pick<Message, "content" | "id"> | null
        }> = yield* repo.events(own, { range, after, limit: 2 })
        found.push(
          ...piece.map(
            ({ event, message }) =>
              [
                event.type,
                message?.id,
                message !== null && "html" in message.content ? message.content.html : undefined
              ] as const
          )
        )
        after = piece.at(-1)?.event.id ?? null
        if (piece.length < 2) break
      }
      const rows = yield* sql<{ type: string; subject_id: string }>`SELECT type, subject_id FROM events
        WHERE organization_id = ${own} ORDER BY id`
      assert.deepStrictEqual(
        found,
        rows.map(({ subject_id, type }) =>
          subject_id === kept.id ? [type, kept.id, ""] : [type, undefined, undefined]
        )
      )
      assert.lengthOf(found, 3)
    })
  )
})

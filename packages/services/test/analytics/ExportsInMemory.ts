import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { EventId } from "@switchboard/domain/events/EventType"
import type { Message } from "@switchboard/domain/messages/Message"
import { type ExportPart, ExportRepo } from "@switchboard/services/analytics/ExportRepo"
import { DateTime, Effect, Layer } from "effect"

const away = new ServiceUnavailableError({ message: "The database can't be reached", retryAfterSeconds: 1 })

const part = <Row>(rows: ReadonlyArray<Row>, idOf: (row: Row) => string, { after, limit }: ExportPart<string>) =>
  rows.filter((row) => after === null || idOf(row) > after).slice(0, limit)

/** What is asked of a store, and when it fails: with its so manyth piece, as often as it is asked for it. */
export interface ExportsAsked {
  readonly parts: Array<ExportPart<string>>
  failing: ReadonlySet<number>
}

/** The same messages for everybody, and for each an event that was told when it was accepted, and that of a domain. */
export const exportsInMemory = (
  messages: ReadonlyArray<Message>,
  asked: ExportsAsked = { parts: [], failing: new Set() }
) => {
  const found = messages.map((message) => ({
    event: {
      id: EventId.make(message.id),
      organizationId: message.organizationId,
      type: "message.created" as const,
      subjectId: message.id,
      data: { timestamp: DateTime.formatIso(message.createdAt) },
      at: message.createdAt
    },
    message
  }))
  const ask = <Id extends string>(one: ExportPart<Id>) =>
    Effect.suspend(() => {
      asked.parts.push(one)
      return asked.failing.has(asked.parts.length) ? away : Effect.void
    })
  return Layer.succeed(ExportRepo, {
    messages: (_, one) =>
      Effect.zipRight(
        ask(one),
        Effect.sync(() => part(messages, ({ id }) => id, one))
      ),
    events: (_, one) =>
      Effect.zipRight(
        ask(one),
        Effect.sync(() => part(found, ({ event }) => event.id, one))
      ),
    blocks: () => Effect.succeed([])
  })
}

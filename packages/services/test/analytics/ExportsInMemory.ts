import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { EventId } from "@switchboard/domain/events/EventType"
import { Message } from "@switchboard/domain/messages/Message"
import { type ExportPart, ExportRepo } from "@switchboard/services/analytics/ExportRepo"
import { DateTime, Effect, Layer, Schema } from "effect"

const unavailable = new ServiceUnavailableError({ message: "The database can't be reached", retryAfterSeconds: 1 })

const part = <Row>(rows: ReadonlyArray<Row>, idOf: (row: Row) => string, { after, limit }: ExportPart<string>) =>
  rows.filter((row) => after === null || idOf(row) > after).slice(0, limit)

/** The requested pages, and the numbers of the requests that fail (1 is the first request). */
export interface ExportRequests {
  readonly parts: Array<ExportPart<string>>
  failing: ReadonlySet<number>
}

/** A repository that returns the same messages to every organization, and a message.created event for each. */
export const exportsInMemory = (
  messages: ReadonlyArray<Message>,
  requests: ExportRequests = { parts: [], failing: new Set() }
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
    message: Schema.encodeSync(Message)(message)
  }))
  const recordRequest = <Id extends string>(one: ExportPart<Id>) =>
    Effect.suspend(() => {
      requests.parts.push(one)
      return requests.failing.has(requests.parts.length) ? unavailable : Effect.void
    })
  return Layer.succeed(ExportRepo, {
    messages: (_, one) =>
      Effect.zipRight(
        recordRequest(one),
        Effect.sync(() => part(messages, ({ id }) => id, one))
      ),
    events: (_, one) =>
      Effect.zipRight(
        recordRequest(one),
        Effect.sync(() => part(found, ({ event }) => event.id, one))
      ),
    blocks: () => Effect.succeed([])
  })
}

import type { AskedRange } from "@switchboard/domain/analytics/DateRange"
import type { BadRequestError, RateLimitedError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Block } from "@switchboard/domain/email/blocks/Block"
import type { EncodedEvent } from "@switchboard/domain/events/EventCatalog"
import type { Message } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, Option, Schedule, type Scope, Stream } from "effect"
import { encodeEvents } from "../events/EncodeEvent.js"
import { places } from "../Places.js"
import { ExportRepo, type FoundEvent } from "./ExportRepo.js"
import { rangeNow } from "./RangeNow.js"

/** An export that has begun: its rows in the order of ids, a page at a time, each read when it is asked for. */
type OpenExport<Row> = Effect.fn.Return<
  Stream.Stream<ReadonlyArray<Row>, ServiceUnavailableError>,
  BadRequestError | RateLimitedError | ServiceUnavailableError,
  Scope.Scope
>

/** Exports that an organization may have open on one process. */
export const mostExports = 5

/** Rows that are in memory at once. */
export const exportPage = 200

/** A database that is away for some seconds does not cost an export that has run for minutes. */
const patiently = Schedule.exponential("250 millis").pipe(Schedule.intersect(Schedule.recurs(4)))

/**
 * Page after page until one is not full. The first is read before there is a stream, so that what can't begin is told
 * as any other failure.
 */
const pagesOf = <Row, Id, E>(
  idOf: (row: Row) => Id,
  read: (after: Id | null) => Effect.Effect<ReadonlyArray<Row>, E>
) =>
  Effect.map(read(null), (first) =>
    Stream.concat(
      Stream.make(first),
      Stream.unfoldEffect(first, (page) => {
        const last = page.at(-1)
        if (last === undefined || page.length < exportPage) return Effect.succeedNone
        return read(idOf(last)).pipe(
          Effect.retry(patiently),
          Effect.map((next) => Option.some([next, next] as const))
        )
      })
    )
  )

/** Everything that an organization has, for whoever takes it along. */
export class Exports extends Effect.Service<Exports>()("services/Exports", {
  effect: Effect.gen(function* () {
    const repo = yield* ExportRepo
    const place = yield* places(mostExports)

    /** Messages that were accepted in a range, their bodies empty. */
    const messages = Effect.fn("Exports.messages")(function* (
      organization: OrganizationId,
      asked: AskedRange
    ): OpenExport<Message> {
      const range = yield* rangeNow(asked)
      yield* place(organization)
      return yield* pagesOf(
        ({ id }: Message) => id,
        (after) => repo.messages(organization, { range, after, limit: exportPage })
      )
    })

    /** Events of a range, as webhooks post them. */
    const events = Effect.fn("Exports.events")(function* (
      organization: OrganizationId,
      asked: AskedRange
    ): OpenExport<EncodedEvent> {
      const range = yield* rangeNow(asked)
      yield* place(organization)
      const pages = yield* pagesOf(
        ({ event }: FoundEvent) => event.id,
        (after) => repo.events(organization, { range, after, limit: exportPage })
      )
      return Stream.mapEffect(pages, encodeEvents)
    })

    /** Every block in force. */
    const blocks = Effect.fn("Exports.blocks")(function* (organization: OrganizationId): OpenExport<Block> {
      yield* place(organization)
      return yield* pagesOf(
        ({ id }: Block) => id,
        (after) => repo.blocks(organization, { after, limit: exportPage })
      )
    })

    return { messages, events, blocks } as const
  })
}) {}

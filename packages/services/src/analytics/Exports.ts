import type { RequestedRange } from "@switchboard/domain/analytics/DateRange"
import type { AuditEntry, AuditFilters } from "@switchboard/domain/audit/AuditEntry"
import type { BadRequestError, RateLimitedError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Block } from "@switchboard/domain/email/blocks/Block"
import type { EncodedEvent } from "@switchboard/domain/events/EventCatalog"
import type { Message } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, Option, Schedule, type Scope, Stream } from "effect"
import { AuditRepo } from "../audit/AuditRepo.js"
import { concurrencyLimit } from "../ConcurrencyLimit.js"
import { encodeEvents } from "../events/StoredEvent.js"
import { OrganizationRepo } from "../organizations/OrganizationRepo.js"
import { requestedRanges } from "../organizations/RequestedRanges.js"
import { ExportRepo, type FoundEvent } from "./ExportRepo.js"

/** An open export: pages of rows in the order of ids, each read on demand. */
type OpenExport<Row> = Effect.fn.Return<
  Stream.Stream<ReadonlyArray<Row>, ServiceUnavailableError>,
  BadRequestError | RateLimitedError | ServiceUnavailableError,
  Scope.Scope
>

/** The maximum number of open exports of an organization in one process. */
export const maxExports = 5

/** The maximum number of rows that an export holds in memory. */
export const exportPage = 200

/** Retries a page for some seconds, so that a short database outage does not end a long export. */
const pageRetry = Schedule.exponential("250 millis").pipe(Schedule.intersect(Schedule.recurs(4)))

/**
 * Reads pages until one is not full. The first page is read before the stream starts, so that its failure becomes an
 * error response.
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
          Effect.retry(pageRetry),
          Effect.map((next) => Option.some([next, next] as const))
        )
      })
    )
  )

/** Exports an organization's data. */
export class Exports extends Effect.Service<Exports>()("services/Exports", {
  effect: Effect.gen(function* () {
    const repo = yield* ExportRepo
    const auditRepo = yield* AuditRepo
    const { rangeNow } = requestedRanges(yield* OrganizationRepo)
    const slot = yield* concurrencyLimit(maxExports)

    /** Messages accepted in a range, with empty bodies. */
    const messages = Effect.fn("Exports.messages")(function* (
      organization: OrganizationId,
      requested: RequestedRange
    ): OpenExport<Message> {
      const range = yield* rangeNow(organization, requested)
      yield* slot(organization)
      return yield* pagesOf(
        ({ id }: Message) => id,
        (after) => repo.messages(organization, { range, after, limit: exportPage })
      )
    })

    /** Events of a range, as webhooks post them. */
    const events = Effect.fn("Exports.events")(function* (
      organization: OrganizationId,
      requested: RequestedRange
    ): OpenExport<EncodedEvent> {
      const range = yield* rangeNow(organization, requested)
      yield* slot(organization)
      const pages = yield* pagesOf(
        ({ event }: FoundEvent) => event.id,
        (after) => repo.events(organization, { range, after, limit: exportPage })
      )
      return Stream.mapEffect(pages, encodeEvents)
    })

    /** Every block in force. */
    const blocks = Effect.fn("Exports.blocks")(function* (organization: OrganizationId): OpenExport<Block> {
      yield* slot(organization)
      return yield* pagesOf(
        ({ id }: Block) => id,
        (after) => repo.blocks(organization, { after, limit: exportPage })
      )
    })

    /** Entries of the audit log. */
    const audit = Effect.fn("Exports.audit")(function* (
      organization: OrganizationId,
      filters: AuditFilters
    ): OpenExport<AuditEntry> {
      yield* slot(organization)
      return yield* pagesOf(
        ({ id }: AuditEntry) => id,
        (after) => auditRepo.exported(organization, filters, { after, limit: exportPage })
      )
    })

    return { messages, events, blocks, audit } as const
  })
}) {}

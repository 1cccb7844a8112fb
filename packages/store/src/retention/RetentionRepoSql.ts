import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { Duration, Effect, Layer, Number } from "effect"
import { inTurn } from "../database/DeletionTurn.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { blockLogs } from "./EraseBlockLogs.js"
import { bodies } from "./EraseBodies.js"
import { eraseDue } from "./EraseDue.js"
import { eraseEvents, organizationsWithOldEvents } from "./EraseEvents.js"
import { forwardings } from "./EraseForwardings.js"
import { inboundRaw } from "./EraseInboundRaw.js"
import { catchAllHours, statisticsPeriod } from "./MergeCatchAllHours.js"
import { minId } from "./RetentionMarks.js"

const beginning: { readonly total: number; readonly after: string | null } = { total: 0, after: minId }

/** Erases data beyond its retention time. */
export const RetentionRepoSql = Layer.effect(
  RetentionRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const transaction = <A>(batch: Effect.Effect<A, SqlError>) =>
      batch.pipe(sql.withTransaction, retryConflicts, orUnavailable, inTurn)

    /** Runs batches over an organization's rows in the order of ids. */
    const forEachBatch = (
      batch: (after: string) => Effect.Effect<{ readonly erased: number; readonly after: string | null }, SqlError>
    ) =>
      Effect.iterate(beginning, {
        while: ({ after }) => after !== null,
        body: ({ after, total }) =>
          Effect.map(transaction(batch(after ?? minId)), (one) => ({ total: total + one.erased, after: one.after }))
      }).pipe(Effect.map(({ total }) => total))

    return {
      eraseBodies: (retention) => eraseDue(sql, bodies, retention),
      eraseEvents: (retention) =>
        orUnavailable(organizationsWithOldEvents(sql, retention)).pipe(
          Effect.flatMap((organizations) =>
            Effect.forEach(organizations, ({ id }) => forEachBatch((after) => eraseEvents(sql, id, retention, after)))
          ),
          Effect.map(Number.sumAll)
        ),
      eraseMailLogs: (retention) =>
        Effect.map(
          Effect.all([
            eraseDue(sql, forwardings, retention),
            eraseDue(sql, blockLogs, retention),
            eraseDue(sql, catchAllHours, Duration.max(retention, statisticsPeriod))
          ]),
          Number.sumAll
        ),
      eraseInboundRaw: (retention) => eraseDue(sql, inboundRaw, retention)
    }
  })
)

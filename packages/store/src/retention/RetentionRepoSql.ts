import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { Effect, Layer, Number } from "effect"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { eraseBlockLogs } from "./EraseBlockLogs.js"
import { bodiesBatch, eraseBodies } from "./EraseBodies.js"
import { eraseEvents } from "./EraseEvents.js"
import { eraseForwardings } from "./EraseForwardings.js"
import { eraseInboundRaw } from "./EraseInboundRaw.js"
import { joinHours } from "./JoinHours.js"
import { firstId } from "./RetentionMarks.js"

const beginning: { readonly total: number; readonly after: string | null } = { total: 0, after: firstId }

/** What was kept long enough, organization by organization: each by its primary key. */
export const RetentionRepoSql = Layer.effect(
  RetentionRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const ofEach = <E>(erase: (organization: OrganizationId) => Effect.Effect<number, E>) =>
      orUnavailable(sql<{ id: OrganizationId }>`SELECT id FROM organizations ORDER BY id`).pipe(
        Effect.flatMap((organizations) => Effect.forEach(organizations, ({ id }) => erase(id))),
        Effect.map(Number.sumAll)
      )

    const transaction = <A>(batch: Effect.Effect<A, SqlError>) =>
      batch.pipe(sql.withTransaction, retryConflicts, orUnavailable)

    /** Goes through an organization's rows by their ids. */
    const goThrough = (
      batch: (after: string) => Effect.Effect<{ readonly erased: number; readonly after: string | null }, SqlError>
    ) =>
      Effect.iterate(beginning, {
        while: ({ after }) => after !== null,
        body: ({ after, total }) =>
          Effect.map(transaction(batch(after ?? firstId)), (one) => ({ total: total + one.erased, after: one.after }))
      }).pipe(Effect.map(({ total }) => total))

    return {
      eraseBodies: (kept) =>
        ofEach((organization) =>
          Effect.iterate(
            { total: 0, found: bodiesBatch },
            {
              while: ({ found }) => found >= bodiesBatch,
              body: ({ total }) =>
                Effect.map(transaction(eraseBodies(sql, organization, kept)), ({ erased, found }) => ({
                  total: total + erased,
                  found
                }))
            }
          ).pipe(Effect.map(({ total }) => total))
        ),
      eraseEvents: (kept) =>
        ofEach((organization) => goThrough((after) => eraseEvents(sql, organization, kept, after))),
      eraseMailLogs: (kept) =>
        ofEach((organization) =>
          Effect.map(
            Effect.all([
              goThrough((after) => eraseForwardings(sql, organization, kept, after)),
              goThrough((after) => eraseBlockLogs(sql, organization, kept, after)),
              transaction(joinHours(sql, organization, kept))
            ]),
            Number.sumAll
          )
        ),
      eraseInboundRaw: (kept) =>
        ofEach((organization) => goThrough((after) => eraseInboundRaw(sql, organization, kept, after)))
    }
  })
)

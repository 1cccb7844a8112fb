import { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { deliberateCodes, type FailedFilter, FailedMessageRepo } from "@switchboard/services/messages/FailedMessageRepo"
import { DateTime, Effect, Layer, Option } from "effect"
import { orUnavailable } from "../database/Unavailable.js"
import { firstIdAt } from "../FirstIdAt.js"

/** Failed messages, by the index of `message_states` on the listed status. */
export const FailedMessageRepoSql = Layer.effect(
  FailedMessageRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const matching = ({ acceptedBefore, after, channel, code, organizationId, since, until }: FailedFilter) =>
      sql.and([
        sql`s.organization_id = ${organizationId}`,
        sql`s.listed_status = 'failed'`,
        sql`s.message_id < ${firstIdAt(acceptedBefore)}`,
        sql`s.error_details #>> '{details,resentAs}' IS NULL`,
        Option.match(code, {
          onNone: () => sql`COALESCE(s.error_details ->> 'code', '') <> ALL (${deliberateCodes}::text[])`,
          onSome: (value) => sql`s.error_details ->> 'code' = ${value}`
        }),
        ...Option.toArray(Option.map(after, (id) => sql`s.message_id > ${id}`)),
        ...Option.toArray(Option.map(since, (at) => sql`s.failed_at >= ${DateTime.toDateUtc(at)}`)),
        ...Option.toArray(Option.map(until, (at) => sql`s.failed_at <= ${DateTime.toDateUtc(at)}`)),
        ...Option.toArray(
          Option.map(
            channel,
            (name) => sql`EXISTS (SELECT FROM messages AS m WHERE m.organization_id = s.organization_id
              AND m.id = s.message_id AND m.channel = ${name})`
          )
        )
      ])

    return {
      count: (filter) =>
        sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM message_states AS s
          WHERE ${matching(filter)}`.pipe(
          Effect.map(([row]) => row?.count ?? 0),
          orUnavailable
        ),
      ids: (filter, limit) =>
        sql<{ readonly id: MessageId }>`SELECT s.message_id AS id FROM message_states AS s
          WHERE ${matching(filter)} ORDER BY s.message_id LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(({ id }) => id)),
          orUnavailable
        )
    }
  })
)

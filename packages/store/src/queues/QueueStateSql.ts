import { SqlClient } from "@effect/sql"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { ageAfterPause, minAgeAfterPause } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import {
  channelOf,
  type DeliveryChannel,
  type QueueDepth,
  type QueueName,
  queueNames
} from "@switchboard/domain/system/SystemStatus"
import type { SendingChannel } from "@switchboard/services/messages/delivery/DeliveryQueue"
import { Pause, PausedDomain, PauseRepo, PauseState, PauseTarget } from "@switchboard/services/queues/PauseRepo"
import { QueueDepths } from "@switchboard/services/queues/WorkQueue"
import { Data, DateTime, Duration, Effect, Layer, Option } from "effect"
import { inBatches } from "../database/Batches.js"
import { forRequest, orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { channelQueues, sendingChannels } from "./QueueTables.js"

/** The maximum number of pages read per table. The numbers of a larger table are estimated from a sample. */
const maxPages = 500

/** SQL: the number of a table's pages of 8 KiB, at least 1. */
const pagesOf = (table: string) => `greatest(pg_relation_size('${table}') / 8192.0, 1)`

/** SQL: the fraction of a table's pages that is read, from 0 to 1. */
const shareOf = (table: string) => `least(1, ${maxPages} / ${pagesOf(table)})::float8`

const sampleOf = (table: string) => `${table} TABLESAMPLE SYSTEM (100 * ${shareOf(table)})`

/**
 * Selects a queue's depth. An entry's age starts when it was ready, when its lease expired, or when it was due. Expired
 * leases and due entries are found by their indexes; the oldest ready entry is that of the sample.
 */
const depthPart = (queue: QueueName) => /* sql */ `
SELECT '${queue}' AS queue, q.ready, q.leased, w.waiting,
  COALESCE(greatest(extract(epoch FROM now() - least(
    q.ready_since,
    (SELECT min(lease_until) FROM ${queue}_queue WHERE lease_until < now()),
    (SELECT min(due_at) FROM ${queue}_waiting WHERE due_at < now())
  )), 0), 0)::float8 AS "oldestSeconds",
  EXISTS (SELECT 1 FROM installation WHERE held_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM delivery_pauses WHERE channel = '${channelOf[queue] ?? ""}') AS "isPaused"
FROM (
  SELECT round(count(*) FILTER (WHERE lease_until IS NULL) / ${shareOf(`${queue}_queue`)}) AS ready,
    round(count(*) FILTER (WHERE lease_until IS NOT NULL) / ${shareOf(`${queue}_queue`)}) AS leased,
    min(ready_at) FILTER (WHERE lease_until IS NULL) AS ready_since
  FROM ${sampleOf(`${queue}_queue`)}
) AS q CROSS JOIN (
  SELECT round(count(*) / ${shareOf(`${queue}_waiting`)}) AS waiting FROM ${sampleOf(`${queue}_waiting`)}
) AS w`

export const depthsStatement = queueNames.map(depthPart).join("\nUNION ALL")

/** The depths of all queues: exact for tables up to `maxPages`, estimated for larger ones, which limits the cost. */
export const QueueDepthsSql = Layer.effect(
  QueueDepths,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    all: forRequest(sql.unsafe<QueueDepth>(depthsStatement)),
    pausedDomains: sql<{ paused: number }>`SELECT count(*)::float8 AS paused FROM email_domains
      WHERE paused_at IS NOT NULL`.pipe(
      Effect.map(([row]) => row?.paused ?? 0),
      forRequest
    ),
    unparsedMails: (since) =>
      sql<{ unread: number }>`SELECT count(*)::float8 AS unread FROM inbound_mails
        WHERE received_at >= ${DateTime.toDateUtc(since)} AND parse_error IS NOT NULL`.pipe(
        Effect.map(([row]) => row?.unread ?? 0),
        forRequest
      )
  }))
)

interface Installation {
  readonly is_held: boolean
  readonly ended_before: Date | null
}

type Row = Installation &
  (
    | { readonly channel: DeliveryChannel; readonly organization_id: null; readonly paused_at: Date }
    | { readonly channel: null; readonly organization_id: OrganizationId; readonly paused_at: Date }
    | { readonly channel: null; readonly organization_id: null; readonly paused_at: null }
  )

const pauseOf = ({ channel, organization_id: organizationId, paused_at: pausedAt }: Row): ReadonlyArray<Pause> => {
  if (pausedAt === null) return []
  const target = channel === null ? PauseTarget.Organization({ organizationId }) : PauseTarget.Channel({ channel })
  return [new Pause({ target, pausedAt: DateTime.unsafeFromDate(pausedAt) })]
}

interface DomainRow {
  readonly organizationId: OrganizationId
  readonly id: EmailDomainId
  readonly domain: string
  readonly paused_at: Date
}

const stateOf = (rows: ReadonlyArray<Row>, domains: ReadonlyArray<DomainRow>) =>
  new PauseState({
    isHeld: rows[0]?.is_held ?? false,
    endedBefore: Option.map(Option.fromNullable(rows[0]?.ended_before), DateTime.unsafeFromDate),
    pauses: Data.array(rows.flatMap(pauseOf)),
    domains: Data.array(
      domains.map(({ paused_at, ...domain }) => {
        return new PausedDomain({ ...domain, pausedAt: DateTime.unsafeFromDate(paused_at) })
      })
    )
  })

/** Messages that one statement of a resumption changes. */
const maxRenewed = 500

/** The hold in the table `installation`, the pauses in `delivery_pauses`, and those of domains in `email_domains`. */
export const PauseRepoSql = Layer.effect(
  PauseRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const condition = PauseTarget.$match({
      Channel: ({ channel }) => sql`channel = ${channel}`,
      Organization: ({ organizationId }) => sql`organization_id = ${organizationId}`
    })

    const interval = (duration: Duration.Duration) => sql`make_interval(secs => ${Duration.toSeconds(duration)})`

    /** Gives paused messages a part of their queue lifetime back. Messages that a released copy ends keep their age. */
    const renewQueue = (target: PauseTarget, channel: SendingChannel) => {
      const queue = sql(`${channelQueues[channel].name}_queue`)
      const ofTarget = target._tag === "Organization" ? condition(target) : sql`true`
      const batch = sql`UPDATE ${queue} SET due_since = now() - ${interval(ageAfterPause)} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${queue} WHERE lease_until IS NULL AND lease_expiries >= 0
          AND due_since < now() - ${interval(minAgeAfterPause)} AND ${ofTarget}
          AND due_since >= COALESCE((SELECT ended_before FROM installation), '-infinity')
        ORDER BY due_since LIMIT ${maxRenewed} FOR UPDATE SKIP LOCKED)) RETURNING 1`
      return inBatches(
        Effect.map(retryConflicts(batch), (rows) => rows.length),
        maxRenewed
      )
    }

    const renew = (target: PauseTarget) =>
      Effect.forEach(
        sendingChannels.filter((channel) => target._tag === "Organization" || target.channel === channel),
        (channel) => renewQueue(target, channel),
        { discard: true }
      )

    const exists = (target: PauseTarget) =>
      Effect.map(sql`SELECT 1 FROM delivery_pauses WHERE ${condition(target)}`, (rows) => rows.length > 0)

    return {
      state: sql<Row>`SELECT i.held_at IS NOT NULL AS is_held, i.ended_before, p.channel, p.organization_id, p.paused_at
        FROM (SELECT) AS one LEFT JOIN installation AS i ON true LEFT JOIN delivery_pauses AS p ON true
        ORDER BY p.paused_at, p.channel, p.organization_id`.pipe(
        Effect.zipWith(
          sql<DomainRow>`SELECT organization_id AS "organizationId", id, domain, paused_at FROM email_domains
            WHERE paused_at IS NOT NULL ORDER BY paused_at, id`,
          stateOf
        ),
        orUnavailable
      ),
      hold: orUnavailable(Effect.asVoid(sql`UPDATE installation SET held_at = now()`)),
      release: (endedBefore) =>
        sql`UPDATE installation SET held_at = NULL,
          ended_before = ${Option.getOrNull(Option.map(endedBefore, DateTime.toDateUtc))}
          WHERE held_at IS NOT NULL RETURNING 1`.pipe(
          Effect.map((rows) => rows.length > 0),
          orUnavailable
        ),
      pause: (target) =>
        sql`INSERT INTO delivery_pauses ${sql.insert(
          PauseTarget.$match(target, {
            Channel: ({ channel }) => ({ channel, organization_id: null }),
            Organization: ({ organizationId }) => ({ channel: null, organization_id: organizationId })
          })
        )} ON CONFLICT DO NOTHING RETURNING 1`.pipe(
          Effect.map((rows) => rows.length > 0),
          orUnavailable
        ),
      resume: (target) =>
        Effect.gen(function* () {
          // The pause ends last: in a pause, no message expires.
          if (yield* exists(target)) yield* renew(target)
          const ended = yield* sql`DELETE FROM delivery_pauses WHERE ${condition(target)} RETURNING 1`
          return ended.length > 0
        }).pipe(orUnavailable)
    }
  })
)

import { SqlClient } from "@effect/sql"
import { blockKeys } from "@switchboard/domain/email/blocks/BlockKeys"
import { scopesOf } from "@switchboard/domain/email/blocks/BlockScope"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingLog"
import { ForwardingRuleId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ForwardingQueue, type TakenForwarding } from "@switchboard/services/email/forwarding/ForwardingQueue"
import type { LeaseRequest } from "@switchboard/services/queues/LeasedQueue"
import { Effect, Layer, Option, Ref, Schema } from "effect"
import { orUnavailable, retryConflicts } from "../../database/Unavailable.js"
import { firstOwner, leaseHistory } from "../../queues/Leases.js"
import { findBlocks } from "../blocks/FindBlocks.js"
import { forwardingLeases } from "./ForwardingLeases.js"
import { settleForwardings } from "./SettleForwardings.js"

/** One after the other by primary key, whatever the plan. */
const readStatement = /* sql */ `
SELECT f.id, f.organization_id AS "organizationId", f.mail_id AS "mailId", f.forward_to AS "forwardTo",
  f.via_domain AS "viaDomain", f.recipients, COALESCE(f.rule_id, f.domain_id) AS by, f.created_at AS "createdAt",
  COALESCE((SELECT r.rewrite_from FROM forwarding_rules AS r
    WHERE r.organization_id = f.organization_id AND r.id = f.rule_id), false) AS "rewriteFrom"
FROM json_to_recordset($1::json) AS t(organization_id uuid, id uuid)
  CROSS JOIN LATERAL (
    SELECT * FROM forwardings AS f WHERE f.organization_id = t.organization_id AND f.id = t.id OFFSET 0
  ) AS f`

const decodeTaken = Schema.decodeUnknownSync(
  Schema.Struct({
    id: ForwardingId,
    organizationId: OrganizationId,
    mailId: MessageId,
    forwardTo: Schema.typeSchema(EmailAddress),
    viaDomain: Schema.String,
    recipients: Schema.Array(Schema.String),
    rewriteFrom: Schema.Boolean,
    by: Schema.Union(ForwardingRuleId, EmailDomainId),
    createdAt: Schema.DateTimeUtcFromDate
  })
)

const decodeMail = Schema.decodeUnknownSync(
  Schema.Struct({
    mailFrom: Schema.String,
    raw: Schema.Uint8ArrayFromSelf,
    remoteAddress: Schema.String,
    helo: Schema.String,
    tls: Schema.Boolean,
    receivedAt: Schema.DateTimeUtcFromDate
  })
)

/** The queue in the table `forwarding_queue`, on what `forwardings` tells. */
export const ForwardingQueueSql = Layer.effect(
  ForwardingQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const leased = yield* forwardingLeases.queue
    // Where the last take ended: the next one begins with another organization.
    const cursor = yield* Ref.make<string>(firstOwner)

    /** The block list is read at every attempt. Forwarded mail has no categories: only blocks on all mail apply. */
    const withBlocks = Effect.fnUntraced(function* (given: ReadonlyArray<Omit<TakenForwarding, "block">>) {
      const scopes = scopesOf([])
      const blocks = yield* findBlocks(
        sql,
        given.map(({ forwardTo, organizationId }) => ({ organizationId, scopes, ...blockKeys(forwardTo) }))
      )
      return given.map((one, place): TakenForwarding => ({ ...one, block: blocks[place]?.[0] ?? null }))
    })

    const take = Effect.fnUntraced(function* (request: LeaseRequest) {
      const entries = yield* forwardingLeases.take(sql, request, yield* Ref.get(cursor))
      const last = entries.at(-1)
      if (last === undefined) return []
      const keys = entries.map(({ id, organization_id }) => ({ organization_id, id }))
      const rows = yield* sql.unsafe(readStatement, [JSON.stringify(keys)])
      yield* Ref.set(cursor, last.organization_id)
      const histories = new Map(entries.map((entry) => [entry.id, leaseHistory(entry)]))
      return yield* withBlocks(
        rows.flatMap((row) => {
          const one = decodeTaken(row)
          const history = histories.get(one.id)
          return history === undefined ? [] : [{ ...one, ...history }]
        })
      )
    })

    return {
      ...leased,
      take: (request) => take(request).pipe(sql.withTransaction, retryConflicts, orUnavailable),
      mail: (organization, mail) =>
        sql`SELECT mail_from AS "mailFrom", raw, remote_address AS "remoteAddress", helo, tls, received_at AS "receivedAt"
          FROM inbound_mails
          WHERE organization_id = ${organization} AND id = ${mail} AND raw IS NOT NULL`.pipe(
          Effect.map(([row]) => Option.map(Option.fromNullable(row), (found) => decodeMail(found))),
          orUnavailable
        ),
      settle: (worker, ended) =>
        ended.length === 0
          ? Effect.void
          : settleForwardings(sql, worker, ended).pipe(sql.withTransaction, retryConflicts, orUnavailable)
    }
  })
)

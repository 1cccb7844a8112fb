import { SqlClient } from "@effect/sql"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type DecidedForwarding, ForwardingRepo } from "@switchboard/services/email/forwarding/ForwardingRepo"
import { DateTime, Effect, Layer, Schema } from "effect"
import { prepared } from "../../database/Prepared.js"
import { forRequest, orUnavailable, retryConflicts } from "../../database/Unavailable.js"
import { notify, queueTables } from "../../queues/QueueTables.js"
import { failForwardings } from "./ForwardingQueueSql.js"
import { ruleColumns, ruleFromRow } from "./ForwardingRows.js"

/** Read for every received mail. */
const rulesStatement = prepared(
  "forwarding_rules",
  `SELECT ${ruleColumns} FROM forwarding_rules AS r WHERE r.organization_id = $1 AND r.is_active ORDER BY r.priority, r.id`
)

const catchAllsStatement = prepared(
  "forwarding_catch_alls",
  /* sql */ `SELECT domain_id AS "domainId", forward_to AS "forwardTo" FROM catch_alls
  WHERE organization_id = $1 AND domain_id = ANY ($2::uuid[]) AND enabled`
)

const decidedStatement = prepared(
  "forwarding_decided",
  /* sql */ `SELECT recipients, keep_copy AS "keepCopy", status FROM forwardings
  WHERE organization_id = $1 AND mail_id = $2`
)

/** A mail counts once for a rule, regardless of the number of addresses it is forwarded to. */
const insertStatement = /* sql */ `
WITH new_forwardings AS MATERIALIZED (
  SELECT * FROM json_to_recordset($2::json) AS g(id uuid, mail_id uuid, rule_id uuid, domain_id uuid, recipients text[],
    keep_copy boolean, forward_to text, via_domain text, loop text, created_at timestamptz)
), stored AS (
  INSERT INTO forwardings (organization_id, id, mail_id, rule_id, domain_id, recipients, keep_copy, forward_to,
    via_domain, status, error, created_at, settled_at)
  SELECT $1::uuid, id, mail_id, rule_id, domain_id, recipients, keep_copy, forward_to, via_domain,
    CASE WHEN loop IS NULL THEN 'waiting' ELSE 'loop_blocked' END, loop, created_at,
    CASE WHEN loop IS NOT NULL THEN now() END
  FROM new_forwardings
), matched AS (
  UPDATE forwarding_rules AS r SET match_count = r.match_count + 1, last_matched_at = now()
  WHERE r.organization_id = $1::uuid AND r.id IN (SELECT rule_id FROM new_forwardings)
), queued AS (
  INSERT INTO forwarding_queue (organization_id, id, ready_at)
  SELECT $1::uuid, id, now() FROM new_forwardings WHERE loop IS NULL RETURNING 1
)
SELECT ${notify(queueTables.forwarding)} WHERE EXISTS (SELECT 1 FROM queued)`

const decodeCatchAlls = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ domainId: EmailDomainId, forwardTo: Schema.Array(Schema.typeSchema(EmailAddress)) }))
)

/** Decisions on forwarding, in the table `forwardings`. */
export const ForwardingRepoSql = Layer.effect(
  ForwardingRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const decided = (organization: OrganizationId, mail: MessageId) =>
      sql.unsafe<DecidedForwarding>(decidedStatement, [organization, mail])

    return {
      plan: (organization, catchAlls) =>
        Effect.gen(function* () {
          const rules = yield* sql.unsafe<object>(rulesStatement, [organization])
          const rows = catchAlls.length === 0 ? [] : yield* sql.unsafe(catchAllsStatement, [organization, catchAlls])
          return {
            rules: rules.map(ruleFromRow),
            catchAlls: new Map(decodeCatchAlls(rows).map(({ domainId, forwardTo }) => [domainId, forwardTo]))
          }
        }).pipe(forRequest),
      decided: (organization, mail) => forRequest(decided(organization, mail)),
      decide: (organization, mail, forwardings) =>
        Effect.gen(function* () {
          // Two workers can hold the same mail after a lease expired; the lock lets one of them decide.
          const mails = yield* sql`SELECT 1 FROM inbound_mails
            WHERE organization_id = ${organization} AND id = ${mail} AND raw IS NOT NULL FOR UPDATE`
          const before = yield* decided(organization, mail)
          if (mails.length === 0 || before.length > 0) return before
          yield* sql.unsafe(insertStatement, [
            organization,
            JSON.stringify(
              forwardings.map((one) => ({
                id: one.id,
                mail_id: mail,
                rule_id: one.ruleId,
                domain_id: one.domainId,
                recipients: one.recipients,
                keep_copy: one.keepCopy,
                forward_to: one.forwardTo,
                via_domain: one.viaDomain,
                loop: one.loop,
                created_at: DateTime.formatIso(one.createdAt)
              }))
            )
          ])
          return yield* decided(organization, mail)
        }).pipe(sql.withTransaction, retryConflicts, orUnavailable),
      fail: (organization, id, error) =>
        failForwardings(sql, [{ organization_id: organization, id, error }]).pipe(
          Effect.map((stored) => stored.has(id)),
          retryConflicts,
          orUnavailable
        )
    }
  })
)

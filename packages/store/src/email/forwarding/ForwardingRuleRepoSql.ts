import { SqlClient } from "@effect/sql"
import { ForwardingRuleRepo } from "@switchboard/services/email/forwarding/ForwardingRuleRepo"
import { DateTime, Effect, Layer, Option } from "effect"
import { forRequest, retryConflicts } from "../../database/Unavailable.js"
import { containsText } from "../../Filters.js"
import { withCreationKey } from "../../idempotency/StoreCreationKey.js"
import { selectPage } from "../../Lists.js"
import {
  changedRuleColumns,
  firstRule,
  forwardingLogColumns,
  forwardingLogFromRow,
  ruleColumns,
  ruleFromRow
} from "./ForwardingRows.js"

/** Rules in the table `forwarding_rules`, and their log in `forwardings`. */
export const ForwardingRuleRepoSql = Layer.effect(
  ForwardingRuleRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(ruleColumns)

    return {
      insert: (rule, maxRules) =>
        Effect.gen(function* () {
          // Serializes inserts of an organization, so that none exceeds the limit.
          yield* sql`SELECT 1 FROM organizations WHERE id = ${rule.organizationId} FOR NO KEY UPDATE`
          const [present] = yield* sql<{ count: number }>`SELECT count(*)::int AS count FROM forwarding_rules
            WHERE organization_id = ${rule.organizationId}`
          if (present !== undefined && present.count >= maxRules) return false
          yield* sql`INSERT INTO forwarding_rules ${sql.insert({
            organization_id: rule.organizationId,
            id: rule.id,
            created_at: DateTime.toDateUtc(rule.createdAt),
            ...changedRuleColumns(rule)
          })}`
          return true
        }).pipe(
          sql.withTransaction,
          withCreationKey(sql, (isStored) => (isStored ? rule.id : null)),
          retryConflicts,
          forRequest
        ),
      find: (organization, id) =>
        sql`SELECT ${columns} FROM forwarding_rules AS r WHERE r.organization_id = ${organization} AND r.id = ${id}`.pipe(
          Effect.map(firstRule),
          forRequest
        ),
      list: (organization, { search }, request) =>
        Effect.gen(function* () {
          const where = [
            sql`r.organization_id = ${organization}`,
            ...(search === undefined ? [] : [containsText(sql, search, ["r.name"])])
          ]
          return yield* selectPage(sql, request, {
            columns: ruleColumns,
            tables: "forwarding_rules AS r",
            where,
            id: "r.id",
            read: ruleFromRow
          })
        }).pipe(forRequest),
      change: (organization, id, decide) =>
        Effect.gen(function* () {
          const present = firstRule(
            yield* sql`SELECT ${columns} FROM forwarding_rules AS r
              WHERE r.organization_id = ${organization} AND r.id = ${id} FOR UPDATE`
          )
          if (Option.isNone(present)) return Option.none()
          const changed = yield* decide(present.value)
          yield* sql`UPDATE forwarding_rules SET ${sql.update(changedRuleColumns(changed))}
            WHERE organization_id = ${organization} AND id = ${id}`
          return Option.some(changed)
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
      remove: (organization, id) =>
        sql`DELETE FROM forwarding_rules WHERE organization_id = ${organization} AND id = ${id} RETURNING id`.pipe(
          Effect.map((rows) => rows.length > 0),
          forRequest
        ),
      log: (organization, request) =>
        Effect.gen(function* () {
          return yield* selectPage(sql, request, {
            columns: forwardingLogColumns,
            tables: "forwardings AS f",
            where: [sql`f.organization_id = ${organization} AND f.status <> 'waiting'`],
            id: "f.id",
            read: forwardingLogFromRow
          })
        }).pipe(forRequest)
    }
  })
)

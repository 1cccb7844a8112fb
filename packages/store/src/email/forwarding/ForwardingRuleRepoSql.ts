import { SqlClient } from "@effect/sql"
import { page } from "@switchboard/domain/Page"
import { ForwardingRuleRepo } from "@switchboard/services/email/forwarding/ForwardingRuleRepo"
import { readableRows } from "@switchboard/services/ReadableRows"
import { DateTime, Effect, Layer, Option } from "effect"
import { forCaller, retryConflicts } from "../../database/Unavailable.js"
import { found } from "../../Search.js"
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
      insert: (rule, most) =>
        Effect.gen(function* () {
          // Those who add the last one together wait for each other.
          yield* sql`SELECT 1 FROM organizations WHERE id = ${rule.organizationId} FOR NO KEY UPDATE`
          const [present] = yield* sql<{ count: number }>`SELECT count(*)::int AS count FROM forwarding_rules
            WHERE organization_id = ${rule.organizationId}`
          if (present !== undefined && present.count >= most) return false
          yield* sql`INSERT INTO forwarding_rules ${sql.insert({
            organization_id: rule.organizationId,
            id: rule.id,
            created_at: DateTime.toDateUtc(rule.createdAt),
            ...changedRuleColumns(rule)
          })}`
          return true
        }).pipe(sql.withTransaction, retryConflicts, forCaller),
      list: (organization, { search }, request) =>
        Effect.gen(function* () {
          const where = sql.and([
            sql`r.organization_id = ${organization}`,
            ...(search === undefined ? [] : [found(sql, search, ["r.name"])])
          ])
          const rows = yield* sql`SELECT ${columns} FROM forwarding_rules AS r WHERE ${where}
            ORDER BY r.id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}`
          const [count] = yield* sql<{ total: number }>`SELECT count(*)::float8 AS total
            FROM forwarding_rules AS r WHERE ${where}`
          return page(yield* readableRows(rows, ruleFromRow), count?.total ?? 0, request)
        }).pipe(forCaller),
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
        }).pipe(sql.withTransaction, retryConflicts, forCaller),
      remove: (organization, id) =>
        sql`DELETE FROM forwarding_rules WHERE organization_id = ${organization} AND id = ${id} RETURNING id`.pipe(
          Effect.map((rows) => rows.length > 0),
          forCaller
        ),
      log: (organization, request) =>
        Effect.gen(function* () {
          const where = sql`f.organization_id = ${organization} AND f.status <> 'waiting'`
          const rows = yield* sql`SELECT ${sql.literal(forwardingLogColumns)} FROM forwardings AS f WHERE ${where}
            ORDER BY f.id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}`
          const [count] = yield* sql<{ total: number }>`SELECT count(*)::float8 AS total
            FROM forwardings AS f WHERE ${where}`
          return page(yield* readableRows(rows, forwardingLogFromRow), count?.total ?? 0, request)
        }).pipe(forCaller)
    }
  })
)

import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ForwardingRepo } from "@switchboard/services/email/forwarding/ForwardingRepo"
import { ReceivingRepo } from "@switchboard/services/email/receiving/addresses/ReceivingRepo"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { Duration, Effect } from "effect"
import { v7 } from "uuid"
import { insertMail, makeDomain, options } from "../email/receiving/Fixtures.js"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"

const day = Duration.days(1)
const ago = (span: Duration.DurationInput) => new Date(Date.now() - Duration.toMillis(span))

interface Overrides {
  readonly status?: string
  readonly keepCopy?: boolean
  readonly age?: Duration.DurationInput
  readonly domainId?: string
  readonly isProcessed?: boolean
  /** The number of addresses that the mail is forwarded to. */
  readonly targets?: number
}

/** Stores a forwarded mail with its log. */
const forwarded = (organization: OrganizationId, overrides: Overrides = {}) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const at = ago(overrides.age ?? "2 days")
    const id = () => v7({ msecs: at.getTime() })
    const mail = MessageId.make(id())
    yield* insertMail(organization, mail, { isProcessed: overrides.isProcessed ?? true, receivedAt: at })
    const ids = Array.from({ length: overrides.targets ?? 1 }, () => ForwardingId.make(id()))
    for (const one of ids) {
      yield* sql`INSERT INTO forwardings (organization_id, id, mail_id, domain_id, recipients, keep_copy, forward_to,
          via_domain, status, created_at, settled_at)
        VALUES (${organization}, ${one}, ${mail}, ${overrides.domainId ?? null}, '{}', ${overrides.keepCopy ?? true},
          'eve@example.com', 'desk.test', ${overrides.status ?? "forwarded"}, ${at},
          ${overrides.status === "waiting" ? null : at})`
    }
    return { mail, ids }
  })

const rows = (table: string, organization: OrganizationId) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ id: string }>`SELECT id FROM ${sql(table)} WHERE organization_id = ${organization} ORDER BY id`,
      (found) => found.map(({ id }) => id)
    )
  )

layer(OwnStoreLive, options)("Mail logs beyond their retention time", (it) => {
  it.effect("deletes expired audit entries", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { deleteAudit } = yield* RetentionRepo
      const organization = yield* makeOrganization()
      const insert = (age: Duration.DurationInput) => {
        const id = v7({ msecs: ago(age).getTime() })
        return Effect.as(
          sql`INSERT INTO audit_entries (organization_id, id, at, actor_type, actor_id, actor_name, operation, resource,
              outcome, ip_address, user_agent)
            VALUES (${organization}, ${id}, ${ago(age)}, 'apiKey', ${v7()}, 'Key', 'things.update', 'things', 'succeeded',
              '', '')`,
          id
        )
      }
      yield* insert("2 days")
      const kept = yield* insert("1 hour")
      assert.strictEqual(yield* deleteAudit(day), 1)
      assert.deepStrictEqual(yield* rows("audit_entries", organization), [kept])
    })
  )

  it.effect("erases forwardings that are complete", () =>
    Effect.gen(function* () {
      const { eraseMailLogs } = yield* RetentionRepo
      const { fail } = yield* ForwardingRepo
      const organization = yield* makeOrganization()
      const done = yield* forwarded(organization, { targets: 2 })
      for (const status of ["failed", "loop_blocked"]) yield* forwarded(organization, { status })
      const kept = [
        yield* forwarded(organization, { age: "23 hours" }),
        yield* forwarded(organization, { status: "waiting" }),
        // If the mail bounces within a week, it is received.
        yield* forwarded(organization, { keepCopy: false }),
        // A worker that processes the mail needs the decisions.
        yield* forwarded(organization, { isProcessed: false })
      ]
      yield* forwarded(organization, { keepCopy: false, age: "8 days" })
      assert.strictEqual(yield* eraseMailLogs(day), 5)
      assert.deepStrictEqual(yield* rows("forwardings", organization), kept.flatMap(({ ids }) => ids).sort())
      assert.strictEqual(yield* eraseMailLogs(day), 0)
      // A later bounce has no forwarding, and needs no retry.
      for (const id of done.ids) assert.isTrue(yield* fail(organization, id, "550 Gone"))
    })
  )

  it.effect("erases all forwardings of a mail together", () =>
    Effect.gen(function* () {
      const { eraseMailLogs } = yield* RetentionRepo
      const sql = yield* SqlClient.SqlClient
      const organization = yield* makeOrganization()
      const { ids } = yield* forwarded(organization, { targets: 2 })
      yield* sql`UPDATE forwardings SET status = 'waiting' WHERE id = ${ids[1] ?? ""}`
      assert.strictEqual(yield* eraseMailLogs(day), 0)
      yield* sql`UPDATE forwardings SET status = 'failed' WHERE id = ${ids[1] ?? ""}`
      assert.strictEqual(yield* eraseMailLogs(day), 2)
    })
  )

  it.effect("keeps forwardings for some minutes with any retention, so that a late worker does not repeat them", () =>
    Effect.gen(function* () {
      const { eraseMailLogs } = yield* RetentionRepo
      const organization = yield* makeOrganization()
      const { ids } = yield* forwarded(organization, { age: "9 minutes" })
      yield* forwarded(organization, { age: "11 minutes" })
      yield* eraseMailLogs(Duration.millis(1))
      assert.deepStrictEqual(yield* rows("forwardings", organization), ids)
    })
  )

  it.effect("keeps the totals of catch-alls when their mails are erased", () =>
    Effect.gen(function* () {
      const { eraseMailLogs } = yield* RetentionRepo
      const { counts } = yield* ReceivingRepo
      const sql = yield* SqlClient.SqlClient
      const organization = yield* makeOrganization()
      const { id: domainId } = yield* makeDomain(organization)
      yield* Effect.forEach([1, 2, 3], (targets) => forwarded(organization, { domainId, targets }))
      yield* forwarded(organization, { domainId, status: "failed" })
      yield* forwarded(organization, { domainId, age: "1 hour" })
      const count = (days: number, received: number, rejected: number) =>
        sql`INSERT INTO catch_all_counts (organization_id, domain_id, hour, received, rejected)
          VALUES (${organization}, ${domainId}, date_trunc('hour', ${ago(Duration.days(days))}::timestamptz, 'UTC'),
            ${received}, ${rejected})`
      yield* count(0, 1, 2)
      yield* count(29, 10, 20)
      yield* count(40, 100, 200)
      yield* count(400, 1000, 2000)
      const before = yield* counts(organization, domainId)
      assert.deepStrictEqual(before, {
        received: 1111,
        rejected: 2222,
        forwarded: 4,
        last24Hours: 1,
        last30Days: 11
      })
      assert.isAbove(yield* eraseMailLogs(day), 0)
      assert.deepStrictEqual(yield* counts(organization, domainId), before)
      assert.lengthOf(yield* rows("forwardings", organization), 1)
      yield* forwarded(organization, { domainId })
      assert.strictEqual(yield* eraseMailLogs(day), 1)
      assert.deepStrictEqual(yield* counts(organization, domainId), { ...before, forwarded: 5 })
    })
  )

  it.effect("erases block logs in pages, for each organization", () =>
    Effect.gen(function* () {
      const { eraseMailLogs } = yield* RetentionRepo
      const sql = yield* SqlClient.SqlClient
      const organization = yield* makeOrganization()
      const other = yield* makeOrganization()
      const log = (own: OrganizationId, age: Duration.DurationInput, count: number) => {
        const at = ago(age)
        const ids = Array.from({ length: count }, () => v7({ msecs: at.getTime() }))
        return Effect.as(
          sql`INSERT INTO email_block_logs (organization_id, id, block_id, email, action, created_at)
            SELECT ${own}::uuid, id, gen_random_uuid(), 'eve@example.com', 'blocked', ${at}
            FROM unnest(${ids}::uuid[]) AS id`,
          ids
        )
      }
      yield* log(organization, "2 days", 1_001)
      yield* log(other, "2 days", 1)
      const young = yield* log(organization, "23 hours", 1)
      assert.strictEqual(yield* eraseMailLogs(day), 1_002)
      assert.deepStrictEqual(yield* rows("email_block_logs", organization), young)
    })
  )
})

import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Effect, Layer } from "effect"
import { LiveService, send } from "./LiveService.js"
import { runCommand } from "./TestCommand.js"

const limit = 1_000

const Sql = Layer.unwrapEffect(Effect.map(TestDatabaseUrl, (url) => PgClient.layer({ url, maxConnections: 1 })))

const OnPlanFree = Layer.effectDiscard(
  Effect.gen(function* () {
    const { environment, organizationId } = yield* LiveService
    yield* runCommand(["organizations", "set-plan", "--organization", organizationId, "--plan", "free"], environment)
  })
)

/** Sets the usage of the organization `ago` months before the current one. */
const used = (count: number, ago = 0) =>
  Effect.gen(function* () {
    const { organizationId } = yield* LiveService
    const sql = yield* PgClient.PgClient
    yield* sql`UPDATE organization_usage SET messages_used_this_month = ${count},
        month = (date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => ${ago}))::date
      WHERE organization_id = ${organizationId}`
  })

const usedNow = Effect.gen(function* () {
  const { organizationId } = yield* LiveService
  const sql = yield* PgClient.PgClient
  const [row] = yield* sql<{ count: number }>`SELECT messages_used_this_month::int AS count FROM organization_usage
    WHERE organization_id = ${organizationId}`
  return row?.count
})

const refusal = { _tag: "PaymentRequiredError", resource: "messages", currentUsage: limit, limit }

layer(OnPlanFree.pipe(Layer.provideMerge(Sql), Layer.provideMerge(LiveService.Shared)), { excludeTestServices: true })(
  "The plan free",
  (it) => {
    it.effect("accepts the thousandth message of a month, refuses the next, and emits one event", () =>
      Effect.gen(function* () {
        const { call, organizationId } = yield* LiveService
        const sql = yield* PgClient.PgClient
        const slug = `engines-${randomUUID()}`
        const changed = yield* call("PATCH", "/v1/organizations/current", { slug, timezone: "Europe/Berlin" })
        assert.deepInclude(changed.body, { slug, timezone: "Europe/Berlin", plan: "free" })
        yield* used(limit - 3)
        const last = send({ idempotencyKey: randomUUID() })
        const accepted = yield* call("POST", "/v1/messages", last)
        assert.strictEqual(accepted.status, 201)
        const responses = yield* Effect.replicateEffect(
          Effect.suspend(() => call("POST", "/v1/messages", send())),
          12,
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          responses.filter(({ status }) => status === 201),
          2
        )
        for (const { body, status } of responses) {
          if (status !== 201) assert.deepStrictEqual([status, body], [402, refusal])
        }
        const replayed = yield* call("POST", "/v1/messages", last)
        assert.deepStrictEqual([replayed.status, replayed.body.id], [201, accepted.body.id])
        assert.deepInclude((yield* call("GET", "/v1/organizations/current")).body, {
          messagesUsed: 3,
          messagesUsedThisMonth: limit,
          participantsUsed: 2
        })
        const events = yield* sql`SELECT type FROM events
          WHERE organization_id = ${organizationId} AND type LIKE 'organization.u%' ORDER BY id`
        assert.deepStrictEqual(
          events.map(({ type }) => type),
          // The first event is that of `set-plan`.
          ["organization.updated", "organization.updated", "organization.usage_exceeded"]
        )
      })
    )

    it.effect("does not count test messages", () =>
      Effect.gen(function* () {
        const { call } = yield* LiveService
        yield* used(limit)
        const responses = yield* Effect.forEach(
          Array.range(1, 10),
          () => call("POST", "/v1/messages", send({ isTest: true })),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          responses.map(({ status }) => status),
          responses.map(() => 201)
        )
        assert.strictEqual(yield* usedNow, limit)
      })
    )

    it.effect("resets with the next month", () =>
      Effect.gen(function* () {
        const { call } = yield* LiveService
        yield* used(limit, 1)
        assert.strictEqual((yield* call("POST", "/v1/messages", send())).status, 201)
        assert.strictEqual(yield* usedNow, 1)
      })
    )
  }
)

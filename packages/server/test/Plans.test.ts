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
    it.effect("accepts the thousandth message of a month, and refuses the next", () =>
      Effect.gen(function* () {
        const { call } = yield* LiveService
        yield* used(limit - 1)
        const last = send({ idempotencyKey: randomUUID() })
        const accepted = yield* call("POST", "/v1/messages", last)
        assert.strictEqual(accepted.status, 201)
        const { body, status } = yield* call("POST", "/v1/messages", send())
        assert.deepStrictEqual([status, body], [402, refusal])
        const replayed = yield* call("POST", "/v1/messages", last)
        assert.deepStrictEqual([replayed.status, replayed.body.id], [201, accepted.body.id])
        assert.strictEqual(yield* usedNow, limit)
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

    it.effect("is exact under concurrent sends and batches", () =>
      Effect.gen(function* () {
        const { call } = yield* LiveService
        yield* used(limit - 10)
        const responses = yield* Effect.forEach(Array.range(1, 30), () => call("POST", "/v1/messages", send()), {
          concurrency: "unbounded"
        })
        assert.strictEqual(responses.filter(({ status }) => status === 201).length, 10)
        for (const { body } of responses.filter(({ status }) => status !== 201)) assert.deepStrictEqual(body, refusal)
        yield* used(limit - 2)
        const { body } = yield* call("POST", "/v1/messages/batch", { messages: Array.makeBy(5, () => send()) })
        const statuses: ReadonlyArray<number> = body.results.map(({ status }: { readonly status: number }) => status)
        assert.deepStrictEqual([...statuses].sort(), [201, 201, 402, 402, 402])
        assert.deepStrictEqual(
          body.results.find(({ status }: { readonly status: number }) => status === 402),
          { status: 402, error: refusal }
        )
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

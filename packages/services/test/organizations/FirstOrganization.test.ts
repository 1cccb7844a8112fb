import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { operatorPermissions } from "@switchboard/domain/apiKeys/Permission"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { SenderRepo } from "@switchboard/services/email/senders/SenderRepo"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { ApiKeyRepoSql } from "@switchboard/store/apiKeys/ApiKeyRepoSql"
import { SenderRepoSql } from "@switchboard/store/email/senders/SenderRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { OwnStoreLive } from "@switchboard/store/testing/StoreLive"
import { testDatabase } from "@switchboard/store/testing/TestDatabase"
import { Array, Context, DateTime, Effect, Exit, Layer, Option, Redacted, Schema } from "effect"

const UseCases = Layer.merge(Organizations.Default, ApiKeys.Default).pipe(
  Layer.provide(Layer.mergeAll(ApiKeyRepoSql, OrganizationRepoSql, SenderRepoSql))
)
const Live = UseCases.pipe(Layer.provideMerge(OwnStoreLive))

/** Starts another process of the service with its own connections. */
const startProcess = Effect.map(
  Layer.build(Layer.fresh(UseCases.pipe(Layer.provide(testDatabase(1))))),
  Context.get(Organizations)
)

/** Removes all organizations and keys. */
const empty = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`TRUNCATE organizations CASCADE`)

const sender = Schema.decodeSync(EmailAddress)("hello@localhost.test")
const noKey = { sender, key: Option.none(), show: () => Effect.void }

/** The number of rows in each table. */
const counts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql`SELECT (SELECT count(*)::int FROM organizations) AS organizations,
      (SELECT count(*)::int FROM organization_usage) AS usage,
      (SELECT count(*)::int FROM email_senders) AS senders,
      (SELECT count(*)::int FROM api_keys WHERE organization_id IS NOT NULL) AS keys`,
    ([row]) => row
  )
)

layer(Live, { excludeTestServices: true })("The first organization", (it) => {
  it.scoped("is created once, with sender and API key, by processes that start together", () =>
    Effect.gen(function* () {
      const processes = yield* Effect.replicateEffect(startProcess, 6, { concurrency: "unbounded" })
      const created = yield* Effect.forEach(processes, ({ bootstrap }) => bootstrap(noKey), {
        concurrency: "unbounded"
      })
      const [first = assert.fail("no process created it"), ...others] = Array.getSomes(created)
      assert.isEmpty(others)
      assert.deepStrictEqual(yield* counts, { organizations: 1, usage: 1, senders: 1, keys: 1 })

      const identity = yield* Effect.flatMap(ApiKeys, ({ authenticate }) => authenticate(first.key))
      assert.strictEqual(identity.organizationId, first.organization.id)
      assert.deepStrictEqual(identity.permissions, operatorPermissions)
      const found = yield* Effect.flatMap(SenderRepo, ({ findDefault }) =>
        findDefault(first.organization.id, DateTime.unsafeMake(0))
      )
      assert.strictEqual(Option.getOrThrow(found).email, sender)
    })
  )

  it.effect("is not created if one exists", () =>
    Effect.gen(function* () {
      const { bootstrap } = yield* Organizations
      assert.isTrue(Option.isNone(yield* bootstrap(noKey)))
      assert.deepStrictEqual(yield* counts, { organizations: 1, usage: 1, senders: 1, keys: 1 })
    })
  )

  it.effect("is rolled back if its last step fails, so that the next start creates everything", () =>
    Effect.gen(function* () {
      yield* empty
      const { bootstrap } = yield* Organizations
      const { create } = yield* ApiKeys
      const { key: taken } = yield* create({
        name: "An operator's",
        organizationId: null,
        permissions: {},
        expiresAt: null,
        value: Option.none()
      })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(bootstrap({ ...noKey, key: Option.some(taken) }))))
      assert.deepStrictEqual(yield* counts, { organizations: 0, usage: 0, senders: 0, keys: 0 })

      const value = Redacted.make(`sk_sm_${"B".repeat(40)}`)
      const created = yield* bootstrap({ ...noKey, key: Option.some(value) })
      assert.strictEqual(Option.getOrThrow(created).key, value)
      assert.deepStrictEqual(yield* counts, { organizations: 1, usage: 1, senders: 1, keys: 1 })
    })
  )

  it.effect("is rolled back if the start is interrupted before it shows the key", () =>
    Effect.gen(function* () {
      yield* empty
      const { bootstrap } = yield* Organizations
      const shown: Array<string> = []
      const exit = yield* Effect.exit(bootstrap({ ...noKey, show: () => Effect.interrupt }))
      assert.isTrue(Exit.isInterrupted(exit))
      assert.deepStrictEqual(yield* counts, { organizations: 0, usage: 0, senders: 0, keys: 0 })

      const show = (key: Redacted.Redacted<string>) => Effect.sync(() => void shown.push(Redacted.value(key)))
      const created = Option.getOrThrow(yield* bootstrap({ ...noKey, show }))
      assert.deepStrictEqual(shown, [Redacted.value(created.key)])
      assert.deepStrictEqual(yield* counts, { organizations: 1, usage: 1, senders: 1, keys: 1 })
    })
  )

  it.effect("shows no key if one exists", () =>
    Effect.gen(function* () {
      const { bootstrap } = yield* Organizations
      assert.isTrue(Option.isNone(yield* bootstrap({ ...noKey, show: () => Effect.dieMessage("shown") })))
    })
  )

  it.effect("can be created by an operator with its sender, or nothing if the slug is taken", () =>
    Effect.gen(function* () {
      yield* empty
      const { create } = yield* Organizations
      const input = { name: "Ada's", slug: "ada", plan: "free", sender } as const
      yield* create(input)
      const conflict = yield* Effect.flip(create({ ...input, name: "Another" }))
      assert.deepInclude(conflict, { _tag: "ConflictError", resource: "organization" })
      assert.deepStrictEqual(yield* counts, { organizations: 1, usage: 1, senders: 1, keys: 0 })
    })
  )
})

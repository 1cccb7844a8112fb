import { randomUUID } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer } from "effect"
import { LiveService, send } from "../LiveService.js"

const Live = TestDatabase.pipe(Layer.provideMerge(LiveService.Shared))

layer(Live, { excludeTestServices: true })("The current organization", (it) => {
  it.effect("is updated, shows its usage, and emits one event when its plan is exceeded", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { call, organizationId } = yield* LiveService
      const slug = `engines-${randomUUID()}`
      const changed = yield* call("PATCH", "/v1/organizations/current", {
        slug,
        timezone: "Europe/Berlin"
      })
      assert.deepInclude(changed.body, { slug, timezone: "Europe/Berlin", plan: "unlimited" })

      yield* sql`UPDATE organizations SET plan = 'free' WHERE id = ${organizationId}`
      yield* sql`UPDATE organization_usage SET messages_used_this_month = 999
        WHERE organization_id = ${organizationId}`
      const sends = Effect.replicateEffect(
        Effect.suspend(() => call("POST", "/v1/messages", send())),
        5,
        { concurrency: "unbounded" }
      )
      const statuses = (yield* sends).map(({ status }) => status).sort()
      assert.deepStrictEqual(statuses, [201, 402, 402, 402, 402])
      yield* sends
      assert.deepInclude((yield* call("GET", "/v1/organizations/current")).body, {
        messagesUsed: 1,
        messagesUsedThisMonth: 1_000,
        participantsUsed: 2
      })
      const events = yield* sql`SELECT type FROM events
        WHERE organization_id = ${organizationId} AND type LIKE 'organization.%' ORDER BY id`
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["organization.updated", "organization.usage_exceeded"]
      )
    })
  )
})

import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { senderFindings } from "@switchboard/server/doctor/DoctorDomains"
import { firstSender, localSender } from "@switchboard/server/run/FirstStart"
import { Settings } from "@switchboard/server/settings/Settings"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { TestDatabase, TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { ConfigProvider, Effect, Layer } from "effect"

const Live = Organizations.Default.pipe(
  Layer.provide(OrganizationRepoSql),
  Layer.provideMerge(TestDatabase),
  Layer.provide(TestDatabaseUrl.Live)
)

const findings = (settings: Readonly<Record<string, string>>) =>
  senderFindings.pipe(
    Effect.provide(Settings.Live),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))
  )

const relay = { SMTP_URL: "smtp://relay.example.net" }

layer(Live, { excludeTestServices: true })("switchboard doctor, default senders", (it) => {
  it.effect("names the organizations that send from the local domain over a relay on another host", () =>
    Effect.gen(function* () {
      const { create } = yield* Organizations
      const sql = yield* SqlClient.SqlClient
      yield* create({ name: "First", slug: "first", plan: "free", sender: firstSender })
      yield* create({ name: "Second", slug: "second", plan: "free", sender: localSender("second") })
      assert.deepStrictEqual(yield* findings({}), [])
      assert.deepStrictEqual(yield* findings({ SMTP_URL: "smtp://127.0.0.1:1025" }), [])
      const [finding] = yield* findings(relay)
      assert.strictEqual(finding?.level, "error")
      assert.include(finding?.advice ?? [], "first, second")

      yield* sql`UPDATE email_senders SET email = 'orders@notlocalhost.test'`
      assert.deepStrictEqual(yield* findings(relay), [{ level: "ok", subject: "Default senders" }])
    })
  )
})

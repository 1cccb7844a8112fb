import { assert, it } from "@effect/vitest"
import { oidcAccount } from "@switchboard/server/settings/OidcSettings"
import { describeConfigError } from "@switchboard/server/settings/Setting"
import { Settings } from "@switchboard/server/settings/Settings"
import { ConfigProvider, Effect, Option, Redacted } from "effect"

const load = (environment: Readonly<Record<string, string>>) =>
  Settings.pipe(
    Effect.provide(Settings.Live),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))),
    Effect.map(oidcAccount),
    Effect.mapError(describeConfigError)
  )

const client = { OIDC_CLIENT_ID: "switchboard", OIDC_CLIENT_SECRET: "hush" }

it.effect("OIDC_NAME is by default the host of the issuer, which has https or is on loopback", () =>
  Effect.gen(function* () {
    for (const [issuer, name] of [
      ["https://id.example.com/realms/staff", "id.example.com"],
      ["http://127.0.0.1:9000", "127.0.0.1:9000"],
      ["http://[::1]:9000", "[::1]:9000"],
      ["http://localhost", "localhost"]
    ] as const) {
      const account = Option.getOrThrow(yield* load({ ...client, OIDC_ISSUER: issuer }))
      assert.deepStrictEqual(
        [account.issuer, account.name, Redacted.value(account.clientSecret)],
        [issuer, name, client.OIDC_CLIENT_SECRET]
      )
    }
    const named = yield* load({ ...client, OIDC_ISSUER: "https://id.example.com", OIDC_NAME: "Staff" })
    assert.strictEqual(Option.getOrThrow(named).name, "Staff")
    assert.deepStrictEqual(yield* load({}), Option.none())
  })
)

it.effect.each([
  [{ ...client, OIDC_ISSUER: "http://id.example.com" }, "OIDC_ISSUER: must be a URL that begins with https://"],
  [{ ...client, OIDC_ISSUER: "https://id.example.com?a=b" }, "OIDC_ISSUER: must be a URL without query or credentials"],
  [{ ...client, OIDC_ISSUER: "id.example.com" }, "OIDC_ISSUER: must be a URL that begins with https:// or http://"],
  [client, "OIDC_ISSUER: must be set if another OIDC_ setting is set"],
  [
    { OIDC_NAME: "Staff" },
    "OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET: must be set if another OIDC_ setting is set"
  ]
] as const)("%o is refused", ([environment, message]) =>
  Effect.map(Effect.flip(load(environment)), (error) => assert.strictEqual(error, message))
)

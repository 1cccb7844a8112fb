import { assert, describe, it } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { caller, temporaryFolder } from "./LiveService.js"
import { base, failing, installationKey, launch, run } from "./ServiceProcess.js"

const newKey = Buffer.alloc(32, 8).toString("base64")

describe("switchboard master-key rotate", () => {
  it.scopedLive(
    "encrypts the secrets of a running service under the new key",
    () =>
      Effect.gen(function* () {
        const before = { ...base(yield* temporaryFolder), DATABASE_URL: Redacted.value(yield* TestDatabaseUrl) }
        const oldKey = installationKey.toString("base64")
        const both = { ...before, MASTER_KEY: newKey, MASTER_KEY_PREVIOUS: oldKey }
        assert.match(yield* failing(["master-key", "rotate"], both), /There is nothing to rotate/)
        const { baseUrl } = yield* launch("serve", before)
        const { status } = yield* caller(baseUrl)("POST", "/v1/webhook-endpoints", {
          name: "Hooks",
          url: "https://example.com/hooks",
          events: ["message.sent"]
        })
        assert.strictEqual(status, 201)
        const refusals = yield* Effect.forEach(
          [
            before,
            { ...before, MASTER_KEY_PREVIOUS: oldKey },
            { ...both, MASTER_KEY_PREVIOUS: newKey.replace(/^./, "A") },
            { ...both, MASTER_KEY_PREVIOUS: "short" }
          ],
          (environment) => failing(["master-key", "rotate"], environment),
          { concurrency: 4 }
        )
        const expected = [
          /^switchboard: Set MASTER_KEY to the new key, and MASTER_KEY_PREVIOUS to the key before it\n$/,
          /^switchboard: MASTER_KEY_PREVIOUS is MASTER_KEY: set MASTER_KEY to a new key/,
          /^switchboard: MASTER_KEY is not the key that this database's secrets are stored under/,
          /MASTER_KEY_PREVIOUS: must be at least 32 bytes in base64/
        ]
        expected.forEach((pattern, index) => {
          assert.match(refusals[index] ?? "", pattern)
        })

        const { stdout } = yield* run(["master-key", "rotate"], both)
        // The keys of the local domain, and the secret of the endpoint.
        assert.strictEqual(stdout, "Encrypted 3 secrets under MASTER_KEY; no secret is left under another key\n")
        assert.match(yield* failing(["serve"], before), /MASTER_KEY is not the key that this database's secrets/)
        yield* launch("serve", { ...before, MASTER_KEY: newKey })
      }).pipe(Effect.provide(TestDatabaseUrl.Live)),
    300_000
  )
})

import { assert, layer } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { adminKey, caller } from "./LiveService.js"
import { failingCommand, runCommand } from "./TestCommand.js"
import { startService, testSettings } from "./TestService.js"

const keyOf = (octet: number) => Buffer.alloc(32, octet).toString("base64")
const [oldKey, newKey] = [keyOf(9), keyOf(8)]

layer(TestDatabaseUrl.Live, { excludeTestServices: true })("switchboard master-key rotate", (it) => {
  it.scoped("encrypts the secrets of a running service under the new key", () =>
    Effect.gen(function* () {
      const before = { ...testSettings(Redacted.value(yield* TestDatabaseUrl), adminKey), MASTER_KEY: oldKey }
      const both = { ...before, MASTER_KEY: newKey, MASTER_KEY_PREVIOUS: oldKey }
      assert.match(yield* failingCommand(["master-key", "rotate"], both), /There is nothing to rotate/)
      const { baseUrl } = yield* startService(before)
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
        (environment) => failingCommand(["master-key", "rotate"], environment),
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

      const { stdout } = yield* runCommand(["master-key", "rotate"], both)
      // The keys of the local domain, and the secret of the endpoint.
      assert.strictEqual(stdout, "Encrypted 3 secrets under MASTER_KEY; no secret is left under another key\n")
      const refused = yield* Effect.flip(startService(before))
      assert.match(String(refused), /MASTER_KEY is not the key that this database's secrets/)
      yield* startService({ ...before, MASTER_KEY: newKey })
    })
  )
})

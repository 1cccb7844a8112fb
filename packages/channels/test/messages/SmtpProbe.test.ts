import { assert, describe, it } from "@effect/vitest"
import { probeServer } from "@switchboard/channels/messages/SmtpTransport"
import { Effect } from "effect"
import { relayAt } from "../Fixtures.js"
import { type Script, scriptedRelay } from "../ScriptedRelay.js"

const probe = (script: Script, credentials = "") =>
  Effect.gen(function* () {
    const relay = yield* scriptedRelay(script)
    const url = `smtp://${credentials}127.0.0.1:${relay.port}`
    return yield* probeServer(relayAt(relay.port, { url }))
  })

const offersAuth = "250-relay.test\r\n250-size 1000\r\n250 AUTH PLAIN"

describe("probeServer", () => {
  it.scoped("returns the extensions that the relay offers", () =>
    Effect.gen(function* () {
      const { extensions } = yield* probe({ EHLO: offersAuth }, "shop:s3cret@")
      assert.deepStrictEqual(extensions, ["SIZE 1000", "AUTH PLAIN"])
    })
  )

  const failures: ReadonlyArray<readonly [string, Script]> = [
    ["disconnects before its greeting", { greeting: "drop" }],
    ["refuses the connection", { greeting: "554 No" }],
    ["disconnects at EHLO", { EHLO: "drop" }],
    ["refuses the password", { EHLO: offersAuth, AUTH: "535 5.7.8 Wrong" }],
    ["disconnects at AUTH", { EHLO: offersAuth, AUTH: "drop" }]
  ]
  for (const [what, script] of failures) {
    it.scoped(`fails if the relay ${what}`, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(probe(script, "shop:s3cret@"))
        assert.strictEqual(failure._tag, "ProviderUnavailable")
        assert.notInclude(failure.response, "s3cret")
      })
    )
  }
})

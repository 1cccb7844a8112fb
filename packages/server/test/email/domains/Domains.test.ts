import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService, send, until } from "../../LiveService.js"
import { outputOf } from "../../TestCommand.js"
import { ReceivingService } from "../ReceivingService.js"
import { publish } from "./Zone.js"

layer(ReceivingService.Shared, { excludeTestServices: true })("A domain", (it) => {
  it.effect("can send once its records are published; the doctor reports missing records", () =>
    Effect.gen(function* () {
      const { call, environment } = yield* LiveService
      const { zone } = yield* ReceivingService
      const { body: made, status } = yield* call("POST", "/v1/email/domains", { domain: "shop.test" })
      assert.strictEqual(status, 201)
      const from = () => call("POST", "/v1/messages", send({}, { from: "Orders <orders@shop.test>" }))
      /** Whether the domain is verified, and the states of its records. */
      const verify = Effect.map(call("POST", "/v1/email/domains/verify", { domain: "shop.test" }), ({ body }) => ({
        success: body.success,
        states: body.records.map(({ state }: { readonly state: string }) => state).join(" ")
      }))
      assert.deepStrictEqual(yield* verify, {
        success: false,
        states: "missing missing missing missing missing missing"
      })
      assert.strictEqual((yield* from()).status, 422)

      publish(zone, made.dnsRecords)
      zone["bounce.shop.test"] = [
        { type: "MX", priority: 10, exchange: "mail.elsewhere.test" },
        { type: "TXT", chunks: ["v=spf1 include:", "spf.relay.test ~all"] }
      ]
      zone["_switchboard.shop.test"] = "NXDOMAIN"
      assert.deepStrictEqual(yield* verify, { success: false, states: "missing ok ok differs ok ok" })
      const output = yield* outputOf(["doctor"], environment)
      assert.include(output, "error    DNS records of shop.test (pending, organization ")
      assert.include(
        output,
        `Please publish the TXT record _switchboard.shop.test with the value "switchboard-verification=${made.verificationToken}" (there is none now)`
      )
      assert.include(
        output,
        'Please publish the MX record bounce.shop.test with the value "10 mail.switchboard.test" (now it is: "10 mail.elsewhere.test")'
      )
      assert.notInclude(output, "sm1._domainkey.shop.test")

      publish(zone, made.dnsRecords, ".provider.test")
      const report = yield* call("GET", `/v1/email/domains/${made.id}/status`)
      assert.deepStrictEqual(
        report.body.records.map(({ ok }: { ok: boolean }) => ok),
        [true, true, true, true, true, true]
      )
      assert.deepStrictEqual(yield* verify, { success: true, states: "ok ok ok ok ok ok" })
      assert.strictEqual((yield* call("GET", `/v1/email/domains/${made.id}`)).body.status, "verified")
      // Lookups are cached for half a second.
      yield* until(from(), ({ status }) => status === 201)
      assert.include(
        yield* outputOf(["doctor"], environment),
        "ok       DNS records of shop.test (verified, organization "
      )
    })
  )
})

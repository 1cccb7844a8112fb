import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { authenticate } from "mailauth"
import { type DnsAnswer, dnsServer } from "../../../../channels/test/network/DnsServer.js"
import { LiveService, send, until } from "../../LiveService.js"

/** The records of a name server, which a test changes. */
class Zone extends Context.Tag("test/Zone")<Zone, Record<string, DnsAnswer>>() {}

const Live = Layer.unwrapScoped(
  Effect.gen(function* () {
    const zone: Record<string, DnsAnswer> = {}
    const { server } = yield* dnsServer(zone)
    return LiveService.layer({
      DNS_SERVERS: server,
      MAIL_HOSTNAME: "mail.switchboard.test",
      SPF_INCLUDE: "spf.relay.test"
    }).pipe(Layer.merge(Layer.succeed(Zone, zone)))
  })
)

interface Asked {
  readonly type: string
  readonly name: string
  readonly value: string
  readonly priority?: number
}

const publish = (zone: Record<string, DnsAnswer>, records: ReadonlyArray<Asked>) => {
  for (const { name } of records) {
    zone[name] = records
      .filter((record) => record.name === name)
      .map(({ priority, type, value }) =>
        type === "MX"
          ? ({ type: "MX", priority: priority ?? 0, exchange: value } as const)
          : ({ type: "TXT", chunks: value.match(/.{1,255}/g) ?? [] } as const)
      )
  }
}

/** What a receiver by other hands makes of a mail, who finds the same records. */
const received = (zone: Record<string, DnsAnswer>, raw: string, mailFrom: string) =>
  Effect.promise(() =>
    authenticate(raw, {
      ip: "192.0.2.1",
      helo: "mail.switchboard.test",
      sender: mailFrom,
      mta: "receiver.test",
      resolver: (name, type) => {
        const answer = zone[name.toLowerCase()]
        const found = typeof answer === "object" ? answer : []
        const texts = found.flatMap((record) => (type === "TXT" && record.type === "TXT" ? [[...record.chunks]] : []))
        return texts.length > 0
          ? Promise.resolve(texts)
          : Promise.reject(Object.assign(new Error("no such record"), { code: "ENOTFOUND" }))
      }
    })
  ).pipe(
    Effect.map(({ dkim, dmarc }) => ({
      dkim: dkim.results.map(({ selector, signingDomain, status }) => [selector, signingDomain, status.result]),
      dmarc: dmarc === false ? "none" : String(dmarc.status.result)
    }))
  )

layer(Live, { excludeTestServices: true, timeout: "60 seconds" })("Mail of a verified domain", (it) => {
  it.effect("passes DKIM and DMARC at its receivers, before and after a rotation of keys", () =>
    Effect.gen(function* () {
      const { call, mails } = yield* LiveService
      const zone = yield* Zone
      const { body: made } = yield* call("POST", "/v1/email/domains", { domain: "shop.test" })
      publish(zone, made.dnsRecords)
      assert.deepStrictEqual((yield* call("POST", "/v1/email/domains/verify", { domain: "shop.test" })).body, {
        success: true
      })
      const sent = Effect.gen(function* () {
        const message = send({}, { from: "Orders <orders@shop.test>" })
        const { body, status } = yield* call("POST", "/v1/messages", message)
        assert.strictEqual(status, 201, JSON.stringify(body))
        const arrived = yield* until(
          Effect.sync(() => mails.find(({ parsed }) => parsed.subject === message.email.subject)),
          (mail) => mail !== undefined
        )
        return { id: body.id, mail: arrived ?? assert.fail("nothing came") }
      })

      const first = yield* sent
      const old = first.mail
      assert.match(old.mailFrom, new RegExp(`^b\\+${first.id}\\.[0-9a-f]{20}@bounce\\.shop\\.test$`))
      const passed = { dkim: [["sm1", "shop.test", "pass"]], dmarc: "pass" }
      assert.deepStrictEqual(yield* received(zone, old.raw, old.mailFrom), passed)
      const forged = old.raw.replace("Hello", "Hallo")
      assert.notDeepEqual(yield* received(zone, forged, old.mailFrom), passed)

      assert.strictEqual((yield* call("POST", `/v1/email/domains/${made.id}/rotate-dkim`)).status, 200)
      // A key is held for seconds.
      const next = yield* until(Effect.delay(sent, "500 millis"), ({ mail }) => mail.raw.includes("s=sm2;"))
      assert.deepStrictEqual(yield* received(zone, next.mail.raw, next.mail.mailFrom), {
        dkim: [["sm2", "shop.test", "pass"]],
        dmarc: "pass"
      })
      assert.deepStrictEqual(yield* received(zone, old.raw, old.mailFrom), passed)
    })
  )

  it.effect("of a sender without one goes out as before", () =>
    Effect.gen(function* () {
      const { call, mails } = yield* LiveService
      const message = send()
      yield* call("POST", "/v1/messages", message)
      const arrived = yield* until(
        Effect.sync(() => mails.find(({ parsed }) => parsed.subject === message.email.subject)),
        (mail) => mail !== undefined
      )
      assert.strictEqual(arrived?.mailFrom, arrived?.parsed.from?.address)
      assert.notMatch(arrived?.raw ?? "", /^dkim-signature:/im)
    })
  )
})

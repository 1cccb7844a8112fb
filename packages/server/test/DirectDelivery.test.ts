import { assert, layer } from "@effect/vitest"
import { type DnsAnswer, dnsServer } from "@switchboard/channels/testing/network/DnsServer"
import { type Script, scriptedRelay } from "@switchboard/channels/testing/ScriptedRelay"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { Context, Effect, Layer } from "effect"
import { openConsole, showPath } from "./console/ConsoleDom.js"
import { accepted, LiveService, messageOf, metricsText, settled, until } from "./LiveService.js"
import { outputOf } from "./TestCommand.js"

interface Mx {
  readonly zone: Record<string, DnsAnswer>
  readonly port: number
}

/** The name server of the service, and the port of the mail servers. */
class MxNetwork extends Context.Tag("test/MxNetwork")<MxNetwork, Mx>() {}

const Direct = Layer.unwrapScoped(
  Effect.gen(function* () {
    const zone: Record<string, DnsAnswer> = {}
    const { server } = yield* dnsServer(zone)
    const port = yield* freePort
    return Layer.merge(
      Layer.succeed(MxNetwork, { zone, port }),
      LiveService.layer({
        SMTP_URL: "mx:",
        MX_PORT: String(port),
        MX_HOSTNAME: "out.switchboard.test",
        MX_CONCURRENCY: "4",
        NETWORK_ALLOW: "127.0.0.0/8",
        DNS_SERVERS: server
      })
    )
  })
)

/** Starts a mail server on an address of loopback, as the mail server of domains. */
const mailServer = Effect.fnUntraced(function* (host: string, domains: ReadonlyArray<string>, script: Script = {}) {
  const { port, zone } = yield* MxNetwork
  const name = `mx-${host.replaceAll(".", "-")}.test`
  zone[name] = [{ type: "A", address: host }]
  for (const domain of domains) zone[domain] = [{ type: "MX", priority: 10, exchange: name }]
  return { name, ...(yield* scriptedRelay(script, { host, port })) }
})

const destinations = Effect.flatMap(LiveService, ({ call }) =>
  Effect.map(call("GET", "/v1/system"), ({ body }): ReadonlyArray<Record<string, unknown>> => body.destinations)
)

const to = (...addresses: ReadonlyArray<string>) => ({ to: addresses.map((email) => ({ email })) })

layer(Direct, { excludeTestServices: true })("Direct delivery", (it) => {
  it.scoped("is shown in the console: no destinations, each with its state, and why a message waits", () =>
    Effect.gen(function* () {
      const { baseUrl, key } = yield* LiveService
      assert.include(yield* metricsText, "\nswitchboard_destinations_paused 0\n")
      const window = yield* openConsole(baseUrl, key)
      yield* showPath(window, "/system")
      assert.include(window.document.querySelector("main .empty")?.textContent, "No destinations yet")
      const server = yield* mailServer("127.0.0.19", ["shown.test"])
      server.refuse()
      const { id } = yield* accepted(to("ada@shown.test"))
      yield* settled(id, "queued")
      yield* showPath(window, "/messages")
      yield* showPath(window, "/system")
      const row = window.document.querySelector('main [aria-label="Destinations"] tbody tr')
      const cells = [...(row?.children ?? [])].map(({ textContent }) => textContent)
      assert.deepStrictEqual([cells[0], cells[2]], [server.name, "0 of 1"])
      assert.include(["open", "half open"], cells[1])
      assert.match(String(cells[4]), /ECONNREFUSED/)
      assert.isNull(window.document.querySelector("main .empty"))
      yield* showPath(window, `/messages/${id}`)
      const recipients = window.document.querySelector("main .deliveries")?.textContent
      assert.include(recipients, "It is not sent yet: the recipient's mail server cannot be used now.")
    })
  )

  it.scoped("sends one mail to each destination, whose result settles its recipients alone", () =>
    Effect.gen(function* () {
      const { zone } = yield* MxNetwork
      const one = yield* mailServer("127.0.0.11", ["one.test", "same.test"], {
        RCPT: (line) => (line.includes("gone@") ? "550 5.1.1 No such user" : "250 2.1.5 OK")
      })
      const two = yield* mailServer("127.0.0.12", ["two.test"])
      zone["null.test"] = [{ type: "MX", priority: 0, exchange: "" }]
      const recipients = [
        "ada@one.test",
        "gone@one.test",
        "bo@same.test",
        "cy@two.test",
        "di@null.test",
        "ed@absent.test"
      ]
      const { id } = yield* accepted(to(...recipients))
      const message = yield* until(messageOf(id), ({ emailMetadata }) =>
        emailMetadata.deliveries.every(({ status }: { readonly status: string }) => status !== "pending")
      )
      assert.deepStrictEqual([message.status, message.provider], ["delivered", "mx"])
      assert.deepStrictEqual(
        message.emailMetadata.deliveries.map((delivery: Record<string, unknown>) => [
          delivery.recipient,
          delivery.status,
          delivery.reason
        ]),
        [
          ["ada@one.test", "delivered", undefined],
          ["gone@one.test", "bounced", "user_unknown"],
          ["bo@same.test", "delivered", undefined],
          ["cy@two.test", "delivered", undefined],
          ["di@null.test", "bounced", "host_unknown"],
          ["ed@absent.test", "bounced", "host_unknown"]
        ]
      )
      assert.match(message.emailMetadata.deliveries[4].response, /^5\.1\.10 /)
      assert.match(message.emailMetadata.deliveries[5].response, /^5\.1\.2 /)
      assert.deepStrictEqual([one.mails.length, two.mails.length, one.connections()], [1, 1, 1])
      assert.strictEqual(yield* one.awaitCommand("EHLO"), "EHLO out.switchboard.test")
    })
  )

  it.scoped("retries the recipients of a destination that is down, without a second mail to the others", () =>
    Effect.gen(function* () {
      const up = yield* mailServer("127.0.0.13", ["up.test"])
      const down = yield* mailServer("127.0.0.14", ["down.test"])
      down.refuse()
      const { id } = yield* accepted(to("ada@up.test", "bo@down.test"))
      const waiting = yield* until(messageOf(id), ({ retryCount }) => retryCount === 1)
      assert.deepStrictEqual(
        waiting.emailMetadata.deliveries.map(({ reason, status }: Record<string, unknown>) => [status, reason]),
        [
          ["delivered", undefined],
          ["deferred", "network"]
        ]
      )
      assert.lengthOf(up.mails, 1)
    })
  )

  it.scoped("queues mail to a destination that is down, and shows it in the system view", () =>
    Effect.gen(function* () {
      const server = yield* mailServer("127.0.0.15", ["away.test"])
      server.refuse()
      const { id } = yield* accepted(to("ada@away.test"))
      const { errorDetails } = yield* settled(id, "queued")
      assert.deepStrictEqual([errorDetails.code, errorDetails.retryable], ["destination_unavailable", true])
      const state = (yield* destinations).find(({ destination }) => destination === server.name)
      assert.deepInclude(state, { destination: server.name, state: "open", maxConnections: 1 })
      assert.match(String(state?.lastFailure), /ECONNREFUSED/)
      const paused = yield* until(metricsText, (text) => /^switchboard_destinations_paused [1-9]/m.test(text))
      assert.include(paused, 'switchboard_smtp_stalled{use="messages",relay="mx"} 0\n')
      server.listen()
      const { retryCount } = yield* settled(id, "delivered")
      assert.strictEqual(retryCount, 0)
    })
  )

  it.scoped("keeps sending to others while a destination does not reply", () =>
    Effect.gen(function* () {
      const silent = yield* mailServer("127.0.0.16", ["silent.test"], { EHLO: "250 mx.test", MAIL: "silence" })
      const other = yield* mailServer("127.0.0.17", ["other.test"])
      yield* Effect.forEach(
        Array.from({ length: 40 }, (_, index) => index),
        (index) => accepted(to(`ada${index}@silent.test`))
      )
      yield* silent.awaitCommand("MAIL")
      const { id } = yield* accepted(to("bo@other.test"))
      yield* settled(id, "delivered")
      assert.lengthOf(other.mails, 1)
      assert.isAtMost(silent.connections(), 4)
    })
  )

  it.scoped("shows the recipients of other destinations as delivered while one does not reply", () =>
    Effect.gen(function* () {
      const slow = yield* mailServer("127.0.0.20", ["slow.test"], { dot: "silence" })
      const quick = yield* mailServer("127.0.0.21", ["quick.test"], {
        RCPT: (line) => (line.includes("gone@") ? "550 5.1.1 No such user" : "250 2.1.5 OK")
      })
      const { id } = yield* accepted(to("ada@slow.test", "bo@quick.test", "gone@quick.test"))
      const statuses = ({
        emailMetadata
      }: {
        readonly emailMetadata: Record<string, ReadonlyArray<{ status: string }>>
      }) => emailMetadata.deliveries?.map(({ status }) => status)
      const partly = yield* settled(id, "delivered")
      assert.deepStrictEqual(statuses(partly), ["pending", "delivered", "bounced"])
      slow.hangUp()
      const after = yield* until(messageOf(id), ({ retryCount }) => retryCount === 1)
      assert.deepStrictEqual(statuses(after), ["deferred", "delivered", "bounced"])
      assert.deepStrictEqual([after.status, after.deliveryAttempts, quick.mails.length], ["delivered", 1, 1])
    })
  )

  it.scoped("is checked by doctor", () =>
    Effect.gen(function* () {
      const { zone } = yield* MxNetwork
      const { environment } = yield* LiveService
      zone["gmail.com"] = [{ type: "MX", priority: 5, exchange: "mx.gmail.test" }]
      zone["mx.gmail.test"] = [{ type: "A", address: "127.0.0.18" }]
      zone["out.switchboard.test"] = [{ type: "A", address: "192.0.2.7" }]
      zone["7.2.0.192.in-addr.arpa"] = [{ type: "PTR", target: "other.example.net" }]
      const bad = yield* outputOf(["doctor"], environment)
      assert.match(bad, /ok +EHLO name out\.switchboard\.test/)
      assert.match(bad, /error +Reverse name of 192\.0\.2\.7\n +It is other\.example\.net\./)
      assert.match(bad, /error +SPF of 192\.0\.2\.7/)
      assert.match(bad, /error +Port \d+ outward\n +mx\.gmail\.test: .*ECONNREFUSED/)
      zone["7.2.0.192.in-addr.arpa"] = [{ type: "PTR", target: "out.switchboard.test" }]
      zone["spf.switchboard.test"] = [{ type: "TXT", chunks: ["v=spf1 ip4:192.0.2.0/29 -all"] }]
      yield* mailServer("127.0.0.18", [])
      const good = yield* outputOf(["doctor"], { ...environment, SPF_INCLUDE: "spf.switchboard.test" })
      assert.match(good, /ok +Reverse name of 192\.0\.2\.7/)
      assert.match(good, /ok +SPF of 192\.0\.2\.7/)
      assert.match(good, /ok +Port \d+ outward/)
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { SmtpRoutes } from "@switchboard/channels/messages/SmtpRoutes"
import { DnsResolverNode } from "@switchboard/channels/network/DnsResolverNode"
import { NetworkSettings } from "@switchboard/channels/network/NetworkPolicy"
import { smtpTimeouts } from "@switchboard/channels/smtp/client/SmtpRelay"
import type { MxOptions } from "@switchboard/channels/smtp/mx/Destination"
import { MailServers } from "@switchboard/channels/smtp/mx/MailServers"
import { MxRoutes, MxSettings } from "@switchboard/channels/smtp/mx/MxRoutes"
import { TlsPolicies } from "@switchboard/channels/smtp/mx/TlsPolicies"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { Destinations } from "@switchboard/services/messages/delivery/Destinations"
import type { ProviderReply } from "@switchboard/services/messages/delivery/Provider"
import { Clock, Context, Duration, Effect, Either, Layer, Queue, TestClock } from "effect"
import { heldLease } from "../../Fixtures.js"
import { type DnsRecord, type DnsZone, dnsServer } from "../../network/DnsServer.js"
import { guardLayer, networks } from "../../network/Guards.js"
import { type Script, scriptedRelay } from "../../ScriptedRelay.js"

const mx = (exchange: string, priority = 10): DnsRecord => ({ type: "MX", priority, exchange })
const at = (address: string): DnsRecord => ({ type: "A", address })

const NoPolicies = Layer.succeed(TlsPolicies, {
  ofDomain: () => Effect.succeed({ mode: "none" as const, allows: () => true }),
  ofServer: () => Effect.succeed({ tls: "opportunistic" as const, tlsa: [] })
})

/** Routes with these DNS records, to mail servers on loopback addresses with a common port. */
const routesWith = Effect.fnUntraced(function* (
  zone: DnsZone,
  { allow = ["127.0.0.0/8"], ...options }: Partial<MxOptions> & { readonly allow?: ReadonlyArray<string> } = {}
) {
  const port = yield* freePort
  const { server } = yield* dnsServer(zone)
  const network = { allow: networks(allow), dnsServers: [server], dnsTimeout: "2 seconds" } as const
  const context = yield* Layer.build(
    MxRoutes.pipe(
      Layer.provide(MailServers.layer(port)),
      Layer.provideMerge(Destinations.Default),
      Layer.provide(
        Layer.mergeAll(
          NoPolicies,
          DnsResolverNode,
          guardLayer(allow, network),
          Layer.succeed(MxSettings, {
            session: { hostname: "sender.test", port, timeouts: smtpTimeouts(Duration.seconds(10)) },
            sourceAddresses: [],
            concurrency: 10,
            ...options
          })
        )
      ),
      Layer.provide(Layer.succeed(NetworkSettings, network))
    )
  )
  const { messages } = Context.get(context, SmtpRoutes)
  const routesTo = (...recipients: ReadonlyArray<string>) => messages("example.com", recipients)
  return {
    port,
    destinations: Context.get(context, Destinations).all,
    routesTo,
    /** A mail server at an address of loopback. */
    server: (host: string, script: Script = {}) => scriptedRelay(script, { host, port }),
    /** Sends a mail to one recipient. */
    send: (recipient: string) =>
      Effect.flatMap(routesTo(recipient), ([routed]) =>
        routed === undefined
          ? Effect.dieMessage("no route")
          : routed.route.send(
              { mailFrom: "shop@example.com", rcptTo: routed.recipients },
              Buffer.from("Subject: Hello\r\n\r\nHello\r\n"),
              heldLease
            )
      )
  }
})

const verdict = ({ replies: [reply] }: ProviderReply) => [reply?.verdict, reply?.reason, reply?.response]

describe("MxRoutes", () => {
  it.scoped("sends to the mail server with the lowest preference, and to the others if it can't be reached", () =>
    Effect.gen(function* () {
      const { send, server } = yield* routesWith({
        "example.org": [mx("b.mx.test", 20), mx("a.mx.test", 10), mx("c.mx.test", 30)],
        "a.mx.test": [at("127.0.0.2")],
        "b.mx.test": [at("127.0.0.3")],
        "c.mx.test": [at("127.0.0.4")]
      })
      const second = yield* server("127.0.0.3")
      const third = yield* server("127.0.0.4", { greeting: "554 5.7.1 No" })
      const first = yield* server("127.0.0.2")
      assert.deepStrictEqual(verdict(yield* send("ada@example.org")), [
        "accepted",
        undefined,
        "250 2.0.0 Ok: queued as 4XyZ"
      ])
      assert.deepStrictEqual([first.mails.length, second.mails.length], [1, 0])
      first.hangUp()
      first.refuse()
      yield* send("ada@example.org")
      assert.deepStrictEqual([first.mails.length, second.mails.length, third.connections()], [1, 1, 0])
      second.hangUp()
      second.refuse()
      const failure = yield* Effect.flip(send("ada@example.org"))
      assert.strictEqual(failure._tag, "ProviderUnavailable")
      assert.strictEqual(third.connections(), 1)
    })
  )

  it.scoped("takes servers of the same preference at random", () =>
    Effect.gen(function* () {
      const { send, server } = yield* routesWith({
        "example.org": [mx("a.mx.test"), mx("b.mx.test")],
        "a.mx.test": [at("127.0.0.2")],
        "b.mx.test": [at("127.0.0.3")]
      })
      const closing: Script = { dot: "250 2.0.0 OK", RCPT: "250 OK" }
      const servers = [yield* server("127.0.0.2", closing), yield* server("127.0.0.3", closing)]
      for (let sent = 0; sent < 200 && servers.some(({ mails }) => mails.length === 0); sent++) {
        yield* send("ada@example.org")
        for (const { hangUp } of servers) hangUp()
        yield* Effect.forEach(servers, ({ closed }) => Queue.takeAll(closed))
      }
      assert.isTrue(servers.every(({ mails }) => mails.length > 0))
    })
  )

  it.scoped("sends to the domain itself if it has no MX record", () =>
    Effect.gen(function* () {
      const { send, server } = yield* routesWith({ "example.org": [at("127.0.0.2")] })
      const { mails } = yield* server("127.0.0.2")
      yield* send("ada@EXAMPLE.org")
      assert.lengthOf(mails, 1)
    })
  )

  const refused: ReadonlyArray<readonly [string, DnsZone, string, RegExp]> = [
    ["a null MX", { "example.org": [mx("", 0)] }, "host_unknown", /^5\.1\.10 .*null MX/],
    ["a domain that does not exist", {}, "host_unknown", /^5\.1\.2 The domain example\.org does not exist$/],
    [
      "a domain with neither MX nor address",
      { "example.org": [{ type: "TXT", chunks: ["x"] }] },
      "host_unknown",
      /^5\.4\.4 .* have no address/
    ],
    [
      "mail servers without address",
      { "example.org": [mx("a.mx.test"), mx("b.mx.test")] },
      "host_unknown",
      /^5\.4\.4 .* have no address/
    ],
    [
      "a loop of CNAMEs",
      { "example.org": [{ type: "CNAME", target: "b.test" }], "b.test": [{ type: "CNAME", target: "example.org" }] },
      "host_unknown",
      /^5\./
    ],
    [
      "a mail server on a private address",
      { "example.org": [mx("a.mx.test")], "a.mx.test": [at("10.0.0.1")] },
      "policy",
      /a\.mx\.test leads to a private address/
    ],
    [
      "a mail server on loopback",
      { "example.org": [mx("localhost")] },
      "policy",
      /localhost leads to a loopback address/
    ]
  ]
  for (const [what, zone, reason, response] of refused) {
    it.scoped(`refuses mail to ${what}`, () =>
      Effect.gen(function* () {
        const { send } = yield* routesWith(zone, { allow: [] })
        const [outcome, why, text] = verdict(yield* send("ada@example.org"))
        assert.deepStrictEqual([outcome, why], ["refused", reason])
        assert.match(text ?? "", response)
      })
    )
  }

  it.scoped("uses the allowed mail servers of a domain that has others", () =>
    Effect.gen(function* () {
      const { send, server } = yield* routesWith({
        "example.org": [mx("private.test", 1), mx("absent.test", 2), mx("broken.test", 3), mx("a.mx.test", 4)],
        "private.test": [at("10.0.0.1")],
        "broken.test": "SERVFAIL",
        "a.mx.test": [at("127.0.0.2")]
      })
      const { mails } = yield* server("127.0.0.2")
      yield* send("ada@example.org")
      assert.lengthOf(mails, 1)
    })
  )

  it.scoped("looks up and tries ten of fifty mail servers at most", () =>
    Effect.gen(function* () {
      const hosts = Array.from({ length: 50 }, (_, index) => `mx${index}.test`)
      const { send } = yield* routesWith({
        "example.org": hosts.map((host, index) => mx(host, index)),
        ...Object.fromEntries(hosts.map((host, index) => [host, [at(`127.0.1.${index}`)]]))
      })
      const failure = yield* Effect.flip(send("ada@example.org"))
      assert.isTrue(failure._tag === "ProviderUnavailable" && failure.response.includes("127.0.1.9"))
    })
  )

  it.scoped("pauses a domain while its mail servers can't be looked up", () =>
    Effect.gen(function* () {
      let isBroken = true
      const { routesTo, send, server } = yield* routesWith({
        "example.org": () => (isBroken ? "SERVFAIL" : [mx("a.mx.test")]),
        "a.mx.test": [at("127.0.0.2")]
      })
      const { mails } = yield* server("127.0.0.2")
      const failure = yield* Effect.flip(send("ada@example.org"))
      assert.isTrue(failure._tag === "ProviderUnavailable" && failure.response.startsWith("4.4.3 "))
      const [paused] = yield* routesTo("ada@example.org")
      yield* paused?.route.breaker.failed ?? Effect.void
      isBroken = false
      const [still] = yield* routesTo("ada@example.org")
      assert.strictEqual((yield* still?.route.breaker.enter ?? Effect.succeed({ _tag: "All" }))._tag, "None")
      assert.lengthOf(mails, 0)
    })
  )

  it.scoped("groups recipients by destination: domains with the same mail servers share it", () =>
    Effect.gen(function* () {
      const { destinations, routesTo } = yield* routesWith({
        "one.test": [mx("b.mx.test", 20), mx("a.mx.test", 10)],
        "two.test": [mx("a.mx.test", 5), mx("b.mx.test", 5)],
        "three.test": [mx("c.mx.test")],
        "a.mx.test": [at("127.0.0.2")],
        "b.mx.test": [at("127.0.0.3")],
        "c.mx.test": [at("127.0.0.4")]
      })
      const routed = yield* routesTo("a@one.test", "b@two.test", "c@three.test", "d@one.test", "e@gone.test")
      assert.deepStrictEqual(
        routed.map(({ recipients, route }) => [route.address, recipients]),
        [
          ["a.mx.test, b.mx.test", ["a@one.test", "b@two.test", "d@one.test"]],
          ["c.mx.test", ["c@three.test"]],
          ["gone.test", ["e@gone.test"]]
        ]
      )
      assert.deepStrictEqual(
        (yield* destinations).map(({ destination, maxConnections, state }) => [destination, maxConnections, state]),
        [
          ["a.mx.test, b.mx.test", 3, "closed"],
          ["c.mx.test", 3, "closed"]
        ]
      )
    })
  )

  it.scoped("opens more connections after successes, and fewer after a 421", () =>
    Effect.gen(function* () {
      let isClosing = false
      const { destinations, send, server } = yield* routesWith(
        { "example.org": [mx("a.mx.test")], "a.mx.test": [at("127.0.0.2")] },
        { concurrency: 4 }
      )
      const relay = yield* server("127.0.0.2", {
        MAIL: () => (isClosing ? "421 4.3.2 Too many connections" : "250 OK")
      })
      const limit = Effect.map(destinations, ([one]) => one?.maxConnections)
      yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7], () => send("ada@example.org"))
      assert.strictEqual(yield* limit, 4)
      isClosing = true
      assert.strictEqual((yield* Effect.flip(send("ada@example.org")))._tag, "ProviderUnavailable")
      assert.strictEqual(yield* limit, 2)
      yield* Effect.flip(send("ada@example.org"))
      yield* Effect.flip(send("ada@example.org"))
      assert.strictEqual(yield* limit, 1)
      const [state] = yield* destinations
      assert.match(state?.lastFailure ?? "", /^421 4\.3\.2/)
      assert.strictEqual(relay.connections() > 0, true)
    })
  )

  it.scoped("reuses a connection for the next mail of a destination", () =>
    Effect.gen(function* () {
      const { send, server } = yield* routesWith({
        "one.test": [mx("a.mx.test")],
        "two.test": [mx("a.mx.test")],
        "a.mx.test": [at("127.0.0.2")]
      })
      const relay = yield* server("127.0.0.2", {
        EHLO: "250 mx.test",
        RCPT: (line) => (line.includes("gone") ? "550 5.1.1 No" : "250 OK")
      })
      yield* send("ada@one.test")
      yield* send("gone@two.test")
      yield* send("bo@two.test")
      assert.deepStrictEqual([relay.connections(), relay.mails.length], [1, 2])
    })
  )

  it.scoped("says whether a deferral concerns all mail to the destination", () =>
    Effect.gen(function* () {
      const replies: Record<string, string> = {
        full: "452 4.2.2 Mailbox full",
        grey: "451 4.7.1 Greylisted, try again later",
        all: "451 4.3.0 Temporary system problem"
      }
      const { send, server } = yield* routesWith({ "example.org": [mx("a.mx.test")], "a.mx.test": [at("127.0.0.2")] })
      let reply = ""
      yield* server("127.0.0.2", { dot: () => reply })
      const about: Record<string, unknown> = {}
      for (const [name, text] of Object.entries(replies)) {
        reply = text
        const failure = yield* Effect.flip(send("ada@example.org"))
        about[name] = failure._tag === "SendDeferred" && failure.isAboutRoute === true
      }
      assert.deepStrictEqual(about, { full: false, grey: false, all: true })
    })
  )

  it.scoped("postpones mails beyond three for each connection, at the pace of the destination", () =>
    Effect.gen(function* () {
      let reply: "250 OK" | "silence" = "250 OK"
      const { send, server } = yield* routesWith(
        { "example.org": [mx("a.mx.test")], "a.mx.test": [at("127.0.0.2")] },
        { concurrency: 2 }
      )
      const relay = yield* server("127.0.0.2", { EHLO: "250 mx.test", MAIL: () => reply })
      yield* send("ada@example.org")
      // The look-up is repeated after five minutes.
      yield* TestClock.adjust("1 hour")
      yield* send("ada@example.org")
      reply = "silence"
      yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => Effect.fork(Effect.either(send("ada@example.org"))))
      yield* Effect.replicateEffect(relay.awaitCommand("MAIL"), 3)
      const failure = yield* Effect.flip(send("ada@example.org"))
      assert.strictEqual(failure._tag, "SendPostponed")
      const wait = failure._tag === "SendPostponed" ? failure.until.epochMillis - (yield* Clock.currentTimeMillis) : 0
      assert.isTrue(wait >= 1_000 && wait < 5_000, String(wait))
    })
  )

  it.scoped("sends in clear text to a server whose TLS fails, if TLS is opportunistic", () =>
    Effect.gen(function* () {
      const { send, server } = yield* routesWith({ "example.org": [mx("a.mx.test")], "a.mx.test": [at("127.0.0.2")] })
      const relay = yield* server("127.0.0.2", {
        EHLO: "250-mx.test\r\n250 STARTTLS",
        STARTTLS: (_, connection) => (connection === 1 ? "220 Go" : "454 No")
      })
      const sent = yield* Effect.either(send("ada@example.org"))
      assert.isTrue(Either.isRight(sent))
      assert.deepStrictEqual([relay.connections(), relay.mails.length], [2, 1])
    })
  )
})

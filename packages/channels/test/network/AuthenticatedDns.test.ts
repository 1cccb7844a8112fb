import { createSocket } from "node:dgram"
import dns from "node:dns"
import { once } from "node:events"
import { syncBuiltinESMExports } from "node:module"
import { assert, describe, it } from "@effect/vitest"
import { authenticatedDns } from "@switchboard/channels/network/AuthenticatedDns"
import { AUTHENTIC_DATA, type DecodedPacket, decode, encode } from "dns-packet"
import { Effect } from "effect"
import { type DnsZone, dnsServer } from "./DnsServer.js"

const tlsa = { type: "TLSA", usage: 3, selector: 0, matching: 0, data: Buffer.alloc(2_000, 7) } as const

const zone: DnsZone = {
  "mail.test": [{ type: "MX", priority: 10, exchange: "mx.mail.test" }],
  "_25._tcp.mx.mail.test": [tlsa],
  "broken.test": "SERVFAIL",
  "silent.test": "silence",
  "late.test": (earlier) => (earlier === 0 ? "SERVFAIL" : [])
}

const signed = { isAuthenticated: (name: string) => name.endsWith("mail.test") }

/** A UDP server that sends these packets in response to a query. */
const respondent = (packets: (query: DecodedPacket, port: number) => ReadonlyArray<Buffer>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const socket = createSocket("udp4").bind(0, "127.0.0.1")
        await once(socket, "listening")
        socket.on("message", (octets, { address, port }) => {
          for (const packet of packets(decode(octets), port)) socket.send(packet, port, address)
        })
        return socket
      }),
      (socket) => Effect.sync(() => socket.close())
    ),
    (socket) => `127.0.0.1:${socket.address().port}`
  )

describe("authenticatedDns", () => {
  it.scopedLive("returns the records, and whether the resolver authenticated them", () =>
    Effect.gen(function* () {
      const { server } = yield* dnsServer(zone, 0, signed)
      const { query } = authenticatedDns({ dnsServers: [server] })
      const { isAuthenticated, records } = yield* query("MX", "Mail.test")
      assert.isTrue(isAuthenticated)
      assert.deepInclude(records[0], { type: "MX", data: { preference: 10, exchange: "mx.mail.test" } })
      assert.deepStrictEqual(yield* query("TLSA", "other.mail.test"), { isAuthenticated: true, records: [] })
      assert.deepStrictEqual(yield* query("MX", "unknown.test"), { isAuthenticated: false, records: [] })
    })
  )

  it.scopedLive("repeats a query over TCP if the answer is truncated", () =>
    Effect.gen(function* () {
      const { server } = yield* dnsServer(zone, 0, { ...signed, maxUdpLength: 1_232 })
      const { isAuthenticated, records } = yield* authenticatedDns({ dnsServers: [server] }).query(
        "TLSA",
        "_25._tcp.mx.mail.test"
      )
      assert.isTrue(isAuthenticated)
      assert.deepInclude(records[0], {
        data: { usage: 3, selector: 0, matchingType: 0, certificate: Buffer.alloc(2_000, 7) }
      })
    })
  )

  it.scopedLive("ignores packets that are no response to its query", () =>
    Effect.gen(function* () {
      const server = yield* respondent((query) => {
        const { id = 0, questions = [] } = query
        const forged = { type: "response", id, flags: AUTHENTIC_DATA, questions } as const
        return [
          Buffer.from("garbage"),
          encode({ ...forged, id: (id + 1) % 65_536 }),
          encode({ ...forged, type: "query" }),
          encode({ ...forged, questions: [] }),
          encode({ ...forged, questions: [{ type: "MX", name: "other.test" }] }),
          encode({ ...forged, questions: [{ type: "A", name: "mail.test" }] }),
          encode({ ...forged, flags: 0 })
        ]
      })
      const { query } = authenticatedDns({ dnsServers: [server] })
      assert.deepStrictEqual(yield* query("MX", "mail.test"), { isAuthenticated: false, records: [] })
    })
  )

  it.scopedLive("sends each query with another id from another port", () =>
    Effect.gen(function* () {
      const [ids, ports] = [new Set<number>(), new Set<number>()]
      const server = yield* respondent((query, port) => {
        ids.add(query.id ?? 0)
        ports.add(port)
        return [encode({ type: "response", id: query.id ?? 0, questions: query.questions ?? [] })]
      })
      const { query } = authenticatedDns({ dnsServers: [server] })
      yield* Effect.forEach(Array.from({ length: 20 }), () => query("MX", "mail.test"))
      assert.isAbove(ids.size, 10)
      assert.isAbove(ports.size, 10)
    })
  )

  it.scopedLive("queries the next server if one fails, and each server twice", () =>
    Effect.gen(function* () {
      const broken = yield* dnsServer({ "mail.test": "SERVFAIL" })
      const working = yield* dnsServer(zone, 0, signed)
      const { query } = authenticatedDns({ dnsServers: [broken.server, working.server] })
      assert.isTrue((yield* query("MX", "mail.test")).isAuthenticated)
      assert.deepStrictEqual(broken.queries, ["mail.test 15"])
      const { server } = working
      assert.lengthOf((yield* authenticatedDns({ dnsServers: [server] }).query("A", "late.test")).records, 0)
    })
  )

  it.scopedLive("fails with the query and the reason", () =>
    Effect.gen(function* () {
      const { server } = yield* dnsServer(zone)
      const { query } = authenticatedDns({ dnsServers: [server], dnsTimeout: "100 millis" })
      const refused = authenticatedDns({ dnsServers: ["127.0.0.1:1"] })
      for (const [failing, reason] of [
        [query("TLSA", "broken.test"), /TLSA broken\.test \(response code 2\)/],
        [query("A", "silent.test"), /A silent\.test \(no response\)/],
        [query("A", `${"a".repeat(64)}.test`), /not a host name/],
        [query("A", "a..test"), /not a host name/],
        [refused.query("A", "mail.test"), /ECONNREFUSED/]
      ] as const) {
        const failure = yield* Effect.flip(failing)
        assert.strictEqual(failure._tag, "DnsFailed")
        assert.match(failure.message, reason)
      }
    })
  )

  it.scopedLive("trusts the resolvers of this machine only on loopback", () =>
    Effect.gen(function* () {
      const { server } = yield* dnsServer(zone, 0, signed)
      const setServers = (servers: ReadonlyArray<string>) => {
        dns.setServers(servers)
        // The service imports `getServers` by name.
        syncBuiltinESMExports()
      }
      const original = dns.getServers()
      yield* Effect.addFinalizer(() => Effect.sync(() => setServers(original)))
      setServers(["192.0.2.53", "[2001:db8::53]:5353"])
      assert.isFalse(authenticatedDns({ dnsServers: [] }).isAvailable)
      setServers(["192.0.2.53", server])
      const { isAvailable, query } = authenticatedDns({ dnsServers: [] })
      assert.isTrue(isAvailable)
      assert.isTrue((yield* query("MX", "mail.test")).isAuthenticated)
      assert.isTrue(authenticatedDns({ dnsServers: ["192.0.2.53:53"] }).isAvailable)
    })
  )
})

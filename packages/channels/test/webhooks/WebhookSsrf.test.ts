import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { DnsZone } from "../network/DnsServer.js"
import { zoneLookup } from "../network/Guards.js"
import { forbiddenHosts, loopbackForms, loopbackNames } from "../network/Urls.js"
import { loopbackOpen, posting } from "./Posting.js"
import { receiver } from "./Receiver.js"

/** Listens on one port of 127.0.0.1 and ::1, and counts connections. */
const canary = Effect.gen(function* () {
  const v4 = yield* receiver((response) => response.end("secrets"))
  const v6 = yield* Effect.option(
    receiver((response) => response.end("secrets"), { address: "::1", port: v4.port }).pipe(Effect.sandbox)
  )
  return { port: v4.port, connections: () => v4.connections() + (v6._tag === "Some" ? v6.value.connections() : 0) }
})

/** A NETWORK_ALLOW without the tested addresses, so that http is not refused for its scheme. */
const unrelatedBlock = ["192.0.2.128/25"]

const zone: DnsZone = {
  "loopback.test": [{ type: "A", address: "127.0.0.1" }],
  "loopback6.test": [{ type: "AAAA", address: "::1" }],
  "mapped.test": [{ type: "AAAA", address: "::ffff:127.0.0.1" }],
  "nat64.test": [{ type: "AAAA", address: "64:ff9b::7f00:1" }],
  "unspecified.test": [{ type: "A", address: "0.0.0.0" }],
  "private.test": [{ type: "A", address: "10.0.0.7" }],
  "metadata.test": [{ type: "A", address: "169.254.169.254" }],
  "mixed.test": [
    { type: "A", address: "8.8.8.8" },
    { type: "A", address: "127.0.0.1" }
  ],
  "families.test": [
    { type: "A", address: "8.8.8.8" },
    { type: "AAAA", address: "::1" }
  ],
  "alias.test": [
    { type: "CNAME", target: "loopback.test" },
    { type: "A", address: "127.0.0.1" }
  ]
}

describe("WebhookHttp without NETWORK_ALLOW", () => {
  const targets = [...forbiddenHosts, ...Object.keys(zone)]

  it("is tested with at least 100 targets", () => assert.isAtLeast(new Set(targets).size, 100))

  it.scopedLive("connects to no internal address over http or https, by address or name", () =>
    Effect.gen(function* () {
      const { connections, port } = yield* canary
      const post = yield* posting([], yield* zoneLookup(zone))
      const postWithUnrelatedBlock = yield* posting(unrelatedBlock, yield* zoneLookup(zone))
      for (const host of targets) {
        for (const answer of [
          yield* post(`https://${host}:${port}/`),
          yield* post(`http://${host}:${port}/`),
          yield* postWithUnrelatedBlock(`http://${host}:${port}/`)
        ]) {
          if (answer._tag === "Responded") return assert.fail(`${host} answered ${answer.body}`)
          assert.match(answer.error, /NETWORK_ALLOW|not a URL/, host)
          if (host in zone) assert.notMatch(answer.error, /127|10\.0|169|::/, host)
        }
      }
      assert.strictEqual(connections(), 0)
    })
  )

  it.scopedLive("connects to the same hosts once NETWORK_ALLOW opens them, which proves the test", () =>
    Effect.gen(function* () {
      const { connections, port } = yield* canary
      const post = yield* posting(loopbackOpen, yield* zoneLookup(zone))
      const hosts = [...loopbackForms, ...loopbackNames, "[::ffff:127.0.0.1]", "loopback.test", "alias.test"]
      for (const host of hosts) {
        assert.include(yield* post(`http://${host}:${port}/`), { _tag: "Responded", body: "secrets" }, host)
      }
      assert.isAbove(connections(), 0)
    })
  )
})

describe("WebhookHttp with a changing DNS record", () => {
  it.scopedLive("resolves a name once per attempt, so that DNS rebinding has no effect", () =>
    Effect.gen(function* () {
      // An allowed address, then a forbidden one, such as a public address and 127.0.0.1.
      const open = yield* receiver((response) => response.end("open"), { address: "127.0.0.2" })
      const inside = yield* receiver((response) => response.end("secrets"), { port: open.port })
      const { hostLookup, queryCount } = yield* zoneLookup({
        "rebinding.test": (earlier) => [{ type: "A", address: earlier === 0 ? "127.0.0.2" : "127.0.0.1" }]
      })
      const post = yield* posting(["127.0.0.2/32"], { hostLookup })
      const url = `http://rebinding.test:${open.port}`
      assert.include(yield* post(url), { _tag: "Responded", body: "open" })
      assert.strictEqual(queryCount("rebinding.test"), 1)
      // The connection is still open, but the name now has a forbidden address.
      const second = yield* post(url)
      assert.match(second._tag === "Unreachable" ? second.error : second.body, /loopback address.*NETWORK_ALLOW/)
      assert.strictEqual(queryCount("rebinding.test"), 2)
      assert.strictEqual(inside.connections(), 0)
      assert.lengthOf(open.received, 1)
    })
  )

  it.scopedLive("uses new connections after the address has changed", () =>
    Effect.gen(function* () {
      const before = yield* receiver((response) => response.end("before"))
      const after = yield* receiver((response) => response.end("after"), { address: "127.0.0.2", port: before.port })
      const { hostLookup } = yield* zoneLookup({
        "moving.test": (earlier) => [{ type: "A", address: earlier < 2 ? "127.0.0.1" : "127.0.0.2" }]
      })
      const post = yield* posting(loopbackOpen, { hostLookup })
      const bodies: Array<string> = []
      for (let attempt = 0; attempt < 4; attempt++) {
        const answer = yield* post(`http://moving.test:${before.port}`)
        bodies.push(answer._tag === "Responded" ? answer.body : answer.error)
      }
      assert.deepStrictEqual(bodies, ["before", "before", "after", "after"])
      assert.lengthOf(after.received, 2)
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { DnsZone } from "../network/DnsServer.js"
import { zoneNames } from "../network/Guards.js"
import { forbiddenHosts, loopbackForms, loopbackNames } from "../network/Urls.js"
import { loopbackOpen, posting } from "./Posting.js"
import { receiver } from "./Receiver.js"

/** Listens wherever loopback leads, on one port, and counts who came. */
const canary = Effect.gen(function* () {
  const v4 = yield* receiver((response) => response.end("secrets"))
  const v6 = yield* Effect.option(
    receiver((response) => response.end("secrets"), { address: "::1", port: v4.port }).pipe(Effect.sandbox)
  )
  return { port: v4.port, knocks: () => v4.connections() + (v6._tag === "Some" ? v6.value.connections() : 0) }
})

/** Opens something that none of these addresses is in, so that http is not refused for being http. */
const elsewhere = ["192.0.2.128/25"]

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

describe("Without NETWORK_ALLOW, a webhook reaches nobody's inside", () => {
  const targets = [...forbiddenHosts, ...Object.keys(zone)]

  it("by any of a hundred ways and more", () => assert.isAtLeast(new Set(targets).size, 100))

  it.scopedLive("over http or https, by address or name, and nobody knocks there", () =>
    Effect.gen(function* () {
      const { knocks, port } = yield* canary
      const post = yield* posting([], yield* zoneNames(zone))
      const postElsewhere = yield* posting(elsewhere, yield* zoneNames(zone))
      for (const host of targets) {
        for (const answer of [
          yield* post(`https://${host}:${port}/`),
          yield* post(`http://${host}:${port}/`),
          yield* postElsewhere(`http://${host}:${port}/`)
        ]) {
          if (answer._tag === "Answered") return assert.fail(`${host} answered ${answer.body}`)
          assert.match(answer.error, /NETWORK_ALLOW|not a URL/, host)
        }
      }
      assert.strictEqual(knocks(), 0)
    })
  )

  it.scopedLive("while the same ways lead there once it is opened, so that this test would notice", () =>
    Effect.gen(function* () {
      const { knocks, port } = yield* canary
      const post = yield* posting(loopbackOpen, yield* zoneNames(zone))
      const ways = [...loopbackForms, ...loopbackNames, "[::ffff:127.0.0.1]", "loopback.test", "alias.test"]
      for (const host of ways) {
        assert.include(yield* post(`http://${host}:${port}/`), { _tag: "Answered", body: "secrets" }, host)
      }
      assert.isAbove(knocks(), 0)
    })
  )
})

describe("A name that moves", () => {
  it.scopedLive("between the check and the connection leads nowhere else: it is asked for once an attempt", () =>
    Effect.gen(function* () {
      // First what is open, then what is not: as a public address and 127.0.0.1 would be.
      const open = yield* receiver((response) => response.end("open"), { address: "127.0.0.2" })
      const inside = yield* receiver((response) => response.end("secrets"), { port: open.port })
      const { names, timesAsked } = yield* zoneNames({
        "rebinding.test": (earlier) => [{ type: "A", address: earlier === 0 ? "127.0.0.2" : "127.0.0.1" }]
      })
      const post = yield* posting(["127.0.0.2/32"], { names })
      const url = `http://rebinding.test:${open.port}`
      assert.include(yield* post(url), { _tag: "Answered", body: "open" })
      assert.strictEqual(timesAsked("rebinding.test"), 1)
      // Its connection is still open, but the name is no longer allowed.
      const second = yield* post(url)
      assert.match(second._tag === "Unreachable" ? second.error : second.body, /loopback address.*NETWORK_ALLOW/)
      assert.strictEqual(timesAsked("rebinding.test"), 2)
      assert.strictEqual(inside.connections(), 0)
      assert.lengthOf(open.received, 1)
    })
  )

  it.scopedLive("to another address that may be called leaves its connections behind", () =>
    Effect.gen(function* () {
      const before = yield* receiver((response) => response.end("before"))
      const after = yield* receiver((response) => response.end("after"), { address: "127.0.0.2", port: before.port })
      const { names } = yield* zoneNames({
        "moving.test": (earlier) => [{ type: "A", address: earlier < 2 ? "127.0.0.1" : "127.0.0.2" }]
      })
      const post = yield* posting(loopbackOpen, { names })
      const bodies: Array<string> = []
      for (let attempt = 0; attempt < 4; attempt++) {
        const answer = yield* post(`http://moving.test:${before.port}`)
        bodies.push(answer._tag === "Answered" ? answer.body : answer.error)
      }
      assert.deepStrictEqual(bodies, ["before", "before", "after", "after"])
      assert.lengthOf(after.received, 2)
    })
  )
})

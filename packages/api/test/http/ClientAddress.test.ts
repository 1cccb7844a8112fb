import { clientAddress, isWithin } from "@switchboard/api/http/HttpContext"
import { Option } from "effect"
import { assert, it } from "vitest"

const isTrusted = isWithin(["127.0.0.0/8", "2001:db8:1::/48"])
const addressOf = (headers: Readonly<Record<string, string>>, remote = "127.0.0.1") =>
  clientAddress({ headers, remoteAddress: Option.some(remote) }, isTrusted)

it("is the last hop that is no trusted proxy, with or without a port", () => {
  for (const [value, expected] of [
    ["203.0.113.9", "203.0.113.9"],
    ["203.0.113.9:4711", "203.0.113.9"],
    ["2001:db8::7", "2001:db8::7"],
    ["[2001:db8::7]", "2001:db8::7"],
    ["[2001:db8::7]:4711, [2001:db8:1::1]:80", "2001:db8::7"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["198.51.100.1, unknown, 203.0.113.9:1", "203.0.113.9"],
    ["nonsense", "127.0.0.1"]
  ] as const) {
    assert.strictEqual(addressOf({ "x-forwarded-for": value }), expected, value)
  }
  for (const [value, expected] of [
    ["for=203.0.113.9;proto=https;by=127.0.0.1", "203.0.113.9"],
    ['proto=https; For="[2001:db8::7]:4711", for=127.0.0.1', "2001:db8::7"],
    ['for="203.0.113.9:4711"', "203.0.113.9"],
    ["for=_hidden", "127.0.0.1"],
    ["by=203.0.113.9", "127.0.0.1"]
  ] as const) {
    assert.strictEqual(addressOf({ forwarded: value }), expected, value)
  }
})

it("is that of the connection if it is no proxy, and X-Forwarded-For comes before Forwarded", () => {
  assert.strictEqual(addressOf({ "x-forwarded-for": "203.0.113.9" }, "198.51.100.7"), "198.51.100.7")
  assert.strictEqual(addressOf({ "x-forwarded-for": "203.0.113.9", forwarded: "for=192.0.2.1" }), "203.0.113.9")
})

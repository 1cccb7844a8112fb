import { assert, it } from "@effect/vitest"
import {
  EnableReceiving,
  receivingAddress,
  receivingAddresses
} from "@switchboard/domain/email/receiving/ReceivingAddress"
import { Either, Schema } from "effect"

it("Receiving addresses are accepted with or without the domain, and become lower case", () => {
  const given = ["Support", "support@Example.com", "sales+eu", "o'brien@example.com"]
  assert.deepStrictEqual(receivingAddresses(given, "example.com"), [
    "support@example.com",
    "sales+eu@example.com",
    "o'brien@example.com"
  ])
})

it("A receiving address that is invalid or of another domain is rejected with the reason", () => {
  for (const [given, expected] of [
    ["support@example.org", /^must be an address at example\.com/],
    ["support@sub.example.com", /^must be an address at example\.com/],
    ["", /^must be an email address/],
    ["two words", /^must be an email address/],
    ["a@b@example.com", /^must be an email address/],
    ["x".repeat(65), /64 characters/],
    ["*", /catch-all/],
    ["*@example.com", /catch-all/],
    ["jürgen", /ASCII/]
  ] as const) {
    const result = receivingAddress(given, "example.com")
    assert.match(Either.isLeft(result) ? result.left : "", expected, given)
  }
})

it("Each invalid receiving address is reported by its index", () => {
  const result = Schema.decodeUnknownEither(EnableReceiving, { errors: "all" })({
    domain: "example.com",
    addresses: ["ok", "not ok", "a@example.org"]
  })
  const text = Either.isLeft(result) ? result.left.message : ""
  assert.include(text, '["addresses"][1]')
  assert.include(text, '["addresses"][2]')
  assert.notInclude(text, '["addresses"][0]')
})

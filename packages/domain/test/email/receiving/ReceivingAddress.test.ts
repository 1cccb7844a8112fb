import { assert, it } from "@effect/vitest"
import { EnableReceiving } from "@switchboard/domain/email/receiving/EnableReceiving"
import { receivingAddress, receivingAddresses } from "@switchboard/domain/email/receiving/ReceivingAddress"
import { Either, Schema } from "effect"

it("An address of a domain is given as a whole or by its local part, and kept in lower case", () => {
  const given = ["Support", "support@Example.com", "sales+eu", "o'brien@example.com"]
  assert.deepStrictEqual(receivingAddresses(given, "example.com"), [
    "support@example.com",
    "sales+eu@example.com",
    "o'brien@example.com"
  ])
})

it("What is no address, or another domain's, is told so", () => {
  for (const [given, said] of [
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
    const judged = receivingAddress(given, "example.com")
    assert.match(Either.isLeft(judged) ? judged.left : "", said, given)
  }
})

it("Every address that is none is named by its place", () => {
  const judged = Schema.decodeUnknownEither(EnableReceiving, { errors: "all" })({
    domain: "example.com",
    addresses: ["ok", "not ok", "a@example.org"]
  })
  const text = Either.isLeft(judged) ? judged.left.message : ""
  assert.include(text, '["addresses"][1]')
  assert.include(text, '["addresses"][2]')
  assert.notInclude(text, '["addresses"][0]')
})

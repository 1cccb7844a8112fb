import { DomainName } from "@switchboard/domain/email/domains/EmailDomain"
import { Either, Schema } from "effect"
import { assert, describe, it } from "vitest"

const decode = Schema.decodeUnknownEither(DomainName)
const label = (length: number) => "a".repeat(length)
const long = (length: number) => `${`${label(49)}.`.repeat(5)}${label(length - 253)}.co`

describe("A domain name", () => {
  for (const name of [
    "a.co",
    "example.com",
    "mail.example.co.uk",
    "1.example.com",
    "a-b.example",
    "xn--bcher-kva.example",
    "xn--e1afmkfd.xn--p1ai",
    `${label(63)}.com`,
    long(255)
  ]) {
    it(`accepts ${name.length > 60 ? `${name.length} characters` : name}`, () => {
      assert.strictEqual(Either.getOrThrow(decode(name)), name)
    })
  }

  for (const name of [
    "",
    "ab",
    "com",
    "example.c",
    "example.c0",
    "example.123",
    "192.0.2.1",
    "Example.com",
    "bücher.example",
    "exa_mple.com",
    "example.com.",
    ".example.com",
    "example..com",
    "-example.com",
    "example-.com",
    "example.com\n",
    " example.com",
    "ada@example.com",
    "https://example.com",
    "example.xn--",
    `${label(64)}.com`,
    long(256)
  ]) {
    it(`rejects ${name.length > 60 ? `${name.length} characters` : JSON.stringify(name)}`, () => {
      assert.isTrue(Either.isLeft(decode(name)))
    })
  }

  it("requires 3 characters and a top-level domain of at least 2 letters", () => {
    assert.include(String(Either.getOrThrow(Either.flip(decode("ab")))), "must have 3 to 255 characters")
    assert.include(String(Either.getOrThrow(Either.flip(decode("a.b")))), "at least 2 letters")
  })
})

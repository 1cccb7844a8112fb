import { CreateBlock } from "@switchboard/domain/email/blocks/BlockRequests"
import { blockKeys } from "@switchboard/domain/email/blocks/Suppression"
import { ParseResult } from "effect"
import { assert, describe, it } from "vitest"

const decode = ParseResult.decodeUnknownEither(CreateBlock, { errors: "all", onExcessProperty: "error" })
const takes = (value: unknown) => decode(value)._tag === "Right"

describe("A new block", () => {
  it("names an address or a domain, and not both", () => {
    assert.isTrue(takes({ email: "ada@example.com" }))
    assert.isTrue(takes({ domain: "example.com" }))
    for (const value of [{}, { email: "ada@example.com", domain: "example.com" }]) assert.isFalse(takes(value))
  })

  it("takes domains as addresses name them", () => {
    const of = (domain: string) => {
      const decoded = decode({ domain })
      return decoded._tag === "Right" ? decoded.right.domain : null
    }
    assert.strictEqual(of("EXAMPLE.com"), "example.com")
    assert.strictEqual(of("bücher.example"), "xn--bcher-kva.example")
    for (const domain of [
      "",
      "localhost",
      "ada@example.com",
      "@example.com",
      "*.example.com",
      "example.com.",
      "exa mple.com",
      "1.2.3.4"
    ]) {
      assert.isNull(of(domain), domain)
    }
  })

  it("is looked for by the address in lower case and by its domain", () => {
    assert.deepStrictEqual(blockKeys("Ada@Sub.example.com"), {
      address: "ada@sub.example.com",
      domain: "sub.example.com"
    })
  })
})

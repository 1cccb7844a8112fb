import { CreateBlock } from "@switchboard/domain/email/blocks/Block"
import { blockKeys } from "@switchboard/domain/email/blocks/Suppression"
import { ParseResult } from "effect"
import { assert, describe, it } from "vitest"

const decode = ParseResult.decodeUnknownEither(CreateBlock, { errors: "all", onExcessProperty: "error" })

describe("A new block", () => {
  it("normalizes a domain as in addresses", () => {
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

  it("matches by the lower-case address and its domain", () => {
    assert.deepStrictEqual(blockKeys("Ada@Sub.example.com"), {
      address: "ada@sub.example.com",
      domain: "sub.example.com"
    })
  })
})

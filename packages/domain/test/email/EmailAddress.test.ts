import {
  addressDomain,
  addressKey,
  domainToAscii,
  EmailAddress,
  MailboxText,
  RecipientParameter
} from "@switchboard/domain/email/EmailAddress"
import { Either, Option, Schema } from "effect"
import { assert, describe, it } from "vitest"

const decode = Schema.decodeUnknownEither(EmailAddress)
const decodeMailbox = Schema.decodeUnknownEither(MailboxText)
const address = Schema.decodeUnknownSync(EmailAddress)

/** A domain of exactly this length, with labels of at most 63 characters. */
const domainOf = (length: number): string => {
  const labels: Array<string> = []
  let left = length - ".example".length
  while (left > 0) {
    const size = Math.min(63, left === 64 ? 62 : left)
    labels.push("d".repeat(size))
    left -= size + 1
  }
  return `${labels.join(".")}.example`
}

const valid: ReadonlyArray<readonly [what: string, given: string, expected: string]> = [
  ["a plain address", "ada@example.com", "ada@example.com"],
  ["an upper-case domain, which becomes lower case", "Ada.L@Example.COM", "Ada.L@example.com"],
  ["every character of an atom", "!#$%&'*+/=?^_`{|}~-@example.com", "!#$%&'*+/=?^_`{|}~-@example.com"],
  ["a tag", "ada+news@example.com", "ada+news@example.com"],
  ["one character on the left", "a@b.co", "a@b.co"],
  ["a local part of 64", `${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`],
  ["a label of 63", `a@${"b".repeat(63)}.com`, `a@${"b".repeat(63)}.com`],
  ["an address of 254", `ab@${domainOf(251)}`, `ab@${domainOf(251)}`],
  ["a label of digits", "ada@123.example", "ada@123.example"],
  ["hyphens within labels", "ada@my-own.ex--ample.com", "ada@my-own.ex--ample.com"],
  ["an internationalized domain, as A-labels", "ada@bücher.example", "ada@xn--bcher-kva.example"],
  ["capitals in an internationalized domain", "ada@BÜCHER.example", "ada@xn--bcher-kva.example"],
  ["an internationalized top level", "ada@пример.рф", "ada@xn--e1afmkfd.xn--p1ai"],
  ["A-labels as they are", "ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"]
]

const invalid: ReadonlyArray<readonly [what: string, given: unknown]> = [
  ["nothing", ""],
  ["a number", 5],
  ["no at sign", "ada.example.com"],
  ["only an at sign", "@"],
  ["nothing before the at sign", "@example.com"],
  ["nothing after the at sign", "ada@"],
  ["two at signs", "ada@home@example.com"],
  ["a local part of 65", `${"a".repeat(65)}@example.com`],
  ["a label of 64", `a@${"b".repeat(64)}.com`],
  ["an address of 255", `abc@${domainOf(251)}`],
  ["A-labels that exceed 254 characters", `${"a".repeat(60)}@${"ü.".repeat(60)}example`],
  ["a megabyte of text", `${"a.".repeat(500_000)}@example.com`],
  ["a leading dot", ".ada@example.com"],
  ["a trailing dot in the local part", "ada.@example.com"],
  ["two consecutive dots", "ada..l@example.com"],
  ["a quoted local part", '"ada l"@example.com'],
  ["a comment in the local part", "ada(work)@example.com"],
  ["a comment after the address", "ada@example.com (Ada)"],
  ["a group", "team:ada@example.com;"],
  ["a list", "ada@example.com,bob@example.com"],
  ["a name", "Ada <ada@example.com>"],
  ["angle brackets", "<ada@example.com>"],
  ["an IPv4 literal", "ada@[192.0.2.1]"],
  ["an IPv6 literal", "ada@[IPv6:2001:db8::1]"],
  ["a bare IPv4 address", "ada@192.0.2.1"],
  ["an IPv4 address in hexadecimal notation", "ada@0x7f.1"],
  ["a decimal IPv4 address", "ada@2130706433"],
  ["full-width digits that fold to an IPv4 address", "ada@１９２.０.２.１"],
  ["a domain without a dot", "ada@localhost"],
  ["a domain of one non-ASCII label", "ada@bücher"],
  ["a trailing dot in the domain", "ada@example.com."],
  ["a leading dot in the domain", "ada@.example.com"],
  ["an empty label", "ada@example..com"],
  ["a hyphen at the start of a label", "ada@-example.com"],
  ["a hyphen at the end of a label", "ada@example-.com"],
  ["an underscore in the domain", "ada@ex_ample.com"],
  ["a port", "ada@example.com:25"],
  ["a path", "ada@example.com/x"],
  ["a percent sign in the domain", "ada@ex%61mple.com"],
  ["a full-width slash that IDNA maps to a slash", "ada@example.com／x.org"],
  ["a space before", " ada@example.com"],
  ["a space after", "ada@example.com "],
  ["a space within", "ada l@example.com"],
  ["a line break after", "ada@example.com\n"],
  ["CRLF and an SMTP command", "ada@example.com\r\nRCPT TO:<eve@example.com>"],
  ["CRLF in the local part", "ada\r\n@example.com"],
  ["a carriage return within the domain", "ada@exa\rmple.com"],
  ["a tab within a non-ASCII domain", "ada@bü\tcher.example"],
  ["NUL", "ada\0@example.com"],
  ["a non-ASCII local part", "adá@example.com"],
  ["a non-ASCII local part and domain", "用户@例子.广告"],
  ["an invisible character in the local part", "ada\u200b@example.com"],
  ["a lone surrogate in the domain", "ada@b\ud800.example"]
]

describe("An email address", () => {
  it.each(valid)("accepts %s", (_, given, expected) => {
    assert.deepStrictEqual(Either.getOrThrow(decode(given)), address(expected))
    assert.strictEqual(Either.getOrThrow(decode(given)), expected)
  })

  it.each(invalid)("rejects %s", (_, given) => {
    assert.isTrue(Either.isLeft(decode(given)))
  })

  it("is accepted after any number of others", () => {
    for (let count = 0; count < 20_000; count++) assert.isTrue(Either.isRight(decode("ada@bücher.example")))
  })

  it("is unchanged when it is decoded again", () => {
    for (const [, , expected] of valid) assert.strictEqual(address(address(expected)), expected)
  })

  it("is compared ignoring case and the form of its domain", () => {
    assert.strictEqual(addressKey(address("ADA@bücher.example")), addressKey(address("ada@XN--BCHER-KVA.example")))
    assert.notStrictEqual(addressKey(address("ada@example.com")), addressKey(address("ada+x@example.com")))
  })

  it("has the domain after the at sign", () => {
    assert.strictEqual(addressDomain(address("ada@Bücher.example")), "xn--bcher-kva.example")
  })
})

describe("A domain", () => {
  it("is rejected beyond 253 characters", () => {
    assert.isTrue(Option.isNone(domainToAscii("ü".repeat(254))))
    assert.isTrue(Option.isSome(domainToAscii(domainOf(253))))
    assert.isTrue(Option.isNone(domainToAscii(domainOf(254))))
  })
})

describe("A mailbox of a sender", () => {
  it.each([
    ["an address", "ada@example.com", { address: "ada@example.com" }],
    ["a name and an address", "Ada Lovelace <ada@example.com>", { name: "Ada Lovelace", address: "ada@example.com" }],
    ["quoted pairs", '"Ada \\"A\\" \\\\ L" <ada@example.com>', { name: 'Ada "A" \\ L', address: "ada@example.com" }],
    ["a quoted name", '"Lovelace, Ada" <ada@example.com>', { name: "Lovelace, Ada", address: "ada@example.com" }],
    ["a name beyond ASCII", "Ада <ada@bücher.example>", { name: "Ада", address: "ada@xn--bcher-kva.example" }],
    ["angle brackets without a name", "<ada@example.com>", { address: "ada@example.com" }],
    ["surrounding spaces", "  Ada  <ada@example.com>  ", { name: "Ada", address: "ada@example.com" }]
  ])("accepts %s", (_, given, expected) => {
    assert.deepEqual(Either.getOrThrow(decodeMailbox(given)) as object, expected)
  })

  it.each([
    ["a line break in the name", "Ada\r\nBcc: eve@example.com <ada@example.com>"],
    ["two addresses", "Ada <ada@example.com> <eve@example.com>"],
    ["a name without an address", "Ada"],
    ["an empty address", "Ada <>"],
    ["a line break in the address", "Ada <ada@example.com\r\n>"],
    ["a name of more than 200 characters", `${"a".repeat(201)}<ada@example.com>`],
    ["text after the address", "Ada <ada@example.com> x"]
  ])("rejects %s", (_, given) => {
    assert.isTrue(Either.isLeft(decodeMailbox(given)))
  })
})

describe("A recipient in a parameter", () => {
  it("has the form of an address in a send, or is a phone number", () => {
    const filter = Schema.decodeUnknownEither(RecipientParameter)
    for (const [given, expected] of [
      [" Ida@Bücher.example ", "Ida@xn--bcher-kva.example"],
      ["ada@EXAMPLE.com", "ada@example.com"],
      [" +4930123456", "+4930123456"],
      // The plus sign of a query is a space.
      [" 49 (30) 123-456 ", "+4930123456"]
    ] as const) {
      assert.deepStrictEqual(filter(given), Either.right(expected))
    }
    for (const given of [
      "ada@",
      "@example.com",
      "a b@example.com",
      "ada@example",
      "",
      "ada",
      "12",
      "+49 30 12a",
      "1".repeat(16)
    ]) {
      assert.isTrue(Either.isLeft(filter(given)), given)
    }
  })
})

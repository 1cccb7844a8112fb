import { UpdateOrganization } from "@switchboard/domain/organizations/Organization"
import { Either, ParseResult, Schema } from "effect"
import { assert, describe, it } from "vitest"

const decode = Schema.decodeUnknownEither(UpdateOrganization, { errors: "all", onExcessProperty: "error" })

/** The paths of invalid fields. */
const invalidFields = (body: unknown) =>
  Either.match(decode(body), {
    onLeft: (error) => [
      ...new Set(ParseResult.ArrayFormatter.formatErrorSync(error).map(({ path }) => path.map(String).join(".")))
    ],
    onRight: () => []
  })

describe("An update of an organization", () => {
  it("accepts any of its fields, all, or none", () => {
    const all = {
      name: "Analytical Engines",
      slug: "analytical-engines",
      logo: "https://example.com/logo.png",
      defaultCurrency: "EUR",
      countryCode: "DE",
      timezone: "Europe/Berlin",
      billingEmail: "Ada@Example.com",
      metadata: { tier: { since: 1815, tags: ["a"] } }
    }
    const change: object = Either.getOrThrow(decode(all))
    assert.deepStrictEqual(change, { ...all, billingEmail: "Ada@example.com" })
    assert.deepStrictEqual(invalidFields({}), [])
  })

  it("removes optional fields with null and rejects null for required ones", () => {
    const nulls = (names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, null]))
    assert.deepStrictEqual(invalidFields(nulls(["logo", "countryCode", "billingEmail", "metadata"])), [])
    const needed = ["name", "slug", "defaultCurrency", "timezone"]
    assert.sameMembers(invalidFields(nulls(needed)), needed)
  })

  it("rejects fields that only the service or operators set", () => {
    for (const name of ["id", "plan", "isActive", "messagesUsed", "paymentCustomerId", "createdAt"]) {
      assert.deepStrictEqual(invalidFields({ [name]: "x" }), [name])
    }
  })

  it.each([
    ["name", ["", "   ", "a\nb", "x".repeat(201), 5]],
    ["slug", ["", "A", "a_b", "-a", "a-", "x".repeat(64), "ä"]],
    ["logo", ["", "logo.png", "javascript:alert(1)", "data:image/png;base64,", `https://a.test/${"x".repeat(2048)}`]],
    ["defaultCurrency", ["", "eur", "EURO", "€", "ZZZ"]],
    ["countryCode", ["", "de", "DEU", "ZZ", "UK", "EU"]],
    ["timezone", ["", "IST", "+01:00", "Mars/Base", "Europe", "SystemV/AST4", "UTC; DROP TABLE"]],
    ["billingEmail", ["", "ada", "ada@localhost", "Ada <ada@example.com>"]],
    ["metadata", [[], "x", { x: "y".repeat(8_192) }, { x: "ä".repeat(4_093) }]]
  ])("rejects an invalid %s", (name, values) => {
    for (const value of values)
      assert.deepStrictEqual(invalidFields({ [name]: value }), [name], JSON.stringify(value).slice(0, 50))
  })

  it("accepts all time zone names of the database", () => {
    for (const timezone of ["UTC", "Etc/GMT+5", "America/Argentina/Buenos_Aires", "US/Pacific", "Asia/Calcutta"]) {
      assert.deepStrictEqual(invalidFields({ timezone }), [])
    }
  })
})

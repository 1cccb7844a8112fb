import { type MtaStsFile, matchesMx, mtaStsId, parseMtaStsFile } from "@switchboard/channels/smtp/mx/MtaSts"
import { Duration, Either, Option } from "effect"
import { assert, describe, it } from "vitest"

const file = (...lines: ReadonlyArray<string>) => lines.join("\r\n")
const enforced = ["version: STSv1", "mode: enforce", "mx: mx1.example.com", "mx: *.example.net", "max_age: 86400"]

const problem = (text: string) => Option.getOrNull(Either.getLeft(parseMtaStsFile(text)))

describe("mtaStsId", () => {
  it("returns the id of the only record", () => {
    for (const text of [
      "v=STSv1; id=20160831085700Z;",
      "v=STSv1;id=20160831085700Z",
      "v=STSv1 ; \tid=20160831085700Z ; other=1; id=2"
    ]) {
      assert.deepStrictEqual(mtaStsId(["v=spf1 -all", text]), Option.some("20160831085700Z"), text)
    }
  })

  it("ignores a domain with several records, or without a valid one", () => {
    for (const texts of [
      [],
      ["v=STSv1; id=1", "v=STSv1; id=2"],
      ["v=STSv1; id=1", "v=STSv1"],
      ["v=STSv2; id=1"],
      ["v=STSv12; id=1"],
      ["v=stsv1; id=1"],
      ["id=1; v=STSv1"],
      ["v=STSv1"],
      ["v=STSv1; id="],
      ["v=STSv1; id=a-b"],
      [`v=STSv1; id=${"1".repeat(33)}`]
    ]) {
      assert.isTrue(Option.isNone(mtaStsId(texts)), texts.join(" | "))
    }
  })
})

describe("parseMtaStsFile", () => {
  it("reads lines with CRLF or LF, and ignores unknown fields and repeated ones", () => {
    const expected: MtaStsFile = { mode: "enforce", mx: ["mx1.example.com", "*.example.net"], maxAge: Duration.days(1) }
    for (const text of [
      file(...enforced),
      `${enforced.join("\n")}\n`,
      file(...enforced, "mode: none", "max_age: 1", "future_field: x:y", "", "not a field"),
      file(...enforced)
        .replaceAll(": ", " :\t")
        .replace("mx1.example.com", "MX1.Example.com. ")
    ]) {
      assert.deepStrictEqual(parseMtaStsFile(text), Either.right(expected), text)
    }
  })

  it("reads policies without mail servers in the modes testing and none", () => {
    for (const mode of ["testing", "none"] as const) {
      assert.deepStrictEqual(
        parseMtaStsFile(file("version: STSv1", `mode: ${mode}`, "max_age: 0")),
        Either.right({ mode, mx: [], maxAge: Duration.zero })
      )
    }
  })

  it("limits max_age to a year", () => {
    const text = file(...enforced).replace("86400", "9999999999")
    assert.deepInclude(Either.getOrThrow(parseMtaStsFile(text)), { maxAge: Duration.seconds(31_557_600) })
  })

  it("refuses a policy that lacks a field, or has an invalid one", () => {
    for (const [from, to, expected] of [
      ["version: STSv1", "version: STSv2", /version/],
      ["version: STSv1\r\n", "", /version/],
      ["mode: enforce", "mode: Enforce", /mode/],
      ["max_age: 86400", "max_age: 1 day", /max_age/],
      ["max_age: 86400", "max_age: -1", /max_age/],
      ["max_age: 86400", "max_age: 12345678901", /max_age/]
    ] as const) {
      assert.match(problem(file(...enforced).replace(from, to)) ?? "", expected, to)
    }
    for (const invalid of ["mx: *", "mx: -a.example", "mx: a..b", "mx: ", `mx: ${"a".repeat(64)}.example`]) {
      const text = file("version: STSv1", "mode: enforce", invalid, "max_age: 60")
      assert.match(problem(text) ?? "", /no valid mx/, invalid)
    }
    const many = Array.from({ length: 101 }, (_, index) => `mx: mx${index}.example.com`)
    assert.match(problem(file(...enforced, ...many)) ?? "", /more than 100/)
    assert.match(problem("<!doctype html><title>Not found</title>") ?? "", /version/)
  })
})

describe("matchesMx", () => {
  const mx = ["mx1.example.com", "*.example.net"]

  it("matches names without case, and one label for an asterisk", () => {
    for (const host of ["mx1.example.com", "MX1.example.com.", "a.example.net"])
      assert.isTrue(matchesMx(mx, host), host)
  })

  it("matches no other name", () => {
    for (const host of ["mx2.example.com", "a.mx1.example.com", "example.net", ".example.net", "a.b.example.net", ""]) {
      assert.isFalse(matchesMx(mx, host), host)
    }
  })
})

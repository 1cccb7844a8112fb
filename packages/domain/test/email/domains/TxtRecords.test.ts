import { isDkimKey, isDmarc, isSameText, isSpf, spfPasses } from "@switchboard/domain/email/domains/ExamineDomain"
import { FastCheck } from "effect"
import { assert, describe, it } from "vitest"

const key = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA+z1/x=="

const space = FastCheck.constantFrom("", " ", "  ", "\t")

/** A TXT value in an equivalent form: in several strings, quoted, with white space. */
const textVariant = (text: string) =>
  FastCheck.tuple(FastCheck.integer({ min: 0, max: text.length }), space, space, FastCheck.boolean()).map(
    ([cut, before, after, quoted]) =>
      quoted ? `${before}"${text.slice(0, cut)}"${after}"${text.slice(cut)}"` : `${before}${text}${after}`
  )

describe("A DKIM record", () => {
  it("matches in any order of tags, with white space, several strings and quotes", () =>
    FastCheck.assert(
      FastCheck.property(
        FastCheck.shuffledSubarray([`p=${key}`, "v=DKIM1", "k=rsa", "t=y", "n=a note", "h=sha1:sha256", "s=email"], {
          minLength: 1
        }),
        FastCheck.tuple(space, space, space, FastCheck.constantFrom("", ";", "; ")),
        FastCheck.integer({ min: 0, max: key.length }),
        FastCheck.infiniteStream(FastCheck.nat(1000)),
        (tags, [before, around, within, end], cut, choice) => {
          const written = tags
            .map((tag) =>
              tag.replace("=", `${around}=${within}`).replace(key, `${key.slice(0, cut)}${within}${key.slice(cut)}`)
            )
            .join(`${before};${around}`)
          const [text = ""] = FastCheck.sample(textVariant(`${written}${end}`), {
            numRuns: 1,
            seed: choice.next().value
          })
          assert.strictEqual(isDkimKey(text, key), tags.includes(`p=${key}`), text)
        }
      )
    ))

  for (const [name, text] of [
    ["another key", `v=DKIM1; k=rsa; p=${key}A`],
    ["a key that differs by case", `v=DKIM1; k=rsa; p=${key.toLowerCase()}`],
    ["a revoked key", "v=DKIM1; k=rsa; p="],
    ["no key", "v=DKIM1; k=rsa"],
    ["another version", `v=DKIM2; p=${key}`],
    ["another key type", `v=DKIM1; k=ed25519; p=${key}`],
    ["only another hash", `v=DKIM1; h=sha1; p=${key}`],
    ["only another service", `v=DKIM1; s=tlsrpt; p=${key}`],
    ["a duplicate tag", `v=DKIM1; p=x; p=${key}`],
    ["only the key", key],
    ["an empty value", ""]
  ] as const) {
    it(`does not match with ${name}`, () => assert.isFalse(isDkimKey(text, key)))
  }

  it("matches with escaped semicolons of a zone file", () =>
    assert.isTrue(isDkimKey(`v=DKIM1\\; k=rsa\\; p=${key}`, key)))
})

describe("A TXT value", () => {
  it("is compared without strings, quotes and white space", () =>
    FastCheck.assert(
      FastCheck.property(textVariant("switchboard-verification=5f0c2b9e71d84a3692bd"), (text) => {
        assert.isTrue(isSameText(text, "switchboard-verification=5f0c2b9e71d84a3692bd"))
      })
    ))

  it("differs by a missing or additional character", () => {
    for (const text of ["switchboard-verification=5f", "switchboard-verification=5f01", "5f0", ""]) {
      assert.isFalse(isSameText(text, "switchboard-verification=5f0"))
    }
  })
})

describe("An SPF record", () => {
  for (const [text, passes] of [
    ["v=spf1 include:spf.example.net ~all", true],
    ["V=SPF1  a mx +include:SPF.example.net -all", true],
    ["v=spf1 include:spf.example.net", true],
    ['"v=spf1 include:spf.example" ".net ~all"', true],
    ["v=spf1 -all include:spf.example.net", false],
    ["v=spf1 -include:spf.example.net ~all", false],
    ["v=spf1 ?include:spf.example.net ~all", false],
    ["v=spf1 include:spf.example.net.evil ~all", false],
    ["v=spf1 ~all", false],
    ["v=spf2 include:spf.example.net ~all", false],
    ["v=spf10 include:spf.example.net ~all", false],
    ["include:spf.example.net", false]
  ] as const) {
    it(`${passes ? "authorizes" : "does not authorize"} the include: ${text}`, () =>
      assert.strictEqual(spfPasses(text, "include:spf.example.net"), passes))
  }

  it("is detected by its version", () => {
    assert.isTrue(isSpf("v=spf1"))
    assert.isFalse(isSpf("v=spf1x"))
    assert.isFalse(isSpf("google-site-verification=v=spf1"))
  })
})

describe("A DMARC record", () => {
  it("starts with its version and has a policy", () => {
    for (const text of ["v=DMARC1; p=none", "v=DMARC1;p=reject;rua=mailto:d@example.com;", '"v=DMARC1; " "p=none"']) {
      assert.isTrue(isDmarc(text), text)
    }
    for (const text of ["p=none; v=DMARC1", "v=DMARC1", "v=DMARC2; p=none", "none", ""]) {
      assert.isFalse(isDmarc(text), text)
    }
  })
})

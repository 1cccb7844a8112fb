import {
  type DomainFacts,
  dnsRecord,
  expectedRecords,
  type MailRoute
} from "@switchboard/domain/email/domains/DomainRecords"
import {
  examineDomain,
  type FoundRecords,
  hasRequiredRecords,
  isTrackingVerified,
  recordAdvice,
  recordKey,
  recordReport
} from "@switchboard/domain/email/domains/ExamineDomain"
import { FastCheck } from "effect"
import { assert, describe, it } from "vitest"

const facts: DomainFacts = {
  domain: "example.com",
  verificationToken: "5f0c2b9e71d84a3692bd",
  activeSelector: "sm1",
  publicKeys: { sm1: "AAAA", sm2: "BBBB" },
  receiving: false,
  trackingDomain: null,
  wasVerified: false
}
const route: MailRoute = { mailHostname: "Mail.example.net", spfInclude: null, publicHost: "links.example.net" }

/** All required records, as published. */
const published = (of: DomainFacts, by: MailRoute): Map<string, ReadonlyArray<string>> => {
  const found = new Map<string, ReadonlyArray<string>>()
  for (const record of expectedRecords(of, by)) {
    found.set(recordKey(record), [record.type === "MX" ? `${record.priority} ${record.value}` : record.value])
  }
  return found
}

const without = (...keys: ReadonlyArray<string>): FoundRecords => {
  const found = published(facts, route)
  for (const key of keys) found.delete(key)
  return found
}

const withRecord = (key: string, ...texts: ReadonlyArray<string>): FoundRecords =>
  published(facts, route).set(key, texts)

const wrongRecords = (found: FoundRecords, of = facts, by = route) =>
  examineDomain(of, by, found).flatMap(({ name, ok, type }) => (ok ? [] : [`${type} ${name}`]))

describe("The DNS records of a domain", () => {
  it("are empty for a local domain", () => {
    assert.deepStrictEqual(expectedRecords({ ...facts, domain: "localhost.test", receiving: true }, route), [])
  })

  it("include ownership, DKIM, return path, SPF, DMARC and MX", () => {
    assert.deepStrictEqual(
      expectedRecords(facts, route).map(({ name, priority, type, value }) => [type, name, value, priority]),
      [
        ["TXT", "_switchboard.example.com", "switchboard-verification=5f0c2b9e71d84a3692bd", undefined],
        ["TXT", "sm1._domainkey.example.com", "v=DKIM1; k=rsa; p=AAAA", undefined],
        ["TXT", "sm2._domainkey.example.com", "v=DKIM1; k=rsa; p=BBBB", undefined],
        ["MX", "bounce.example.com", "Mail.example.net", 10],
        ["TXT", "bounce.example.com", "v=spf1 a:mail.example.net ~all", undefined],
        ["TXT", "_dmarc.example.com", "v=DMARC1; p=none; rua=mailto:reports@bounce.example.com", undefined]
      ]
    )
    const receiving = expectedRecords({ ...facts, receiving: true }, { ...route, spfInclude: "spf.relay.test" })
    assert.include(receiving[4], { value: "v=spf1 include:spf.relay.test ~all" })
    assert.include(receiving[6], { type: "MX", name: "example.com", value: "Mail.example.net", priority: 10 })
    assert.include(receiving[7], {
      type: "TXT",
      name: "_smtp._tls.example.com",
      value: "v=TLSRPTv1; rua=mailto:reports@bounce.example.com",
      required: false
    })
    assert.deepStrictEqual(dnsRecord(receiving[3] ?? assert.fail()), {
      type: "MX",
      name: "bounce.example.com",
      value: "Mail.example.net",
      ttl: "3600",
      description: "Return path: brings back what could not be delivered",
      priority: 10
    })
  })

  it("are complete when they are published as required", () =>
    FastCheck.assert(
      FastCheck.property(
        FastCheck.domain(),
        FastCheck.domain(),
        FastCheck.option(FastCheck.domain()),
        FastCheck.boolean(),
        FastCheck.boolean(),
        (domain, mailHostname, spfInclude, receiving, wasVerified) => {
          const of = { ...facts, domain, receiving, wasVerified }
          const by = { mailHostname, spfInclude, publicHost: "links.example.net" }
          const examined = examineDomain(of, by, published(of, by))
          assert.isTrue(hasRequiredRecords(examined))
          assert.isTrue(examined.every(({ ok }) => ok))
        }
      )
    ))

  it("are incomplete without one required record, which is reported", () => {
    for (const key of [
      "TXT _switchboard.example.com",
      "TXT sm1._domainkey.example.com",
      "TXT sm2._domainkey.example.com",
      "MX bounce.example.com",
      "TXT bounce.example.com"
    ]) {
      assert.deepStrictEqual(wrongRecords(without(key)), [key])
      assert.isFalse(hasRequiredRecords(examineDomain(facts, route, without(key))))
      assert.deepStrictEqual(wrongRecords(withRecord(key, "10 something.else")), [key])
    }
  })

  it("are complete without an optional record", () => {
    const examined = examineDomain(facts, route, without("TXT _dmarc.example.com"))
    assert.isTrue(hasRequiredRecords(examined))
    assert.deepStrictEqual(wrongRecords(without("TXT _dmarc.example.com")), ["TXT _dmarc.example.com"])
    assert.isTrue(hasRequiredRecords(examineDomain({ ...facts, receiving: true }, route, published(facts, route))))
  })

  it("have the host for links as an alias of this service, which is optional", () => {
    const tracking = { ...facts, trackingDomain: "go.example.com" }
    const found = published(tracking, route)
    assert.deepStrictEqual(expectedRecords(tracking, route).at(-1), {
      purpose: "tracking",
      type: "CNAME",
      name: "go.example.com",
      value: "links.example.net",
      description: "Leads the links of tracked mail here",
      required: false
    })
    for (const [values, isFound] of [
      [["links.example.net"], true],
      [["LINKS.example.net."], true],
      [["mail.example.net"], false],
      [[], false]
    ] as const) {
      const examined = examineDomain(tracking, route, found.set("CNAME go.example.com", values))
      assert.deepStrictEqual([isTrackingVerified(examined), hasRequiredRecords(examined)], [isFound, true])
    }
    assert.isFalse(isTrackingVerified(examineDomain(facts, route, found)))
  })

  it("accept any DMARC policy and report address", () => {
    const receiving = { ...facts, receiving: true }
    for (const policy of ["v=DMARC1; p=none", "v=DMARC1; p=reject; rua=mailto:reports@example.org"]) {
      const found = published(receiving, route).set("TXT _dmarc.example.com", [policy])
      assert.deepStrictEqual(wrongRecords(found, receiving), [])
    }
  })

  it("accept any address of TLS reports, but one record", () => {
    const receiving = { ...facts, receiving: true }
    const wrong = (...texts: ReadonlyArray<string>) =>
      wrongRecords(published(receiving, route).set("TXT _smtp._tls.example.com", texts), receiving)
    const elsewhere = "v=TLSRPTv1;rua=https://reports.example.org/v1"
    assert.deepStrictEqual(wrong(elsewhere), [])
    assert.deepStrictEqual(wrong('"v=TLSRPTv1; " "rua=mailto:reports@example.org"'), [])
    for (const texts of [
      [],
      ["v=TLSRPTv1"],
      [elsewhere, elsewhere.replace("/v1", "/v2")],
      [`${elsewhere} `, elsewhere]
    ]) {
      assert.deepStrictEqual(wrong(...texts), ["TXT _smtp._tls.example.com"])
    }
  })

  it("require only the active DKIM key of a verified domain", () => {
    const verified = { ...facts, wasVerified: true }
    const stillStands = (of: DomainFacts, missing: string) =>
      hasRequiredRecords(examineDomain(of, route, without(missing)))
    assert.isTrue(stillStands(verified, "TXT sm2._domainkey.example.com"))
    assert.isFalse(stillStands(verified, "TXT sm1._domainkey.example.com"))
    assert.isTrue(stillStands({ ...verified, activeSelector: "sm2" }, "TXT sm1._domainkey.example.com"))
    assert.isFalse(stillStands({ ...verified, activeSelector: "sm2" }, "TXT sm2._domainkey.example.com"))
  })

  it("accept other records beside the required ones", () => {
    for (const key of ["TXT _switchboard.example.com", "TXT sm1._domainkey.example.com", "TXT bounce.example.com"]) {
      const [own = ""] = published(facts, route).get(key) ?? []
      assert.deepStrictEqual(wrongRecords(withRecord(key, "google-site-verification=1", own, "MS=ms1")), [])
    }
    assert.deepStrictEqual(
      wrongRecords(withRecord("MX bounce.example.com", "10 mail.example.net.", "20 other.test")),
      []
    )
  })

  it("reject an MX record with a higher priority and a second SPF record", () => {
    assert.deepStrictEqual(wrongRecords(withRecord("MX bounce.example.com", "10 mail.example.net", "5 other.test")), [
      "MX bounce.example.com"
    ])
    assert.deepStrictEqual(
      wrongRecords(withRecord("TXT bounce.example.com", "v=spf1 a:mail.example.net ~all", "v=spf1 -all")),
      ["TXT bounce.example.com"]
    )
  })

  it("are reported with expected and found values and advice", () => {
    const examined = examineDomain(facts, route, withRecord("MX bounce.example.com", "10 other.test", "20 third.test"))
    const [ownership, , , bounces] = examined
    assert.deepStrictEqual(recordReport(bounces ?? assert.fail()), {
      type: "MX",
      name: "bounce.example.com",
      expected: "10 Mail.example.net",
      found: ["10 other.test", "20 third.test"],
      ok: false,
      state: "differs"
    })
    assert.isNull(recordAdvice(ownership ?? assert.fail()))
    assert.strictEqual(
      recordAdvice(bounces ?? assert.fail()),
      'Please publish the MX record bounce.example.com with the value "10 Mail.example.net" (now it is: "10 other.test", "20 third.test")'
    )
    const [missing] = examineDomain(facts, route, new Map())
    assert.match(recordAdvice(missing ?? assert.fail()) ?? "", /TXT record _switchboard\.example\.com .*none now/)
  })
})

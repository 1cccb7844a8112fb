import { assert, describe, it } from "@effect/vitest"
import type { InboundMail } from "@switchboard/services/email/receiving/InboundMail"
import { Effect } from "effect"
import type { DnsZone } from "../../network/DnsServer.js"
import { authenticatorOver, inbound, keyRecord, signed, signedWith, text } from "./Authenticating.js"

const mail = "From: Ada <ada@example.com>\r\nSubject: x\r\nTo: bo@example.org\r\n\r\nHello\r\n"

const zone: DnsZone = {
  "example.com": [text("v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all"), text("something else")],
  "sm1._domainkey.example.com": [keyRecord],
  "_dmarc.example.com": [text("v=DMARC1; p=reject")],
  "mail.example.com": [text("v=spf1 ip4:192.0.2.0/24 -all")],
  "sm1._domainkey.mail.example.com": [keyRecord],
  "strict.example": [text("v=spf1 -all")],
  "_dmarc.strict.example": [text("v=DMARC1; p=none; adkim=s; aspf=s")],
  "mail.strict.example": [text("v=spf1 ip4:192.0.2.1 -all")],
  "sm1._domainkey.mail.strict.example": [keyRecord],
  "sm1._domainkey.strict.example": [keyRecord],
  "lax.example": [text("v=spf1 ip4:192.0.2.1 -all")],
  "sm1._domainkey.lax.example": [keyRecord],
  "revoked._domainkey.example.com": [text("v=DKIM1; p=")],
  "broken._domainkey.example.com": "SERVFAIL",
  "other._domainkey.example.com": [text("v=DKIM1; k=rsa; p=AAAA")],
  "mx.example.com": [text("v=spf1 a:mx.example.com -all"), { type: "A", address: "192.0.2.1" }],

  "soft.example": [text("v=spf1 ~all")],
  "maybe.example": [text("v=spf1 ?all")],
  "open.example": [text("v=spf1 +all")],
  "two.example": [text("v=spf1 -all"), text("v=spf1 +all")],
  "wrong.example": [text("v=spf1 ip4:999.1.1.1 -all")],
  "silent.example": "SERVFAIL",
  "by-a.example": [
    text("v=spf1 a -all"),
    { type: "A", address: "192.0.2.1" },
    { type: "AAAA", address: "2001:db8::1" }
  ],
  "by-mx.example": [text("v=spf1 mx -all"), { type: "MX", priority: 1, exchange: "by-a.example" }],
  "by-include.example": [text("v=spf1 include:open.example -all")],
  "by-redirect.example": [text("v=spf1 redirect=by-a.example")],
  "by-exists.example": [text("v=spf1 exists:%{ir}.%{l}.lists.example -all")],
  "1.2.0.192.ada.lists.example": [{ type: "A", address: "127.0.0.2" }],
  "by-ptr.example": [text("v=spf1 ptr -all"), { type: "A", address: "192.0.2.1" }],
  "1.2.0.192.in-addr.arpa": [{ type: "PTR", target: "by-ptr.example" }],
  "includes-broken.example": [text("v=spf1 include:silent.example -all")],
  "includes-none.example": [text("v=spf1 include:nothing.example -all")],
  "circle.example": [text("v=spf1 include:circle.example -all")],
  "redirects.example": [text("v=spf1 redirect=redirects.example")],
  "voids.example": [text("v=spf1 a:a.none.example a:b.none.example a:c.none.example a:d.none.example -all")],
  "many.example": [text(`v=spf1 ${Array.from({ length: 12 }, (_, at) => `a:h${at}.many.example`).join(" ")} -all`)],
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`h${at}.many.example`, [{ type: "A", address: "203.0.113.1" }]])
  ),
  "bomb.example": [text(`v=spf1 ${`exists:${"%{l}".repeat(12)}!.example `.repeat(50)} -all`)],
  "name.example": [text("v=spf1 exists:%{r}.lists.example -all")],
  "unknown.lists.example": [{ type: "A", address: "127.0.0.2" }]
}

const from = (domain: string) => mail.replace("example.com", domain)

const spf: ReadonlyArray<readonly [what: string, changes: Partial<InboundMail>, result: string]> = [
  ["an authorized address", {}, "pass"],
  ["an unauthorized address", { remoteAddress: "203.0.113.9" }, "fail"],
  ["an authorized IPv6 address", { remoteAddress: "2001:db8::7" }, "pass"],
  ["an IPv4-mapped IPv6 address", { remoteAddress: "::ffff:192.0.2.1" }, "pass"],
  ["an invalid address", { remoteAddress: "unknown" }, "none"],
  ["a null reverse-path, by the HELO name", { mailFrom: "" }, "pass"],
  ["a null reverse-path with an address literal as HELO name", { mailFrom: "", helo: "[192.0.2.1]" }, "none"],
  ["a null reverse-path without a HELO name", { mailFrom: "", helo: "" }, "none"],
  ["~all", { mailFrom: "ada@soft.example" }, "softfail"],
  ["?all", { mailFrom: "ada@maybe.example" }, "neutral"],
  ["no record", { mailFrom: "ada@nothing.example" }, "none"],
  ["two records", { mailFrom: "ada@two.example" }, "permerror"],
  ["an invalid record", { mailFrom: "ada@wrong.example" }, "permerror"],
  ["a failing name server", { mailFrom: "ada@silent.example" }, "temperror"],
  ["an a mechanism", { mailFrom: "ada@by-a.example" }, "pass"],
  ["an a mechanism with IPv6", { mailFrom: "ada@by-a.example", remoteAddress: "2001:db8::1" }, "pass"],
  ["an mx mechanism", { mailFrom: "ada@by-mx.example" }, "pass"],
  ["an include", { mailFrom: "ada@by-include.example" }, "pass"],
  ["a redirect", { mailFrom: "ada@by-redirect.example" }, "pass"],
  ["macros", { mailFrom: "ada@by-exists.example" }, "pass"],
  ["a ptr mechanism", { mailFrom: "ada@by-ptr.example" }, "pass"],
  ["the %{r} macro, which does not disclose our host name", { mailFrom: "ada@name.example" }, "pass"],
  ["an include with a failing name server", { mailFrom: "ada@includes-broken.example" }, "temperror"],
  ["an include without a record", { mailFrom: "ada@includes-none.example" }, "permerror"],
  ["an include of itself", { mailFrom: "ada@circle.example" }, "permerror"],
  ["a redirect to itself", { mailFrom: "ada@redirects.example" }, "permerror"],
  ["four void lookups", { mailFrom: "ada@voids.example" }, "permerror"],
  ["twelve lookups", { mailFrom: "ada@many.example" }, "permerror"],
  ["a record with expanding macros", { mailFrom: `${"a".repeat(64)}@bomb.example` }, "permerror"],
  ["an invalid reverse-path", { mailFrom: "\0<>@@..@" }, "none"],
  ["a reverse-path of 10 KB", { mailFrom: `a@${"a.".repeat(5_000)}example` }, "none"]
]

describe("MailAuthenticatorDns", () => {
  it.scopedLive("returns the SPF result", () =>
    Effect.gen(function* () {
      const { authenticate } = yield* authenticatorOver(zone)
      for (const [what, changes, result] of spf) {
        assert.strictEqual((yield* authenticate(inbound(changes))).spf, result, what)
      }
    })
  )

  it.scopedLive("returns the DKIM result", () =>
    Effect.gen(function* () {
      const { authenticate } = yield* authenticatorOver(zone)
      const valid = yield* signed(mail, "example.com")
      const withoutFrom = yield* signedWith("Subject: x\r\n\r\nHello\r\n", {})
      const changed = (change: (raw: string) => string) => Buffer.from(change(valid.toString("latin1")), "latin1")
      const cases: ReadonlyArray<readonly [what: string, raw: Uint8Array, result: string]> = [
        ["no signature", Buffer.from(mail), "none"],
        ["a valid signature", valid, "pass"],
        ["two signatures, one of them valid", yield* signed(valid.toString("latin1"), "unknown.example"), "pass"],
        ["a changed body", changed((raw) => raw.replace("Hello", "Hallo")), "fail"],
        ["a changed header", changed((raw) => raw.replace("Subject: x", "Subject: y")), "fail"],
        ["a changed signature", changed((raw) => raw.replace(/ b=./, " b=A").replace(/\bb=[A-Za-z]/, "b=0")), "fail"],
        ["no key", yield* signed(mail, "unknown.example"), "permerror"],
        ["a revoked key", yield* signed(mail, "example.com", "revoked"), "permerror"],
        ["another key", yield* signed(mail, "example.com", "other"), "permerror"],
        ["a failing name server", yield* signed(mail, "example.com", "broken"), "temperror"],
        ["an unknown algorithm", changed((raw) => raw.replace("a=rsa-sha256", "a=rot13")), "neutral"],
        ["no tags", Buffer.from(`DKIM-Signature: hello\r\n${mail}`), "neutral"],
        ["an unsigned From", Buffer.concat([Buffer.from("From: ada@example.com\r\n"), withoutFrom]), "policy"],
        ["an unsigned end of the body", yield* signedWith(mail, { maxBodyLength: 2 }), "policy"],
        ["SHA-1", yield* signedWith(mail, { algorithm: "rsa-sha1" }), "policy"],
        ["simple canonicalization", yield* signedWith(mail, { canonicalization: "simple/simple" }), "pass"],
        ["an expired signature", yield* signedWith(mail, { expires: new Date("2026-12-31") }), "neutral"],
        ["a signature that has not expired", yield* signedWith(mail, { expires: new Date("2027-01-02") }), "pass"]
      ]
      for (const [what, raw, result] of cases) {
        assert.strictEqual((yield* authenticate(inbound({ raw }))).dkim, result, what)
      }
    })
  )

  it.scopedLive("returns the DMARC result", () =>
    Effect.gen(function* () {
      const { authenticate } = yield* authenticatorOver(zone)
      const unauthorized = { remoteAddress: "203.0.113.9" }
      const raw = (text: string) => ({ raw: Buffer.from(text) })
      const valid = yield* signed(mail, "example.com")
      const cases: ReadonlyArray<readonly [what: string, changes: Partial<InboundMail>, result: string]> = [
        ["aligned SPF", raw(mail), "pass"],
        ["aligned DKIM", { ...unauthorized, raw: valid }, "pass"],
        ["aligned SPF of a subdomain", { ...raw(mail), mailFrom: "b@mail.example.com" }, "pass"],
        ["aligned DKIM of a subdomain", { ...unauthorized, raw: yield* signed(mail, "mail.example.com") }, "pass"],
        ["neither SPF nor DKIM", { ...unauthorized, ...raw(mail) }, "fail"],
        ["SPF of another domain", { ...raw(mail), mailFrom: "eve@lax.example" }, "fail"],
        ["DKIM of another domain", { ...unauthorized, raw: yield* signed(mail, "lax.example") }, "fail"],
        ["no policy", raw(from("nothing.example")), "none"],
        ["no From", raw(mail.replace("From", "X-From")), "permerror"],
        [
          "a From with two addresses",
          raw(mail.replace("<ada@example.com>", "<ada@example.com>, eve@example.net")),
          "permerror"
        ],
        ["two From fields", raw(`From: eve@example.net\r\n${mail}`), "permerror"],
        [
          "a signed mail with a prepended From",
          { raw: Buffer.concat([Buffer.from("From: eve@example.net\r\n"), valid]) },
          "permerror"
        ],
        ["an invalid From", raw(mail.replace("ada@example.com", "a@b@example.com")), "permerror"],
        [
          "strict alignment, SPF of a subdomain",
          { ...raw(from("strict.example")), mailFrom: "b@mail.strict.example" },
          "fail"
        ],
        [
          "strict alignment, DKIM of a subdomain",
          { ...unauthorized, raw: yield* signed(from("strict.example"), "mail.strict.example") },
          "fail"
        ],
        [
          "strict alignment, DKIM of the domain",
          { ...unauthorized, raw: yield* signed(from("strict.example"), "strict.example") },
          "pass"
        ]
      ]
      for (const [what, changes, result] of cases) {
        assert.strictEqual((yield* authenticate(inbound(changes))).dmarc, result, what)
      }
    })
  )

  it.scopedLive("returns the DMARC policy of the From domain, and unknown without an answer or a single From", () =>
    Effect.gen(function* () {
      const policies: DnsZone = {
        ...zone,
        "_dmarc.parts.example": [text("v=DMARC1; p=none; sp=Quarantine")],
        "_dmarc.silent.example": "silence"
      }
      const { senderPolicy } = yield* authenticatorOver(policies, { dns: "1 second" })
      for (const [sender, policy] of [
        ["example.com", "reject"],
        ["strict.example", "none"],
        ["parts.example", "none"],
        ["mail.parts.example", "quarantine"],
        ["nothing.example", "none"],
        ["silent.example", "unknown"],
        ["example.com>, eve@example.net <x@example.com", "unknown"]
      ] as const) {
        assert.strictEqual(yield* senderPolicy(inbound({ raw: Buffer.from(from(sender)) })), policy, sender)
      }
    })
  )

  it.scopedLive("returns temperror after the timeouts of DNS and of the check", () =>
    Effect.gen(function* () {
      const valid = yield* signed(mail, "example.com")
      const silence: DnsZone = {
        "example.com": "silence",
        "sm1._domainkey.example.com": "silence",
        "_dmarc.example.com": "silence"
      }
      const all = { spf: "temperror", dkim: "temperror", dmarc: "temperror" }
      const shortDnsTimeout = yield* authenticatorOver(silence, { dns: "100 millis" })
      assert.deepStrictEqual(yield* shortDnsTimeout.authenticate(inbound({ raw: valid })), all)
      const shortCheckTimeout = yield* authenticatorOver(silence, { check: "50 millis" })
      assert.deepStrictEqual(yield* shortCheckTimeout.authenticate(inbound({ raw: valid })), all)
    })
  )
})

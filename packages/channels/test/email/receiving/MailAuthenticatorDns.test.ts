import { assert, describe, it } from "@effect/vitest"
import type { InboundMail } from "@switchboard/services/email/receiving/InboundMail"
import { Effect } from "effect"
import type { DnsZone } from "../../network/DnsServer.js"
import { authenticatorOver, inbound, keyRecord, signed, signedLoosely, text } from "./Authenticating.js"

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
  ["an address of the domain", {}, "pass"],
  ["another's address", { remoteAddress: "203.0.113.9" }, "fail"],
  ["an IPv6 address of the domain", { remoteAddress: "2001:db8::7" }, "pass"],
  ["an IPv4 address in IPv6", { remoteAddress: "::ffff:192.0.2.1" }, "pass"],
  ["no address at all", { remoteAddress: "unknown" }, "none"],
  ["a notification, by the client's name", { mailFrom: "" }, "pass"],
  ["a notification of a client without a name", { mailFrom: "", helo: "[192.0.2.1]" }, "none"],
  ["a notification of a client that says nothing", { mailFrom: "", helo: "" }, "none"],
  ["~all", { mailFrom: "ada@soft.example" }, "softfail"],
  ["?all", { mailFrom: "ada@maybe.example" }, "neutral"],
  ["no record", { mailFrom: "ada@nothing.example" }, "none"],
  ["two records", { mailFrom: "ada@two.example" }, "permerror"],
  ["a record that is wrong", { mailFrom: "ada@wrong.example" }, "permerror"],
  ["name servers that say nothing", { mailFrom: "ada@silent.example" }, "temperror"],
  ["a host", { mailFrom: "ada@by-a.example" }, "pass"],
  ["a host by IPv6", { mailFrom: "ada@by-a.example", remoteAddress: "2001:db8::1" }, "pass"],
  ["a mail server", { mailFrom: "ada@by-mx.example" }, "pass"],
  ["an include", { mailFrom: "ada@by-include.example" }, "pass"],
  ["a redirect", { mailFrom: "ada@by-redirect.example" }, "pass"],
  ["macros", { mailFrom: "ada@by-exists.example" }, "pass"],
  ["the name of an address", { mailFrom: "ada@by-ptr.example" }, "pass"],
  ["our name, which is not told", { mailFrom: "ada@name.example" }, "pass"],
  ["an include that nobody answers for", { mailFrom: "ada@includes-broken.example" }, "temperror"],
  ["an include of nothing", { mailFrom: "ada@includes-none.example" }, "permerror"],
  ["an include of itself", { mailFrom: "ada@circle.example" }, "permerror"],
  ["a redirect to itself", { mailFrom: "ada@redirects.example" }, "permerror"],
  ["four names that lead nowhere", { mailFrom: "ada@voids.example" }, "permerror"],
  ["twelve look-ups", { mailFrom: "ada@many.example" }, "permerror"],
  ["a record that grows", { mailFrom: `${"a".repeat(64)}@bomb.example` }, "permerror"],
  ["a reverse-path that is none", { mailFrom: "\0<>@@..@" }, "none"],
  ["a reverse-path of 10 KB", { mailFrom: `a@${"a.".repeat(5_000)}example` }, "none"]
]

describe("The authenticator", () => {
  it.scopedLive("says of SPF what the domain's record says", () =>
    Effect.gen(function* () {
      const { authenticate } = yield* authenticatorOver(zone)
      for (const [what, changes, result] of spf) {
        assert.strictEqual((yield* authenticate(inbound(changes))).spf, result, what)
      }
    })
  )

  it.scopedLive("says of DKIM whether a signature holds", () =>
    Effect.gen(function* () {
      const { authenticate } = yield* authenticatorOver(zone)
      const sound = yield* signed(mail, "example.com")
      const unsaid = yield* signedLoosely("Subject: x\r\n\r\nHello\r\n", {})
      const changed = (change: (raw: string) => string) => Buffer.from(change(sound.toString("latin1")), "latin1")
      const cases: ReadonlyArray<readonly [what: string, raw: Uint8Array, result: string]> = [
        ["none", Buffer.from(mail), "none"],
        ["sound", sound, "pass"],
        ["two, one of which holds", yield* signed(sound.toString("latin1"), "unknown.example"), "pass"],
        ["body changed", changed((raw) => raw.replace("Hello", "Hallo")), "fail"],
        ["header changed", changed((raw) => raw.replace("Subject: x", "Subject: y")), "fail"],
        ["signature changed", changed((raw) => raw.replace(/ b=./, " b=A").replace(/\bb=[A-Za-z]/, "b=0")), "fail"],
        ["no key", yield* signed(mail, "unknown.example"), "permerror"],
        ["key revoked", yield* signed(mail, "example.com", "revoked"), "permerror"],
        ["another key", yield* signed(mail, "example.com", "other"), "permerror"],
        ["nobody answers for the key", yield* signed(mail, "example.com", "broken"), "temperror"],
        ["an unknown algorithm", changed((raw) => raw.replace("a=rsa-sha256", "a=rot13")), "neutral"],
        ["no tags", Buffer.from(`DKIM-Signature: hello\r\n${mail}`), "neutral"],
        ["the sender not signed", Buffer.concat([Buffer.from("From: ada@example.com\r\n"), unsaid]), "policy"],
        ["the end of the body not signed", yield* signedLoosely(mail, { maxBodyLength: 2 }), "policy"],
        ["a hash of yesterday", yield* signedLoosely(mail, { algorithm: "rsa-sha1" }), "policy"],
        ["simple forms", yield* signedLoosely(mail, { canonicalization: "simple/simple" }), "pass"],
        ["a signature that has expired", yield* signedLoosely(mail, { expires: new Date("2026-12-31") }), "neutral"],
        ["a signature that will expire", yield* signedLoosely(mail, { expires: new Date("2027-01-02") }), "pass"]
      ]
      for (const [what, raw, result] of cases) {
        assert.strictEqual((yield* authenticate(inbound({ raw }))).dkim, result, what)
      }
    })
  )

  it.scopedLive("says of DMARC whether the sender is who it says", () =>
    Effect.gen(function* () {
      const { authenticate } = yield* authenticatorOver(zone)
      const stranger = { remoteAddress: "203.0.113.9" }
      const raw = (text: string) => ({ raw: Buffer.from(text) })
      const sound = yield* signed(mail, "example.com")
      const cases: ReadonlyArray<readonly [what: string, changes: Partial<InboundMail>, result: string]> = [
        ["by SPF", raw(mail), "pass"],
        ["by DKIM", { ...stranger, raw: sound }, "pass"],
        ["by the SPF of a part of the domain", { ...raw(mail), mailFrom: "b@mail.example.com" }, "pass"],
        ["by the DKIM of a part of the domain", { ...stranger, raw: yield* signed(mail, "mail.example.com") }, "pass"],
        ["by neither", { ...stranger, ...raw(mail) }, "fail"],
        ["by SPF of another's", { ...raw(mail), mailFrom: "eve@lax.example" }, "fail"],
        ["by DKIM of another's", { ...stranger, raw: yield* signed(mail, "lax.example") }, "fail"],
        ["no policy", raw(from("nothing.example")), "none"],
        ["no sender", raw(mail.replace("From", "X-From")), "permerror"],
        ["two senders", raw(mail.replace("<ada@example.com>", "<ada@example.com>, eve@example.net")), "permerror"],
        ["two headers of senders", raw(`From: eve@example.net\r\n${mail}`), "permerror"],
        [
          "a signed mail with another sender before",
          { raw: Buffer.concat([Buffer.from("From: eve@example.net\r\n"), sound]) },
          "permerror"
        ],
        ["a sender that is none", raw(mail.replace("ada@example.com", "a@b@example.com")), "permerror"],
        ["strict, by SPF of a part", { ...raw(from("strict.example")), mailFrom: "b@mail.strict.example" }, "fail"],
        [
          "strict, by DKIM of a part",
          { ...stranger, raw: yield* signed(from("strict.example"), "mail.strict.example") },
          "fail"
        ],
        [
          "strict, by DKIM of the domain",
          { ...stranger, raw: yield* signed(from("strict.example"), "strict.example") },
          "pass"
        ]
      ]
      for (const [what, changes, result] of cases) {
        assert.strictEqual((yield* authenticate(inbound(changes))).dmarc, result, what)
      }
    })
  )

  it.scopedLive("finds the DMARC policy of the sender, and unknown where there is no answer or no single sender", () =>
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

  it.scopedLive("waits for nobody longer than it should", () =>
    Effect.gen(function* () {
      const sound = yield* signed(mail, "example.com")
      const silence: DnsZone = {
        "example.com": "silence",
        "sm1._domainkey.example.com": "silence",
        "_dmarc.example.com": "silence"
      }
      const all = { spf: "temperror", dkim: "temperror", dmarc: "temperror" }
      const unheard = yield* authenticatorOver(silence, { dns: "100 millis" })
      assert.deepStrictEqual(yield* unheard.authenticate(inbound({ raw: sound })), all)
      const hurried = yield* authenticatorOver(silence, { check: "50 millis" })
      assert.deepStrictEqual(yield* hurried.authenticate(inbound({ raw: sound })), all)
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { DnsAbsent, DnsFailed, DnsResolver } from "@switchboard/services/network/DnsResolver"
import { Effect, Layer } from "effect"
import { authenticatorWith, inbound } from "./Authenticating.js"
import { type HostileMail, mailOf, seededRandom } from "./Corpus.js"
import { hostileContent } from "./HostileContent.js"
import { hostileHeaders } from "./HostileHeaders.js"

const results = ["none", "neutral", "pass", "fail", "softfail", "policy", "temperror", "permerror"]

/** A resolver with the same TXT records for every name, and other records that lead to further lookups. */
const resolverWith = (texts: () => ReadonlyArray<string>) =>
  Layer.succeed(DnsResolver, {
    txt: () => Effect.sync(texts),
    mx: () =>
      Effect.succeed(
        Array.from({ length: 50 }, (_, at) => ({ exchange: `m${at}.example`, priority: at })).concat([
          { exchange: "", priority: 0 },
          { exchange: "\0 \u{1F600}..", priority: -1 }
        ])
      ),
    ns: () => new DnsAbsent({ reason: "NoData" }),
    alias: () => new DnsAbsent({ reason: "NoData" }),
    addresses: () => Effect.succeed(["", "999.1.1.1", "192.0.2.77", "::g", "2001:db8::77"]),
    names: () => Effect.succeed(Array.from({ length: 50 }, (_, at) => `p${at}.example`).concat(["", "\0"]))
  })

const failingResolver = Layer.succeed(DnsResolver, {
  txt: () => new DnsFailed({ message: "failed" }),
  mx: () => new DnsFailed({ message: "failed" }),
  ns: () => new DnsFailed({ message: "failed" }),
  alias: () => new DnsFailed({ message: "failed" }),
  addresses: () => new DnsFailed({ message: "failed" }),
  names: () => new DnsFailed({ message: "failed" })
})

const records: ReadonlyArray<string> = [
  "",
  "v=spf1",
  "v=spf1 ",
  "v=spf1 %",
  "v=spf1 exists:%{",
  "v=spf1 exists:%{z}.example",
  "v=spf1 exists:%{l99999999999999999999r+-/}.example",
  `v=spf1 exists:${"%{l}".repeat(16_000)}! -all`,
  `v=spf1 redirect=${"%{s}".repeat(10_000)}!`,
  `v=spf1 ${"a ".repeat(30_000)}`,
  `v=spf1 ${"include:%{d} ".repeat(5_000)}`,
  `v=spf1 ${"mx ptr ".repeat(5_000)}`,
  "v=spf1 redirect=%{d}",
  "v=spf1 redirect=a.b redirect=c.d",
  "v=spf1 ip4: ip6: a: mx: all:",
  "v=spf1 ip4:1.2.3.4/999 ip6:::/999",
  "v=spf1 a//999 mx/99//999 ?all",
  "v=spf1 a/0 -all",
  "v=spf1 unknown:thing what=ever -all",
  "v=spf1 exp=%{s}.example -all",
  "v=spf1 exists:%{t}.%{i}.%{c}.%{v}.%{h}.%{r}.%{p}.example mx ptr -all",
  "v=spf1 \0\u{1F600} -all",
  "v=DMARC1",
  "v=DMARC1; p=; adkim; aspf; =; ;;;",
  `v=DMARC1; ${"p=none;".repeat(10_000)}`,
  "v=DMARC1; __proto__=x; constructor=y; p=reject",
  "v=DKIM1; p=\0",
  `v=DKIM1; p=${"A".repeat(100_000)}`,
  "v=DKIM1; k=ed25519; p=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  `v=DKIM1 ${"(".repeat(50_000)}`,
  `v=DKIM1; ${"\\".repeat(50_000)}`
]

const emptyHash = "g3zLYH4xKxcPrHOD18z9YfpQcnk/GaJedfustWU5uGs="
const tags: ReadonlyArray<string> = [
  "",
  ";".repeat(50_000),
  "=".repeat(50_000),
  "(".repeat(50_000),
  '"'.repeat(50_000),
  "\\".repeat(50_000),
  "b=",
  "v=1; a=rsa-sha256; d=example.com; s=x; bh=; b=; h=from",
  `v=1; a=rsa-sha256; d=example.com; s=x; h=from; bh=${emptyHash}; b=!!!`,
  `v=1; a=rsa-sha256; d=example.com; s=x; h=from; bh=${emptyHash}; b=${"A".repeat(100_000)}`,
  `v=1; a=rsa-sha256; d=example.com; s=x; h=${"from:".repeat(20_000)}; bh=${emptyHash}; b=AAAA`,
  `v=1; a=rsa-sha256; d=${"a.".repeat(20_000)}com; s=x; h=from; bh=${emptyHash}; b=AAAA`,
  `v=1; a=rsa-sha256; d=..; s=\0; h=from; bh=${emptyHash}; b=AAAA`,
  `v=1; a=rsa-sha256; d=__proto__; s=constructor; h=__proto__; bh=${emptyHash}; b=AAAA`,
  `v=1; a=rsa-sha256; l=0; d=example.com; s=x; h=from; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=AAAA`,
  `v=1; a=rsa-sha256; l=-1; t=1e999; x=NaN; d=example.com; s=x; h=from; bh=${emptyHash}; b=AAAA`,
  `v=1; a=rsa-sha256; t=99999999999999999; x=99999999999999999; d=example.com; s=x; h=from; bh=${emptyHash}; b=AAAA`,
  `v=1; a=ed25519-sha256; d=example.com; s=x; h=from; bh=${emptyHash}; b=AAAA`,
  `v=1; a=rsa-md5; c=none/none; d=example.com; s=x; h=from; bh=${emptyHash}; b=AAAA`
]

const signatures: ReadonlyArray<HostileMail> = [
  ...tags.map((tag, at) => ({ name: `tags ${at}`, raw: () => mailOf([`DKIM-Signature: ${tag}`]), outcome: {} })),
  {
    name: "1,000 signatures with different l= tags",
    raw: () =>
      mailOf(
        Array.from(
          { length: 1_000 },
          (_, at) => `DKIM-Signature: v=1; a=rsa-sha256; l=${at}; d=e.com; s=x; h=from; bh=A; b=A`
        ),
        "a \r\n".repeat(1_000)
      ),
    outcome: {}
  },
  {
    name: "an ARC set without signatures",
    raw: () =>
      mailOf([
        "ARC-Seal: i=1; cv=none; a=rsa-sha256",
        "ARC-Message-Signature: i=1",
        "ARC-Authentication-Results: i=1; x"
      ]),
    outcome: {}
  },
  { name: "5 MB on one line", raw: () => mailOf([`DKIM-Signature: ${tags[8]}`], "a".repeat(5_000_000)), outcome: {} },
  {
    name: "5 MB of spaces",
    raw: () => mailOf([`DKIM-Signature: ${tags[8]}; c=relaxed/relaxed`], " ".repeat(5_000_000)),
    outcome: {}
  }
]

describe("MailAuthenticatorDns with hostile input", () => {
  it.scopedLive("returns a result of RFC 8601 for hostile DNS records", () =>
    Effect.gen(function* () {
      const next = seededRandom(7)
      let texts: ReadonlyArray<string> = []
      const { authenticate } = yield* authenticatorWith(
        resolverWith(() => texts),
        "15 seconds"
      )
      for (const own of [
        ...records.map((record) => [record]),
        records,
        Array.from({ length: 500 }, () => "v=spf1 -all")
      ]) {
        texts = own
        const authentication = yield* authenticate(
          inbound({
            mailFrom: `${"a".repeat(next(300) + 1)}@example.com`,
            remoteAddress: next(2) === 0 ? "192.0.2.1" : "2001:db8::1",
            raw: mailOf([`DKIM-Signature: ${tags[8]}`])
          })
        )
        for (const result of Object.values(authentication)) assert.include(results, result)
      }
    })
  )

  it.scopedLive("returns a result of RFC 8601 for hostile signatures and mails", () =>
    Effect.gen(function* () {
      const { authenticate } = yield* authenticatorWith(failingResolver, "15 seconds")
      for (const { name, raw } of [...signatures, ...hostileHeaders, ...hostileContent.slice(-120)]) {
        const authentication = yield* authenticate(inbound({ raw: raw(), mailFrom: name, helo: name }))
        for (const result of Object.values(authentication)) assert.include(results, result, name)
      }
    })
  )
})

import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { accepted, LiveService, relayed, settled, until } from "../../LiveService.js"
import { authenticator } from "../Authenticate.js"
import { asFirstOrganization, ReceivingService, verifiedDomain } from "../ReceivingService.js"

/** Sends a message; returns it with its mail at the relay. */
const arrival = Effect.fnUntraced(function* (...parameters: Parameters<typeof accepted>) {
  const { content, id } = yield* accepted(...parameters)
  return { id: String(id), mail: yield* relayed(({ parsed }) => parsed.subject === content.subject) }
})

/** The results of a third-party verifier. */
const verdicts = Effect.gen(function* () {
  const { zone } = yield* ReceivingService
  const authenticated = yield* authenticator(zone)
  return ({ mailFrom, raw }: { readonly mailFrom: string; readonly raw: string }) =>
    Effect.map(authenticated(raw, mailFrom), ({ dkim, dmarc }) => ({
      dkim: dkim.results.map(({ selector, signingDomain, status }) => [selector, signingDomain, status.result]),
      dmarc: dmarc === false ? "none" : String(dmarc.status.result)
    }))
})

layer(ReceivingService.Shared, { excludeTestServices: true })("Mail of a verified domain", (it) => {
  it.scoped("passes DKIM and DMARC, before and after a key rotation", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const received = yield* verdicts
      const made = yield* verifiedDomain("signing.test")
      const sent = arrival({}, { from: "Orders <orders@signing.test>" })

      const first = yield* sent
      const old = first.mail
      assert.match(old.mailFrom, new RegExp(`^b\\+${first.id}\\.[0-9a-f]{20}@bounce\\.signing\\.test$`))
      const passed = { dkim: [["sm1", "signing.test", "pass"]], dmarc: "pass" }
      assert.deepStrictEqual(yield* received(old), passed)
      const forged = old.raw.replace("Hello", "Hallo")
      assert.notDeepEqual(yield* received({ ...old, raw: forged }), passed)

      assert.strictEqual((yield* call("POST", `/v1/email/domains/${made.id}/rotate-dkim`)).status, 200)
      // Keys are cached for seconds.
      const next = yield* until(Effect.delay(sent, "500 millis"), ({ mail }) => mail.raw.includes("s=sm2;"))
      assert.deepStrictEqual(yield* received(next.mail), {
        dkim: [["sm2", "signing.test", "pass"]],
        dmarc: "pass"
      })
      assert.deepStrictEqual(yield* received(old), passed)
    })
  )

  it.effect(
    "of the first sender has a return path at the local domain, and is not signed, since its key is not published",
    () =>
      Effect.gen(function* () {
        const { call } = yield* LiveService
        const { mail } = yield* arrival()
        assert.match(mail.mailFrom, /^b\+[0-9a-f-]{36}\.[0-9a-f]{20}@bounce\.localhost\.test$/)
        assert.match(mail.parsed.replyTo?.[0]?.address ?? "", /^r\+[0-9a-f-]{36}\.[0-9a-f]{20}@localhost\.test$/)
        assert.notMatch(mail.raw, /^dkim-signature:/im)
        const { body } = yield* call("GET", "/v1/email/domains?limit=100")
        const own = body.items.find(({ domain }: { readonly domain: string }) => domain === "localhost.test")
        assert.deepInclude(own, { status: "verified", dnsRecords: [] })
        const { body: report } = yield* call("GET", `/v1/email/domains/${own.id}/status`)
        assert.deepStrictEqual(report.records, [])
      }).pipe(asFirstOrganization)
  )

  it.scoped("unsubscribes its recipient by one-click POST, and not by GET", () =>
    Effect.gen(function* () {
      const { baseUrl, call } = yield* LiveService
      const received = yield* verdicts
      yield* verifiedDomain("news.test")
      const news = { from: "news@news.test" }
      const fields = { categories: ["marketing"], to: [{ email: "Grace@example.com" }] }
      const { id, mail } = yield* arrival(fields, news)
      assert.deepInclude(yield* received(mail), { dkim: [["sm1", "news.test", "pass"]] })
      assert.match(
        mail.raw.replace(/\r\n[ \t]/g, ""),
        /^DKIM-Signature:.*[:=]list-unsubscribe:list-unsubscribe-post[:;]/m
      )
      const header = (name: string) => mail.parsed.headers.find(({ key }) => key === name)?.value ?? ""
      assert.strictEqual(header("list-unsubscribe-post"), "List-Unsubscribe=One-Click")
      const [, path = ""] =
        /^<http:\/\/127\.0\.0\.1:\d+(\/v1\/[^>]+)>, <mailto:u\+[^>]+@bounce\.news\.test>$/.exec(
          header("list-unsubscribe")
        ) ?? []
      const request = (method: string, at = path) =>
        Effect.promise(async () => {
          const body = method === "POST" ? new URLSearchParams({ "List-Unsubscribe": "One-Click" }) : null
          const rrset = await fetch(`${baseUrl}${at}`, { method, body })
          return { status: rrset.status, type: rrset.headers.get("content-type"), text: await rrset.text() }
        })
      const check = Effect.map(call("GET", "/v1/email/blocks/check?email=grace@example.com"), ({ body }) => body)

      const viewed = yield* request("GET")
      assert.deepStrictEqual([viewed.status, viewed.type], [200, "text/html; charset=utf-8"])
      assert.include(viewed.text, "Grace@example.com")
      assert.include(viewed.text, '<form method="post">')
      assert.strictEqual((yield* request("HEAD")).status, 200)
      assert.deepStrictEqual(yield* check, { blocked: false, blocks: [] })

      const forged = path.replace(/.$/, (last) => (last === "0" ? "1" : "0"))
      for (const method of ["GET", "POST"]) assert.strictEqual((yield* request(method, forged)).status, 404, method)
      assert.deepStrictEqual(yield* check, { blocked: false, blocks: [] })

      assert.strictEqual((yield* request("POST")).status, 200)
      assert.strictEqual((yield* request("POST")).status, 200)
      const { block, blocked } = yield* check
      assert.isTrue(blocked)
      assert.deepInclude(block, {
        scope: "category",
        category: "marketing",
        reason: "unsubscribe",
        source: "recipient",
        sourceMessageId: id
      })
      const { body: blocks } = yield* call("GET", "/v1/email/blocks")
      assert.lengthOf(blocks.items, 1)
      const next = yield* settled((yield* accepted(fields, news)).id, "failed")
      assert.strictEqual(next.errorDetails.code, "recipient_blocked")

      // Mail that is not marketing has no List-Unsubscribe, and is still sent.
      const other = yield* arrival({ ...fields, categories: ["news"] }, news)
      assert.notMatch(other.mail.raw, /^list-unsubscribe/im)
    })
  )
})

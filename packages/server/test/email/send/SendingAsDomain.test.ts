import { assert, layer } from "@effect/vitest"
import type { DnsAnswer } from "@switchboard/channels/testing/network/DnsServer"
import { Effect } from "effect"
import { authenticate } from "mailauth"
import { LiveService, send, until } from "../../LiveService.js"
import { asFirstOrganization, ReceivingService, receivingDomain, verifiedDomain } from "../ReceivingService.js"

/** Authenticates a mail with a third-party verifier over the same records. */
const received = (zone: Record<string, DnsAnswer>, raw: string, mailFrom: string) =>
  Effect.promise(() =>
    authenticate(raw, {
      ip: "192.0.2.1",
      helo: "mail.switchboard.test",
      sender: mailFrom,
      mta: "receiver.test",
      resolver: (name, type) => {
        const rrset = zone[name.toLowerCase()]
        const found = typeof rrset === "object" ? rrset : []
        const texts = found.flatMap((record) => (type === "TXT" && record.type === "TXT" ? [[...record.chunks]] : []))
        return texts.length > 0
          ? Promise.resolve(texts)
          : Promise.reject(Object.assign(new Error("no such record"), { code: "ENOTFOUND" }))
      }
    })
  ).pipe(
    Effect.map(({ dkim, dmarc }) => ({
      dkim: dkim.results.map(({ selector, signingDomain, status }) => [selector, signingDomain, status.result]),
      dmarc: dmarc === false ? "none" : String(dmarc.status.result)
    }))
  )

/** Sends a message; returns it with its mail at the relay. */
const arrival = Effect.fnUntraced(function* (...parameters: Parameters<typeof send>) {
  const { call, mails } = yield* LiveService
  const message = send(...parameters)
  const { body, status } = yield* call("POST", "/v1/messages", message)
  assert.strictEqual(status, 201, JSON.stringify(body))
  const arrived = yield* until(
    Effect.sync(() => mails.find(({ parsed }) => parsed.subject === message.email.subject)),
    (mail) => mail !== undefined
  )
  return { id: body.id, mail: arrived ?? assert.fail("nothing came") }
})

layer(ReceivingService.Shared, { excludeTestServices: true })("Mail of a verified domain", (it) => {
  it.effect("passes DKIM and DMARC, before and after a key rotation", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { zone } = yield* ReceivingService
      const made = yield* verifiedDomain("signing.test")
      const sent = arrival({}, { from: "Orders <orders@signing.test>" })

      const first = yield* sent
      const old = first.mail
      assert.match(old.mailFrom, new RegExp(`^b\\+${first.id}\\.[0-9a-f]{20}@bounce\\.signing\\.test$`))
      const passed = { dkim: [["sm1", "signing.test", "pass"]], dmarc: "pass" }
      assert.deepStrictEqual(yield* received(zone, old.raw, old.mailFrom), passed)
      const forged = old.raw.replace("Hello", "Hallo")
      assert.notDeepEqual(yield* received(zone, forged, old.mailFrom), passed)

      assert.strictEqual((yield* call("POST", `/v1/email/domains/${made.id}/rotate-dkim`)).status, 200)
      // Keys are cached for seconds.
      const next = yield* until(Effect.delay(sent, "500 millis"), ({ mail }) => mail.raw.includes("s=sm2;"))
      assert.deepStrictEqual(yield* received(zone, next.mail.raw, next.mail.mailFrom), {
        dkim: [["sm2", "signing.test", "pass"]],
        dmarc: "pass"
      })
      assert.deepStrictEqual(yield* received(zone, old.raw, old.mailFrom), passed)
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

  it.effect("has Reply-To of its sender, also in its thread", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      yield* receivingDomain("answering.test", { addresses: ["help"] })
      const sender = { email: "orders@answering.test", name: "Orders", replyTo: "desk@example.com" }
      assert.strictEqual((yield* call("POST", "/v1/email/senders", sender)).status, 201)
      const { id, mail } = yield* arrival({}, { from: sender.email })
      const [signed, ...others] = (mail.parsed.replyTo ?? []).map(({ address = "" }) => address)
      assert.match(signed ?? "", new RegExp(`^r\\+${id}\\.[0-9a-f]{20}@answering\\.test$`))
      assert.deepStrictEqual(others, [sender.replyTo])
      const { body } = yield* call("GET", `/v1/email/${id}`)
      assert.deepStrictEqual(body.replyTo, [sender.replyTo])
      const named = yield* arrival({}, { from: sender.email, replyTo: ["ada@example.com"] })
      assert.deepStrictEqual(
        (named.mail.parsed.replyTo ?? []).map(({ address }) => address),
        ["ada@example.com"]
      )
    })
  )

  it.effect("unsubscribes its recipient by one-click POST, and not by GET", () =>
    Effect.gen(function* () {
      const { baseUrl, call } = yield* LiveService
      const { zone } = yield* ReceivingService
      yield* verifiedDomain("news.test")
      const news = { from: "news@news.test" }
      const fields = { categories: ["marketing"], to: [{ email: "Grace@example.com" }] }
      const { id, mail } = yield* arrival(fields, news)
      assert.deepInclude(yield* received(zone, mail.raw, mail.mailFrom), { dkim: [["sm1", "news.test", "pass"]] })
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

      for (const at of [
        `${path}0`,
        path.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
        "/v1/email/unsubscribe?token=x",
        "/v1/email/unsubscribe"
      ]) {
        const [page, post] = [yield* request("GET", at), yield* request("POST", at)]
        assert.deepStrictEqual([page.status, post.status], [404, 404])
        assert.include(post.text, "ResourceNotFoundError")
      }
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
      const { body: kept } = yield* call("POST", "/v1/messages", send(fields, news))
      yield* until(
        Effect.map(call("GET", `/v1/messages/${kept.id}`), ({ body }) => body.errorDetails?.code),
        (code) => code === "recipient_blocked"
      )

      // Mail that is not marketing has no List-Unsubscribe.
      const other = yield* arrival({ categories: ["news"] }, news)
      assert.notMatch(other.mail.raw, /^list-unsubscribe/im)
    })
  )
})

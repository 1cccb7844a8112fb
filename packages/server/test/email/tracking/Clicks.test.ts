import { assert, layer } from "@effect/vitest"
import { mailboxUserAgent } from "@switchboard/domain/email/tracking/TrackedRequest"
import { Effect } from "effect"
import { accepted, LiveService, messageOf, relayed, settled, until } from "../../LiveService.js"
import { ReceivingService, verifiedDomain } from "../ReceivingService.js"
import { follow } from "./FollowLink.js"

const scanner = "Mozilla/5.0 (Proofpoint URL Defense)"

const linksIn = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, link = ""]) => link)

/** A mail that was sent, with its links, once it is sent. */
const sent = Effect.fnUntraced(function* (from: string, email: Readonly<Record<string, unknown>> = {}) {
  const to = [{ email: "ada@example.com" }]
  const html = '<a href="https://shop.test/?a=1&amp;b=2">Shop</a> <a href="mailto:us@shop.test">Us</a>'
  const { id } = yield* accepted({ to }, { from, html, ...email })
  yield* settled(id, "sent")
  const { parsed } = yield* relayed(({ raw }) => raw.includes(id))
  return { id, links: linksIn(parsed.html ?? "") }
})

layer(ReceivingService.Shared, { excludeTestServices: true })("A tracked link", (it) => {
  it.effect("leads to its target; a click of a person makes the message read, with an event and figures", () =>
    Effect.gen(function* () {
      const { baseUrl, call } = yield* LiveService
      yield* verifiedDomain("clicks.test")
      const { id, links } = yield* sent("Shop <shop@clicks.test>", { trackClicks: true })
      const [link = "", address] = links
      assert.strictEqual(address, "mailto:us@shop.test")
      assert.strictEqual(new URL(link).hostname, new URL(baseUrl).hostname)
      const target = [302, "https://shop.test/?a=1&b=2"]
      assert.deepStrictEqual(yield* follow(link, scanner), target)
      const { emailMetadata, status } = yield* until(messageOf(id), (found) => found.emailMetadata.clicks !== undefined)
      assert.deepStrictEqual([status, emailMetadata.clicks[0].isLikelyBot], ["sent", true])
      assert.deepStrictEqual(yield* follow(link, mailboxUserAgent), target)
      const read = yield* settled(id, "read")
      const { at: _, ...click } = read.emailMetadata.clicks.at(-1)
      assert.deepStrictEqual(click, { url: target[1], recipient: "ada@example.com", userAgent: mailboxUserAgent })
      const { body: timeline } = yield* call("GET", `/v1/messages/${id}/timeline`)
      assert.deepStrictEqual(
        timeline.events
          .filter(({ type }: { readonly type: string }) => type === "message.clicked")
          .map(({ metadata, recipient }: Readonly<Record<string, unknown>>) => [recipient, metadata]),
        [["ada@example.com", { url: target[1] }]]
      )
      const { body: stats } = yield* until(call("GET", "/v1/email/stats"), ({ body }) => body.totalClicked === 1)
      assert.strictEqual(stats.clickRate, 1)
      assert.strictEqual((yield* follow(`${link}0`, mailboxUserAgent))[0], 404)
    })
  )

  it.effect("is the default of a domain, and leads over the domain's own host once its record is found", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { zone } = yield* ReceivingService
      const { id } = yield* verifiedDomain("tracked.test")
      const change = (fields: Readonly<Record<string, unknown>>) => call("PATCH", `/v1/email/domains/${id}`, fields)
      assert.strictEqual((yield* change({ trackingDomain: "bounce.tracked.test" })).status, 422)
      const { body } = yield* change({ trackClicks: true, trackingDomain: "links.tracked.test" })
      const { name, value } = body.dnsRecords.find(({ type }: { readonly type: string }) => type === "CNAME")
      assert.deepStrictEqual([name, value], ["links.tracked.test", "127.0.0.1"])
      zone[name] = [{ type: "CNAME", target: value }]
      const { body: verified } = yield* call("POST", "/v1/email/domains/verify", { domain: "tracked.test" })
      assert.deepInclude(verified.records.at(-1), { type: "CNAME", state: "ok" })
      const { links } = yield* sent("Shop <shop@tracked.test>")
      const [link = ""] = links
      assert.strictEqual(new URL(link).hostname, "links.tracked.test")
      assert.deepStrictEqual(yield* follow(link, mailboxUserAgent), [302, "https://shop.test/?a=1&b=2"])
      const { links: plain } = yield* sent("Shop <shop@tracked.test>", { trackClicks: false })
      assert.strictEqual(plain[0], "https://shop.test/?a=1&amp;b=2")
    })
  )
})

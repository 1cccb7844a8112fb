import { mailboxUserAgent, requestClient } from "@switchboard/domain/email/tracking/TrackedRequest"
import { assert, describe, it } from "vitest"

const get = (headers: Readonly<Record<string, string>> = {}) => ({ method: "GET", headers })
const by = (userAgent: string) => get({ "user-agent": userAgent })

const safari =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15"

describe("A request for a tracking image or a tracked link", () => {
  it.each([
    ["Apple's mail privacy protection", by("Mozilla/5.0")],
    ["Yahoo's proxy", by("YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html")],
    ["Outlook's preview", by(`${safari} BingPreview/1.0b`)],
    ["Teams' preview", by("Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5")],
    ["a gateway", by("Mozilla/5.0 (compatible; BarracudaCentral; +https://www.barracudacentral.org)")],
    ["another gateway", by("Mozilla/5.0 (Proofpoint URL Defense)")],
    ["a bot", by("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)")],
    ["a chat's link preview bot", by("Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)")],
    ["a headless browser", by("Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/131.0.0.0 Safari/537.36")],
    ["a browser that prefetches", get({ "user-agent": safari, "sec-purpose": "prefetch;prerender" })],
    ["an older browser that prefetches", get({ "user-agent": safari, purpose: "prefetch" })],
    ["Safari's preview", get({ "user-agent": safari, "x-purpose": "preview" })],
    ["a HEAD request", { method: "HEAD", headers: { "user-agent": safari } }]
  ])("by %s is automatic", (_, request) => {
    assert.strictEqual(requestClient(request), "automatic")
  })

  it.each([
    ["a browser", by(safari)],
    ["Apple Mail without the protection", by("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15")],
    [
      "Gmail, when the mail is opened",
      by("Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)")
    ],
    ["Outlook on a desktop", by("Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Microsoft Outlook 16.0.5)")],
    ['a phone with "bot" in its model name', by("Mozilla/5.0 (Linux; Android 12; CUBOT NOTE 20) AppleWebKit/537.36")],
    ["curl", by("curl/8.5.0")],
    ["a client without a User-Agent", get()]
  ])("by %s can be by a reader", (_, request) => {
    assert.strictEqual(requestClient(request), "other")
  })

  it("by the local mailbox is a simulation, unless it prefetches", () => {
    assert.strictEqual(requestClient(by(mailboxUserAgent)), "mailbox")
    assert.strictEqual(requestClient({ method: "HEAD", headers: { "user-agent": mailboxUserAgent } }), "automatic")
  })
})

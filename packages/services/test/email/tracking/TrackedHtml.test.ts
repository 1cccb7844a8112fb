import { assert, it } from "@effect/vitest"
import type { Tracking } from "@switchboard/domain/email/tracking/Tracking"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { trackedHtml } from "@switchboard/services/email/tracking/TrackedHtml"
import {
  clickPath,
  clickUrl,
  openUrl,
  parseClickToken,
  trackingUrl
} from "@switchboard/services/email/tracking/TrackingLinks"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { Effect, Layer, Option, Redacted } from "effect"

const Live = Signatures.Live.pipe(
  Layer.provide(Layer.succeed(MasterKey, Redacted.make<Uint8Array>(new Uint8Array(32))))
)
const messageId = MessageId.make("0192f0c1-2345-7abc-8def-0123456789ff")
const organizationId = OrganizationId.make("0192f0c1-2345-7abc-8def-0123456789ab")
const mail = { messageId, organizationId, place: 12 }
const baseUrl = "https://mail.example.com"
const opens: Tracking = { trackOpens: true, trackClicks: false }
const clicks: Tracking = { trackOpens: false, trackClicks: true }

const track = (html: string, tracking: Tracking, isExempt: (target: string) => boolean = () => false) =>
  Effect.map(Signatures, (signatures) => trackedHtml(html, { signatures, baseUrl, mail, tracking, isExempt }))

const linkTo = (url: string) => Effect.map(Signatures, (signatures) => clickUrl(signatures, baseUrl, { ...mail, url }))

it.layer(Live)("The tracking image", (it) => {
  it.effect.each<readonly [string, string, string]>([
    ["html without a body", "<p>Hello</p>", "<p>Hello</p>|"],
    ["a page", "<html><body><p>Hello</p></body></html>", "<html><body><p>Hello</p>|</body></html>"],
    ["a page in capitals", "<BODY>Hello</BODY >\n", "<BODY>Hello|</BODY >\n"],
    [
      "a page with a body tag in a comment",
      "<body><!-- </body> --><p>Hello</p></body>",
      "<body><!-- </body> --><p>Hello</p>|</body>"
    ],
    ["text with replacement patterns", "<p>$& $1</p>", "<p>$& $1</p>|"],
    ["no html", "", ""]
  ])("is inserted at the end of %s", ([_, html, expected]) =>
    Effect.gen(function* () {
      const image = `<img src="${openUrl(yield* Signatures, baseUrl, mail)}" width="1" height="1" alt="">`
      assert.strictEqual(
        yield* track(html, opens),
        expected.replace("|", () => image)
      )
    })
  )
})

/** The HTML with the link at `|`, and the target of its redirect. */
type Case = readonly [name: string, html: string, value: string, target: string]

const shop = "https://shop.test/"

it.layer(Live)("A tracked link", (it) => {
  it.effect.each<Case>([
    ["in double quotes", '<a class=x href="|" id=y>Shop</a>', shop, shop],
    ["in single quotes", "<a href='|'>Shop</a>", `${shop}?q="x"`, `${shop}?q="x"`],
    ["without quotes", "<a href=| target=_blank>Shop</a>", `${shop}a/`, `${shop}a/`],
    ["without quotes at the end of its tag", "<a href=|>Shop</a>", shop, shop],
    ["with white space around its parts", '<a\n\thref\n = \t"|"\n>Shop</a>', `\n ${shop} `, shop],
    ["in capitals", '<A HREF="|">Shop</A>', "HTTP://SHOP.TEST/A", "HTTP://SHOP.TEST/A"],
    ["of an image map", '<map><area shape=default href="|"/></map>', shop, shop],
    [
      "with &amp;, which is decoded once",
      '<a href="|">Shop</a>',
      `${shop}?a=1&amp;b=2&amp;amp;c`,
      `${shop}?a=1&b=2&amp;c`
    ],
    [
      "with other character references",
      '<a href="|">Shop</a>',
      "&#104;ttps&#x3A;//shop.test/&quot;",
      'https://shop.test/"'
    ],
    [
      "with parameters that look like entities",
      '<a href="|">Shop</a>',
      `${shop}?a=1&copy=2&lt=3`,
      `${shop}?a=1&copy=2&lt=3`
    ],
    [
      "with white space and other characters",
      '<a href="|">Shop</a>',
      "https://shöp.test/a b\n/ü?q=“",
      "https://xn--shp-tna.test/a%20b/%C3%BC?q=%E2%80%9C"
    ],
    ["before its other attributes", '<a href="|" href="https://second.test/">Shop</a>', shop, shop],
    ["after a comment", '<!-- <a href="https://old.test/"> --><a href="|">Shop</a>', shop, shop],
    [
      "after a script and a style",
      '<script>"<a href=\'http://s.test\'>"</script><style>/*<a href="http://s.test">*/</style><a href="|">',
      shop,
      shop
    ],
    [
      "in a conditional comment of Outlook",
      '<!--[if mso]><v:roundrect xmlns:v="urn:x" href="|"></v:roundrect><![endif]--><p>',
      shop,
      shop
    ],
    ["in a comment for other programs", '<!--[if !mso]><!--><a href="|">Shop</a><!--<![endif]-->', shop, shop],
    ["beside text with replacement patterns", '<p>$& $1 &amp; "</p><a href="|">$&</a>', shop, shop],
    ["with a template's braces", '<a href="|">Shop</a>', `${shop}{{id}}#part`, `${shop}{{id}}#part`],
    [
      "with a name and a password",
      '<a href="|">Shop</a>',
      "http://ada:secret@shop.test:8080/",
      "http://ada:secret@shop.test:8080/"
    ]
  ])("%s leads over the service, and the rest of the HTML stays", ([_, html, value, target]) =>
    Effect.gen(function* () {
      const link = yield* linkTo(target)
      assert.strictEqual(
        yield* track(
          html.replace("|", () => value),
          clicks
        ),
        html.replace("|", () => link)
      )
      const token = link.slice(`${baseUrl}${clickPath}`.length)
      assert.deepStrictEqual(parseClickToken(yield* Signatures, token), Option.some({ ...mail, url: target }))
    })
  )

  it.effect.each<readonly [string, string]>([
    ["with data-no-track", '<a href="https://shop.test/" data-no-track>Shop</a>'],
    ["with data-no-track before it, in capitals", '<A DATA-NO-TRACK="" HREF="https://shop.test/">Shop</A>'],
    ["to unsubscribe", '<a href="https://shop.test/Unsubscribe?u=1">Stop</a>'],
    ["to a mail address", '<a href="mailto:ada@shop.test">Ada</a>'],
    ["to a fragment", '<a href="#part">Part</a><a href="">Top</a><a href>Top</a>'],
    ["to a script", '<a href="javascript:alert(1)">Run</a><a href=" java&#10;script:alert(1)">Run</a>'],
    ["without a scheme", '<a href="//shop.test/">Shop</a><a href="shop.html">Shop</a><a href="https:/shop.test">x</a>'],
    ["that is not a URL", '<a href="https://[shop/">Shop</a><a href="http://">Shop</a>'],
    ["to data and files", '<a href="data:text/html,x">x</a><a href="cid:1">x</a><a href="tel:+491">x</a>'],
    [
      "of another element",
      '<link href="https://shop.test/x.css"><base href="https://shop.test/"><img src="https://shop.test/">'
    ],
    [
      "in a comment",
      '<!-- <a href="https://shop.test/">Shop</a> --><!--[not a condition] <a href="https://shop.test/"> -->'
    ],
    ["in text", 'href="https://shop.test/" &lt;a href="https://shop.test/"&gt;'],
    ["in a tag without an end", '<p>Hello</p><a href="https://shop.test/"'],
    ["that is longer than 5,000 octets", `<a href="https://shop.test/${"x".repeat(5_000)}">Shop</a>`]
  ])("%s stays as it is", ([_, html]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* track(html, clicks), html)
    })
  )

  it.effect("that is exempt stays as it is, and its neighbours do not", () =>
    Effect.gen(function* () {
      const html = (other: string) => `<a href="https://shop.test/?a&amp;b">A</a><a href="${other}">B</a>`
      const tracked = yield* track(html(shop), clicks, (target) => target === "https://shop.test/?a&b")
      assert.strictEqual(tracked, html(yield* linkTo(shop)))
    })
  )

  it.effect("is only in mail whose clicks are tracked", () =>
    Effect.gen(function* () {
      const html = `<a href="${shop}">Shop</a>`
      assert.strictEqual(yield* track(html, { trackOpens: false, trackClicks: false }), html)
      assert.include(yield* track(html, opens), html)
      const both = yield* track(html, { trackOpens: true, trackClicks: true })
      assert.include(both, `<a href="${yield* linkTo(shop)}">Shop</a><img src="`)
    })
  )

  it.effect("is one of 2,000 in 5 MB of HTML, and in markup that nests or does not end", () =>
    Effect.gen(function* () {
      const paragraph = `<p>${"text &amp; more ".repeat(160)}</p>`
      const html = Array.from({ length: 2_000 }, (_, at) => `${paragraph}<a href="${shop}${at}">Shop</a>`).join("")
      assert.isAbove(html.length, 4_500_000)
      const tracked = yield* track(html, clicks)
      assert.strictEqual(tracked.split(`"${baseUrl}${clickPath}`).length, 2_001)
      assert.isTrue(tracked.endsWith(`${paragraph}<a href="${yield* linkTo(`${shop}1999`)}">Shop</a>`))
      for (const piece of [
        "<",
        "<a ",
        "<a href=",
        "<!--",
        "<!--[if mso]>",
        "<a href='",
        "&",
        "</body",
        "<body>",
        "<script>"
      ]) {
        const broken = piece.repeat(Math.ceil(1_000_000 / piece.length))
        assert.strictEqual(yield* track(broken, clicks), broken)
        assert.isTrue((yield* track(broken, opens)).startsWith(broken))
      }
    })
  )
})

it("The base of links has the host of the domain, with the scheme, port and path of PUBLIC_URL", () => {
  assert.strictEqual(trackingUrl("https://mail.example.com", null), "https://mail.example.com")
  assert.strictEqual(trackingUrl("https://mail.example.com", "links.shop.test"), "https://links.shop.test")
  assert.strictEqual(trackingUrl("http://mail.test:3000/base", "links.shop.test"), "http://links.shop.test:3000/base")
})

import { assert, layer } from "@effect/vitest"
import { mailboxUserAgent } from "@switchboard/domain/email/tracking/TrackedRequest"
import { Array, Effect } from "effect"
import { LiveService, relayed, settled } from "../../LiveService.js"
import { authenticator } from "../Authenticate.js"
import { ReceivingService, verifiedDomain } from "../ReceivingService.js"
import { follow } from "../tracking/FollowLink.js"
import { idOf, SubmissionService, transaction } from "./SubmissionService.js"

const Live = SubmissionService.layer((settings) => ReceivingService.layer(settings))

/** A mail of text and HTML in Windows-1252, with a link and one to unsubscribe. */
const htmlMail = (sender: string, subject: string, ...fields: ReadonlyArray<string>) => [
  "MIME-Version: 1.0",
  `From: Shop <${sender}>`,
  "To: ada@world.test, bob@world.test",
  `Subject: ${subject}`,
  `Message-ID: <${subject}@shop.test>`,
  "Date: Mon, 30 Nov 2026 07:00:00 +0000",
  "List-Unsubscribe: <mailto:stop@shop.test>,",
  " <https://shop.test/lists/1>",
  ...fields,
  'Content-Type: multipart/alternative; boundary="b"',
  "",
  "--b",
  "",
  "https://shop.test/  ",
  "--b",
  "Content-Type: text/html; charset=windows-1252",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  '<body><p>Gr=FC=DFe <a href=3D"https://shop.test/?a=3D1&amp;b=3D2">Shop</a>',
  '<a href=3D"https://shop.test/lists/1">Stop</a></p></body>',
  "--b--"
]

const linksIn = (html: string | false | undefined) =>
  [...String(html).matchAll(/href="([^"]*)"/g)].map(([, link = ""]) => link)

/** The mail to a recipient, from its first field that was submitted on. */
const arrival = (subject: string, recipient: string) =>
  Effect.map(
    relayed(({ parsed, rcptTo }) => parsed.subject === subject && Array.contains([...rcptTo], recipient)),
    (mail) => ({ ...mail, asSubmitted: mail.raw.slice(mail.raw.indexOf("MIME-Version")) })
  )

layer(Live, { excludeTestServices: true })("A submitted mail", (it) => {
  it.scoped("with the fields is tracked for each recipient, and signed", () =>
    Effect.gen(function* () {
      const { zone } = yield* ReceivingService
      yield* verifiedDomain("tracked.test")
      const fields = ["X-Switchboard-Track-Opens: true", "X-Switchboard-Track-Clicks: True"]
      const lines = htmlMail("orders@tracked.test", "both", ...fields)
      const id = idOf(yield* transaction(["ada@world.test", "bob@world.test"], lines))
      yield* settled(id, "sent")
      const [ada, bob] = [yield* arrival("both", "ada@world.test"), yield* arrival("both", "bob@world.test")]
      assert.deepStrictEqual([[...ada.rcptTo], [...bob.rcptTo]], [["ada@world.test"], ["bob@world.test"]])

      const part = ada.asSubmitted.indexOf("<body>")
      const plain = htmlMail("orders@tracked.test", "both").join("\r\n")
      assert.strictEqual(ada.asSubmitted.slice(0, part), plain.slice(0, plain.indexOf("<body>")))
      assert.isTrue(ada.asSubmitted.endsWith("</body>\r\n--b--\r\n"))
      const html = String(ada.parsed.html)
      assert.match(html, /^<body><p>Grüße <a href="[^"]*">Shop<\/a>\r?\n/)
      assert.match(html, /<\/p><img src="[^"]*\/v1\/email\/open\?token=[^"]*" width="1" height="1" alt=""><\/body>\s*$/)
      const [link = "", unsubscribe] = linksIn(html)
      assert.strictEqual(unsubscribe, "https://shop.test/lists/1")
      assert.notInclude(linksIn(bob.parsed.html), link)

      const authenticate = yield* authenticator(zone)
      for (const { mailFrom, raw } of [ada, bob]) {
        const { dkim } = yield* authenticate(raw, mailFrom)
        assert.deepStrictEqual(
          dkim.results.map(({ status }) => status.result),
          ["pass"]
        )
      }
      assert.deepStrictEqual(yield* follow(link, mailboxUserAgent), [302, "https://shop.test/?a=1&b=2"])
      const { emailMetadata } = yield* settled(id, "read")
      assert.deepInclude(emailMetadata.clicks[0], { url: "https://shop.test/?a=1&b=2", recipient: "ada@world.test" })
    })
  )

  it.effect("without the fields goes out as it came, unless its domain tracks mail", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const domain = yield* verifiedDomain("plain.test")
      const arrived = Effect.fnUntraced(function* (subject: string, ...fields: ReadonlyArray<string>) {
        idOf(yield* transaction(["ada@world.test"], htmlMail("orders@plain.test", subject, ...fields)))
        return (yield* arrival(subject, "ada@world.test")).asSubmitted
      })
      const asSubmitted = (subject: string) => `${htmlMail("orders@plain.test", subject).join("\r\n")}\r\n`
      assert.strictEqual(yield* arrived("plain"), asSubmitted("plain"))
      yield* call("PATCH", `/v1/email/domains/${domain.id}`, { trackClicks: true })
      assert.notStrictEqual(yield* arrived("default"), asSubmitted("default"))
      const field = "X-Switchboard-Track-Clicks: false"
      assert.strictEqual(yield* arrived("excepted", field), asSubmitted("excepted"))
    })
  )
})

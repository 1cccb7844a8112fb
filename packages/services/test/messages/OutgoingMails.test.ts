import { createPublicKey } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { untracked } from "@switchboard/domain/email/tracking/Tracking"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { makeDkimKey, sealDkimKey } from "@switchboard/services/email/domains/DkimKeys"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { clickPath, clickToken, openPath } from "@switchboard/services/email/tracking/TrackingLinks"
import { LogThrottle } from "@switchboard/services/LogThrottle"
import type { TakenOf } from "@switchboard/services/messages/delivery/DeliveryQueue"
import { RemoteRelay } from "@switchboard/services/messages/delivery/MailTransport"
import { OutgoingMails } from "@switchboard/services/messages/delivery/OutgoingMails"
import { SecretBox, Signatures } from "@switchboard/services/SecretBox"
import { DateTime, Effect, HashMap, Layer, Logger, Option } from "effect"
import { v7 } from "uuid"
import { ada, bob, message, outgoingMails, Secrets } from "./Attempt.js"

/** A scheduled time after the acceptance. */
const later = DateTime.unsafeMake("2026-01-03T08:30:00.000Z")
const own = OrganizationId.make(v7())

const messageFrom = (
  organizationId: OrganizationId,
  from: string,
  replyTo: ReadonlyArray<string> = [],
  replyToOfSender = false
): TakenOf<"email"> => ({
  ...message,
  organizationId,
  content: { ...message.content, html: "", from, replyTo, replyToOfSender },
  addressing: { ...message.addressing, cc: [], bcc: [] },
  dueSince: later
})

/**
 * The verified domains `shop.test` and `desk.test` and the degraded `late.test` of one organization. `desk.test`
 * receives.
 */
const domains = Effect.gen(function* () {
  const box = yield* SecretBox
  const pair = yield* makeDkimKey
  const id = EmailDomainId.make(v7())
  const sealed = sealDkimKey(box, id, "sm2", pair)
  return {
    publicKey: pair.publicKey,
    repo: Layer.mock(DomainRepo, {
      signingKey: (organization, domain) =>
        Effect.succeed(
          organization === own && ["shop.test", "desk.test", "late.test"].includes(domain)
            ? Option.some({
                id,
                selector: "sm2" as const,
                sealed,
                isVerified: domain !== "late.test",
                receives: domain === "desk.test",
                trackingDomain: domain === "shop.test" ? "links.shop.test" : null,
                ...untracked
              })
            : Option.none()
        )
    })
  }
})

it.layer(Secrets)("OutgoingMails", (it) => {
  it.effect("warns of mail from the local domain if the relay is on another host", () =>
    Effect.gen(function* () {
      const { repo } = yield* domains
      const warnings = (from: string, isRemote: boolean) =>
        Effect.gen(function* () {
          const logged: Array<unknown> = []
          const logger = Logger.make(({ annotations, logLevel, message: text }) => {
            logged.push([
              logLevel.label,
              String(text).slice(0, 24),
              Option.getOrNull(HashMap.get(annotations, "messageId"))
            ])
          })
          yield* Effect.flatMap(OutgoingMails, ({ outgoing }) => outgoing(messageFrom(own, from), [ada])).pipe(
            Effect.provide(Layer.provide(outgoingMails(repo), Layer.succeed(RemoteRelay, isRemote))),
            Effect.provideService(LogThrottle, new Map()),
            Effect.provide(Logger.replace(Logger.defaultLogger, logger))
          )
          return logged
        })
      const warning = ["WARN", "Mail from localhost.test", "0192f0c1-2345-7abc-8def-0123456789ff"]
      for (const from of ["hello@localhost.test", "Hello <hello@other.LOCALHOST.test>"]) {
        assert.deepStrictEqual(yield* warnings(from, true), [warning])
        assert.deepStrictEqual(yield* warnings(from, false), [])
      }
      for (const from of ["orders@shop.test", "hello@notlocalhost.test"]) {
        assert.deepStrictEqual(yield* warnings(from, true), [])
      }
    })
  )

  it.effect("tracks links over the host of the sender's domain, except those to this service or to unsubscribe", () =>
    Effect.gen(function* () {
      const { repo } = yield* domains
      const signatures = yield* Signatures
      const exempt = [
        "https://mail.example.com/v1/email/senders/confirm?token=a.b.c",
        "https://shop.test/lists/1",
        "https://shop.test/UNSUBSCRIBE"
      ]
      const html = (link: string) => [link, ...exempt].map((url) => `<a href="${url}">Link</a>`).join("")
      const written = (from: string, trackOpens: boolean) =>
        Effect.flatMap(OutgoingMails, ({ outgoing }) => {
          const { addressing, content, ...rest } = messageFrom(own, from)
          const headers = { "list-unsubscribe": "<mailto:stop@shop.test>, <https://shop.test/lists/1>" }
          const tracked = { ...content, html: html("https://shop.test/?a&amp;b") }
          return outgoing(
            { ...rest, content: tracked, addressing: { ...addressing, headers }, trackOpens, trackClicks: true },
            [bob]
          )
        }).pipe(Effect.provide(outgoingMails(repo)))
      const { messageId } = message
      const link = { organizationId: own, messageId, place: 1, url: "https://shop.test/?a&b" }
      for (const [from, host] of [
        ["orders@shop.test", "links.shop.test"],
        ["orders@desk.test", "mail.example.com"],
        ["hello@localhost.test", "mail.example.com"]
      ] as const) {
        const expected = html(`https://${host}${clickPath}${clickToken(signatures, link)}`)
        assert.strictEqual((yield* written(from, false)).html, expected)
        const both = (yield* written(from, true)).html
        assert.isTrue(both.startsWith(`${expected}<img src="https://${host}${openPath}?token=`), both)
      }
    })
  )

  it.effect("tracks the HTML of a submitted mail for its recipient, and leaves its octets to the transport", () =>
    Effect.gen(function* () {
      const { repo } = yield* domains
      const octets = new TextEncoder().encode("Subject: Hello\r\n\r\n")
      const mailOf = (trackClicks: boolean) =>
        Effect.flatMap(OutgoingMails, ({ outgoing }) => {
          const { addressing, content, ...rest } = messageFrom(own, "orders@shop.test")
          return outgoing(
            {
              ...rest,
              content: { ...content, html: "<p>Hello</p>" },
              addressing: { ...addressing, submitted: true },
              attachments: [{ filename: "mail.eml", contentType: "message/rfc822", contentId: null, content: octets }],
              trackClicks
            },
            [bob]
          )
        }).pipe(Effect.provide(outgoingMails(repo)))
      const { submitted } = yield* mailOf(true)
      const link = (url: string) => `<a href="${url}">Link</a>`
      const list = "https://shop.test/lists/1"
      const token = clickToken(yield* Signatures, {
        organizationId: own,
        messageId: message.messageId,
        place: 1,
        url: "https://shop.test/"
      })
      assert.strictEqual(submitted?.octets, octets)
      assert.strictEqual(
        submitted?.trackHtml?.(link("https://shop.test/") + link(list), `<mailto:stop@shop.test>, <${list}>`),
        link(`https://links.shop.test${clickPath}${token}`) + link(list)
      )
      assert.deepStrictEqual((yield* mailOf(false)).submitted, { octets, trackHtml: null })
    })
  )

  it.effect(
    "signs with the verified domain of the organization and sets return path, Reply-To and List-Unsubscribe",
    () =>
      Effect.gen(function* () {
        const { publicKey, repo } = yield* domains
        const { sign } = yield* Signatures
        const write = (
          organization: OrganizationId,
          from: string,
          categories: ReadonlyArray<string> = [],
          replyTo: ReadonlyArray<string> = [],
          replyToOfSender = false,
          headers: Readonly<Record<string, string>> = {}
        ) =>
          Effect.flatMap(OutgoingMails, ({ outgoing }) => {
            const { addressing, ...rest } = messageFrom(organization, from, replyTo, replyToOfSender)
            return outgoing({ ...rest, addressing: { ...addressing, headers }, categories }, [ada])
          }).pipe(Effect.provide(outgoingMails(repo)))
        const verified = yield* write(own, "Orders <Orders@SHOP.test>")
        const id = "0192f0c1-2345-7abc-8def-0123456789ff"
        assert.strictEqual(verified.mailFrom, `b+${id}.${sign("return-path", id)}@bounce.shop.test`)
        assert.isAtMost(verified.mailFrom.indexOf("@"), 64)
        assert.strictEqual(DateTime.formatIso(verified.date), "2026-01-03T08:30:00.000Z")
        assert.strictEqual(verified.from.address, "Orders@shop.test")
        const { domain, privateKey, selector } = verified.dkim ?? assert.fail("unsigned")
        assert.deepStrictEqual([domain, selector], ["shop.test", "sm2"])
        const signer = createPublicKey(privateKey).export({ type: "spki", format: "der" }).toString("base64")
        assert.strictEqual(signer, publicKey)

        assert.notProperty(verified.headers, "List-Unsubscribe")
        const { headers } = yield* write(own, "news@shop.test", ["marketing"])
        assert.strictEqual(headers["List-Id"], "<marketing.shop.test>")
        assert.match(
          headers["List-Unsubscribe"] ?? "",
          /^<https:\/\/mail\.example\.com\/v1\/email\/unsubscribe\?token=[\w.-]+>, <mailto:[^<>]+>$/
        )
        const ofList = yield* write(own, "news@shop.test", ["marketing"], [], false, { "list-id": "<a.shop.test>" })
        assert.deepStrictEqual([ofList.headers["list-id"], ofList.headers["List-Id"]], ["<a.shop.test>", undefined])
        const signature = sign("unsubscribe-address", `${id}.${ada}`)
        assert.include(headers["List-Unsubscribe"], `<mailto:u+${id}.${signature}@bounce.shop.test>`)
        // Without a verified domain, mail to the return path may arrive elsewhere.
        for (const from of ["news@late.test", "news@elsewhere.test"]) {
          const { headers: without } = yield* write(own, from, ["marketing"])
          assert.match(without["List-Unsubscribe"] ?? "", /^<https:[^<>]+>$/)
        }

        assert.deepStrictEqual(verified.replyTo, [])
        const received = yield* write(own, "help@desk.test")
        assert.deepStrictEqual(received.replyTo, [{ address: `r+${id}.${sign("reply-address", id)}@desk.test` }])
        const elsewhere = yield* write(own, "help@desk.test", [], ["list@desk.test", "Team, A <a@desk.test>"])
        assert.deepEqual(elsewhere.replyTo as object, [
          { address: "list@desk.test" },
          { name: "Team, A", address: "a@desk.test" }
        ])
        // A sender with its own Reply-To gets replies there, in addition to the thread.
        const ofSender = yield* write(own, "help@desk.test", [], ["ada@example.com"], true)
        assert.deepStrictEqual(ofSender.replyTo, [...received.replyTo, { address: ada }])
        const fromShop = yield* write(own, "help@shop.test", [], ["ada@example.com"], true)
        assert.deepStrictEqual(fromShop.replyTo, [{ address: ada }])

        const degraded = yield* write(own, "orders@late.test")
        assert.deepStrictEqual([degraded.dkim?.domain, degraded.mailFrom], ["late.test", "orders@late.test"])

        for (const [organization, from] of [
          [own, "orders@elsewhere.test"],
          [own, "orders@sub.shop.test"],
          [OrganizationId.make(v7()), "orders@shop.test"]
        ] as const) {
          const unsigned = yield* write(organization, from)
          assert.isNull(unsigned.dkim)
          assert.strictEqual(unsigned.mailFrom, from)
        }
      })
  )
})

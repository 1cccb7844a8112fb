import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService, until } from "../../LiveService.js"
import { deliver, ReceivingService, receivingDomain, sentFrom, sentTo, verifiedDomain } from "../ReceivingService.js"
import { feedbackReport, passedOn, plainComplaint, postfixDsn, qmailBounce } from "./Reports.js"

const unknownUser = { action: "failed", status: "5.1.1", diagnostic: "550 5.1.1 no such user" }
const delivered = { action: "delivered", status: "2.0.0", diagnostic: "250 2.0.0 Ok: queued as 1" }

const messageOf = Effect.fnUntraced(function* (id: string) {
  const { call } = yield* LiveService
  return (yield* call("GET", `/v1/messages/${id}`)).body
})

const becomes = (id: string, status: string) => until(messageOf(id), (message) => message.status === status)

/** The timeline: events of the message, then of its recipients, oldest first. */
const timelineOf = Effect.fnUntraced(function* (id: string) {
  const { call } = yield* LiveService
  const { body } = yield* call("GET", `/v1/messages/${id}/timeline`)
  const events: ReadonlyArray<{ readonly type: string }> = body.events
  return events.map(({ timestamp: _, ...event }: Record<string, unknown>) => event)
})

const check = Effect.fnUntraced(function* (email: string) {
  const { call } = yield* LiveService
  return (yield* call("GET", `/v1/email/blocks/check?email=${encodeURIComponent(email)}`)).body
})

const isBlocked = (email: string) => Effect.map(check(email), ({ block }) => block?.reason ?? null)

const blocksOf = Effect.fnUntraced(function* (email: string) {
  const { blocks } = yield* check(email)
  return blocks.map(({ category, reason, source, sourceMessageId }: Record<string, unknown>) => ({
    category,
    reason,
    source,
    sourceMessageId
  }))
})

const countReceived = Effect.fnUntraced(function* () {
  const { call } = yield* LiveService
  const { body } = yield* call("GET", "/v1/messages?limit=100")
  return body.items.filter(({ direction }: { readonly direction: string }) => direction === "inbound").length
})

layer(ReceivingService.Shared, { excludeTestServices: true })("Feedback", (it) => {
  it.effect("sets bounced, delivered and complained, and blocks unknown and complaining recipients", () =>
    Effect.gen(function* () {
      yield* verifiedDomain("reported.test")
      const from = "orders@reported.test"

      const gone = yield* sentTo(from, "Gone@example.com")
      assert.match(
        yield* deliver("", gone.mail.mailFrom, postfixDsn(gone.mail.mailFrom, "gone@example.com", unknownUser)),
        /^250/
      )
      const bounced = yield* becomes(gone.id, "bounced")
      assert.strictEqual(bounced.lastError, "550 5.1.1 no such user")
      assert.isNotNull(bounced.failedAt)
      const details = { recipient: "Gone@example.com", smtpCode: 550, enhancedCode: "5.1.1", class: "permanent" }
      const timeline = yield* timelineOf(gone.id)
      assert.deepInclude(timeline, {
        type: "message.bounced",
        status: "bounced",
        reason: "delivery_failed",
        metadata: details
      })
      assert.deepInclude(timeline, {
        type: "recipient.bounced",
        recipient: "Gone@example.com",
        reason: "550 5.1.1 no such user",
        metadata: { smtpCode: 550 }
      })
      assert.strictEqual(yield* isBlocked("gone@example.com"), "hard_bounce")

      const there = yield* sentTo(from, "there@example.com")
      yield* deliver("", there.mail.mailFrom, postfixDsn(there.mail.mailFrom, "there@example.com", delivered))
      assert.isNotNull((yield* becomes(there.id, "delivered")).deliveredAt)
      assert.isNull(yield* isBlocked("there@example.com"))

      const angry = yield* sentTo(from, "angry@example.com")
      yield* deliver(
        "abuse@example.com",
        angry.mail.mailFrom,
        feedbackReport(angry.mail.mailFrom, "angry@example.com", "")
      )
      yield* becomes(angry.id, "complained")
      assert.strictEqual(yield* isBlocked("angry@example.com"), "complaint")

      const old = yield* sentTo(from, "old@example.com")
      yield* deliver("", old.mail.mailFrom.toUpperCase(), qmailBounce(old.mail.mailFrom, "old@example.com"))
      yield* becomes(old.id, "bounced")
      assert.strictEqual(yield* isBlocked("old@example.com"), "hard_bounce")

      assert.strictEqual(yield* countReceived(), 0)
    })
  )

  it.effect("is ignored if it is repeated, late, or without a valid return path", () =>
    Effect.gen(function* () {
      yield* verifiedDomain("forged.test")
      const { id, mail } = yield* sentTo("us@forged.test", "ada@example.com", "bob@example.com")
      const forged = [
        mail.mailFrom.replace(/[0-9a-f]{20}@/, `${"0".repeat(20)}@`),
        mail.mailFrom.replace("b+", "r+"),
        mail.mailFrom.replace("@bounce.", "@"),
        mail.mailFrom.replace("forged.test", "elsewhere.test")
      ]
      for (const address of forged) {
        assert.match(
          yield* deliver("", address, postfixDsn(address, "ada@example.com", unknownUser)),
          /^550 5\.[17]\.1/
        )
      }
      const news = (report: typeof unknownUser, recipient: string) =>
        deliver("", mail.mailFrom, postfixDsn(mail.mailFrom, recipient, report))
      const deliveries = (status: string) =>
        until(messageOf(id), ({ emailMetadata }) =>
          emailMetadata.deliveries.some((one: { readonly status: string }) => one.status === status)
        )
      yield* news(unknownUser, "eve@example.com")
      yield* news(unknownUser, "ada@example.com")
      yield* deliveries("bounced")
      yield* news(delivered, "ada@example.com")
      yield* news(unknownUser, "ada@example.com")
      yield* news(delivered, "bob@example.com")
      yield* becomes(id, "delivered")
      const { emailMetadata, status, statusHistory } = yield* messageOf(id)
      assert.strictEqual(status, "delivered")
      assert.deepStrictEqual(
        emailMetadata.deliveries.map(({ recipient, status }: Record<string, string>) => [recipient, status]),
        [
          ["ada@example.com", "bounced"],
          ["bob@example.com", "delivered"]
        ]
      )
      assert.deepStrictEqual(
        statusHistory.map((entry: { readonly status: string }) => entry.status),
        ["pending", "processing", "sent", "delivered"]
      )
      assert.isNull(yield* isBlocked("eve@example.com"))
    })
  )

  it.effect("accepts complaints and opt-outs only with mail that has a signed Feedback-ID", () =>
    Effect.gen(function* () {
      const domain = "loops.test"
      yield* receivingDomain(domain, { addresses: ["fbl", "help"] })
      const from = `news@${domain}`
      const bringTo = (to: string, mail: (to: string) => string) =>
        Effect.map(deliver("eve@example.com", to, mail(to)), (reply) => assert.match(reply, /^250/))
      const fbl = `fbl@${domain}`
      const forged = (raw: string) => raw.replace(/[0-9a-f]{20}(?=:switchboard)/, "0".repeat(20))
      const before = yield* countReceived()
      /** A report to a receiving address also becomes a message, after its effects are stored. */
      const processed = (mails: number) => until(countReceived(), (count) => count === before + mails)

      const plain = yield* sentTo(from, "plain@example.com", "other@example.com")
      assert.notStrictEqual(forged(plain.mail.raw), plain.mail.raw)
      yield* bringTo(fbl, (to) => plainComplaint(to, "plain@example.com", forged(plain.mail.raw)))
      yield* bringTo(fbl, (to) => plainComplaint(to, "eve@example.com", plain.mail.raw))
      yield* bringTo(`help@${domain}`, (to) => passedOn(to, plain.mail.raw))
      yield* processed(3)
      assert.strictEqual((yield* messageOf(plain.id)).status, "sent")
      yield* bringTo(fbl, (to) => plainComplaint(to, "plain@example.com", plain.mail.raw))
      yield* becomes(plain.id, "complained")
      assert.strictEqual(yield* isBlocked("plain@example.com"), "complaint")
      assert.isNull(yield* isBlocked("other@example.com"))

      const leaving = yield* sentTo(from, "leaving@example.com")
      yield* bringTo(fbl, (to) => feedbackReport(to, "leaving@example.com", forged(leaving.mail.raw), "opt-out"))
      yield* bringTo(fbl, (to) => feedbackReport(to, "leaving@example.com", "Subject: Hello", "opt-out"))
      yield* processed(6)
      assert.isNull(yield* isBlocked("leaving@example.com"))
      yield* bringTo(fbl, (to) => feedbackReport(to, "leaving@example.com", leaving.mail.raw, "opt-out"))
      yield* until(isBlocked("leaving@example.com"), (reason) => reason !== null)
      assert.strictEqual(yield* isBlocked("leaving@example.com"), "unsubscribe")
      assert.strictEqual((yield* messageOf(leaving.id)).status, "sent")
    })
  )

  it.effect("unsubscribes by mail to the List-Unsubscribe address, and refuses a forged one", () =>
    Effect.gen(function* () {
      const domain = "leave.test"
      yield* verifiedDomain(domain)
      const options = { categories: ["marketing", "offers"] }
      const { id, mail } = yield* sentFrom(`news@${domain}`, ["Weary@example.com", "staying@example.com"], options)
      const header = mail.parsed.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? ""
      const [, leave = assert.fail(header)] = /<mailto:([^>]+)>$/.exec(header) ?? []
      const [recipient = ""] = mail.rcptTo
      const request = (to: string) => `From: <${recipient}>\nTo: <${to}>\nSubject: unsubscribe\n\n`
      for (const forged of [
        leave.replace(/[0-9a-f]{20}@/, `${"0".repeat(20)}@`),
        leave.replace("u+", "b+"),
        leave.replace("@bounce.", "@"),
        leave.replace(domain, "elsewhere.test")
      ]) {
        assert.match(yield* deliver(recipient, forged, request(forged)), /^550 5\.[17]\.1/, forged)
      }
      assert.deepStrictEqual(yield* blocksOf(recipient), [])
      const before = yield* countReceived()
      for (const to of [leave, leave.toUpperCase()]) {
        assert.match(yield* deliver(recipient, to, request(to)), /^250/)
        assert.deepStrictEqual(yield* blocksOf(recipient), [
          { category: "marketing", reason: "unsubscribe", source: "recipient", sourceMessageId: id },
          { category: "offers", reason: "unsubscribe", source: "recipient", sourceMessageId: id }
        ])
      }
      for (const other of ["Weary@example.com", "staying@example.com"].filter((one) => one !== recipient)) {
        assert.deepStrictEqual(yield* blocksOf(other), [])
      }
      assert.strictEqual(yield* countReceived(), before)
    })
  )

  it.effect("marks an automatic reply by its subject alone", () =>
    Effect.gen(function* () {
      const domain = "absent.test"
      yield* receivingDomain(domain, { addresses: ["help"] })
      const { call } = yield* LiveService
      const automated = (subject: string) =>
        until(
          Effect.map(call("GET", "/v1/messages?limit=100"), ({ body }) =>
            body.items.find(({ content }: { readonly content: { subject: string } }) => content.subject === subject)
          ),
          (found) => found !== undefined
        ).pipe(Effect.map(({ isAutomated }) => isAutomated))
      for (const [subject, written, expected] of [
        ["Réponse automatique : Hello", "=?utf-8?Q?R=C3=A9ponse_automatique_=3A_Hello?=", true],
        ["Automatic reply: Hello", "Automatic reply: Hello", true],
        ["Re: Automatic reply: Hello", "Re: Automatic reply: Hello", false]
      ] as const) {
        yield* deliver("eve@example.com", `help@${domain}`, `From: <eve@example.com>\nSubject: ${written}\n\nHello\n`)
        assert.strictEqual(yield* automated(subject), expected, subject)
      }
    })
  )
})

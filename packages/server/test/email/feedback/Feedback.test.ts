import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService, messageOf, settled, until } from "../../LiveService.js"
import { deliver, ReceivingService, receivingDomain, sentFrom, sentTo, verifiedDomain } from "../ReceivingService.js"
import { feedbackReport, plainComplaint, postfixDsn, qmailBounce } from "./Reports.js"

const unknownUser = { action: "failed", status: "5.1.1", diagnostic: "550 5.1.1 no such user" }
const delivered = { action: "delivered", status: "2.0.0", diagnostic: "250 2.0.0 Ok: queued as 1" }

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
      const bounced = yield* settled(gone.id, "bounced")
      assert.strictEqual(bounced.lastError, "550 5.1.1 no such user")
      assert.isNotNull(bounced.failedAt)
      const details = {
        recipient: "Gone@example.com",
        smtpCode: 550,
        enhancedCode: "5.1.1",
        reason: "user_unknown",
        class: "permanent"
      }
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
        metadata: { smtpCode: 550, reason: "user_unknown" }
      })
      assert.strictEqual(yield* isBlocked("gone@example.com"), "hard_bounce")

      const there = yield* sentTo(from, "there@example.com")
      yield* deliver("", there.mail.mailFrom, postfixDsn(there.mail.mailFrom, "there@example.com", delivered))
      assert.isNotNull((yield* settled(there.id, "delivered")).deliveredAt)
      assert.isNull(yield* isBlocked("there@example.com"))

      const angry = yield* sentTo(from, "angry@example.com")
      yield* deliver(
        "abuse@example.com",
        angry.mail.mailFrom,
        feedbackReport(angry.mail.mailFrom, "angry@example.com", "")
      )
      yield* settled(angry.id, "complained")
      assert.strictEqual(yield* isBlocked("angry@example.com"), "complaint")

      const old = yield* sentTo(from, "old@example.com")
      yield* deliver("", old.mail.mailFrom.toUpperCase(), qmailBounce(old.mail.mailFrom, "old@example.com"))
      yield* settled(old.id, "bounced")
      assert.strictEqual(yield* isBlocked("old@example.com"), "hard_bounce")

      assert.strictEqual(yield* countReceived(), 0)
    })
  )

  it.effect("accepts complaints and opt-outs at another address only with mail that has a signed Feedback-ID", () =>
    Effect.gen(function* () {
      const domain = "loops.test"
      yield* receivingDomain(domain, { addresses: ["fbl"] })
      const from = `news@${domain}`
      const fbl = `fbl@${domain}`
      const report = (mail: string) =>
        Effect.map(deliver("eve@example.com", fbl, mail), (reply) => assert.match(reply, /^250/))
      const forged = (raw: string) => raw.replace(/[0-9a-f]{20}(?=:switchboard)/, "0".repeat(20))
      const plain = yield* sentTo(from, "plain@example.com", "other@example.com")
      const leaving = yield* sentTo(from, "leaving@example.com")
      assert.notStrictEqual(forged(plain.mail.raw), plain.mail.raw)
      const before = yield* countReceived()
      yield* report(plainComplaint(fbl, "plain@example.com", forged(plain.mail.raw)))
      yield* report(feedbackReport(fbl, "leaving@example.com", forged(leaving.mail.raw), "opt-out"))
      // A report to a receiving address also becomes a message, after its effects are stored.
      yield* until(countReceived(), (count) => count === before + 2)
      assert.strictEqual((yield* messageOf(plain.id)).status, "sent")
      assert.isNull(yield* isBlocked("leaving@example.com"))

      yield* report(plainComplaint(fbl, "plain@example.com", plain.mail.raw))
      yield* settled(plain.id, "complained")
      assert.strictEqual(yield* isBlocked("plain@example.com"), "complaint")
      assert.isNull(yield* isBlocked("other@example.com"))
      yield* report(feedbackReport(fbl, "leaving@example.com", leaving.mail.raw, "opt-out"))
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
      const forged = leave.replace(/[0-9a-f]{20}@/, `${"0".repeat(20)}@`)
      assert.match(yield* deliver(recipient, forged, request(forged)), /^550 5\.[17]\.1/)
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
})

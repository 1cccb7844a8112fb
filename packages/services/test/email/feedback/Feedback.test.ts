import { assert, layer } from "@effect/vitest"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { settled, taken } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Blocks } from "@switchboard/services/email/blocks/Blocks"
import { Complaints, Feedback } from "@switchboard/services/email/feedback/Feedback"
import type { InboundMail } from "@switchboard/services/email/receiving/InboundMail"
import type { ReadMail, ReadPart } from "@switchboard/services/email/receiving/ReadMail"
import { type FeedbackId, formatFeedbackId } from "@switchboard/services/messages/delivery/SignedReferences"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { blocksOf } from "@switchboard/store/testing/email/blocks/Fixtures"
import { help, inboundMail, readMail } from "@switchboard/store/testing/email/receiving/MailFixtures"
import { makeOrganization, newMessage } from "@switchboard/store/testing/messages/Fixtures"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"

const Live = Feedback.Default.pipe(
  Layer.provide(Layer.merge(Blocks.Default, Complaints.Default)),
  Layer.provideMerge(Signatures.Live),
  Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32)))),
  Layer.provideMerge(StoreLive)
)

const address = Schema.decodeSync(EmailAddress)
const [ada, bob] = ["Ada@example.com", "bob@example.com"]

/** Stores a message; unless `isSent` is false, the relay has accepted it for all recipients. */
const message = (own: OrganizationId, to: ReadonlyArray<string>, isSent = true) =>
  Effect.gen(function* () {
    const repo = yield* MessageRepo
    const { message } = yield* repo.accept(yield* newMessage(own, { to }))
    const now = yield* DateTime.now
    const outcome = DeliveryOutcome.Replied({
      replies: to.map((recipient) => ({ recipient, verdict: "accepted" })),
      response: "250 ok",
      providerMessageId: null,
      retryAt: null
    })
    if (isSent) {
      yield* repo.change(own, message.id, (state) =>
        Effect.succeed(settled(taken(state, false, now), outcome, "dsn", now))
      )
    }
    return message.id
  })

const part = (contentType: string, text: string): ReadPart => ({
  filename: null,
  contentType,
  contentId: null,
  isInline: false,
  content: new TextEncoder().encode(text)
})

const dsn = (recipient: string, action: string, status: string, diagnostic = ""): Partial<ReadMail> => ({
  parts: [
    part(
      "message/delivery-status",
      `Reporting-MTA: dns; mx.example.com\n\nFinal-Recipient: rfc822; ${recipient}\nAction: ${action}\nStatus: ${status}\n${diagnostic}`
    )
  ]
})

const arf = (recipient: string, type: string, feedbackId: string): Partial<ReadMail> => ({
  parts: [
    part("message/feedback-report", `Feedback-Type: ${type}\nVersion: 1\nOriginal-Rcpt-To: <${recipient}>\n`),
    part("message/rfc822", `From: us@localhost.test\nFeedback-ID: ${feedbackId}\n\nHello`)
  ]
})

/** Inbound mail whose recipient is the verified return path of the message. */
const atReturnPath = (messageId: MessageId): Partial<InboundMail> => ({
  mailFrom: "",
  recipients: [{ address: address("b@bounce.desk.test"), kind: { _tag: "Bounce", messageId } }]
})

const consider = (own: OrganizationId, read: Partial<ReadMail>, given: Partial<InboundMail>) =>
  Effect.gen(function* () {
    const feedback = yield* Feedback
    return yield* feedback.process(yield* inboundMail(own, given), readMail(read))
  })

const feedbackId = (subject: FeedbackId) =>
  Effect.map(Signatures, (signatures) => formatFeedbackId(signatures, subject))

/** The status of the message, followed by those of its recipients. */
const statusesOf = (own: OrganizationId, id: MessageId) =>
  Effect.flatMap(MessageRepo, (repo) =>
    Effect.map(repo.find(own, id), (found) => {
      const { emailMetadata, status } = Option.getOrThrow(found)
      return [status, ...(emailMetadata?.deliveries ?? []).map((one) => one.status)].join(" ")
    })
  )

const blockedAddresses = (own: OrganizationId) =>
  Effect.map(blocksOf(own), (blocks) => blocks.map(({ reason, value }) => `${value} ${reason}`))

layer(Live, { excludeTestServices: true })("A report at a return path", (it) => {
  it.effect("marks a recipient as bounced and blocks an unknown mailbox", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const id = yield* message(own, [ada, bob])
      const report = (recipient: string, status: string) =>
        consider(own, dsn(recipient, "failed", status), atReturnPath(id))
      assert.strictEqual(yield* report("ada@EXAMPLE.com", "5.1.1"), "done")
      assert.strictEqual(yield* statusesOf(own, id), "sent bounced sent")
      assert.deepStrictEqual(yield* blockedAddresses(own), ["ada@example.com hard_bounce"])
      assert.strictEqual(yield* report("bob@example.com", "5.2.2"), "done")
      assert.strictEqual(yield* statusesOf(own, id), "bounced bounced bounced")
      assert.deepStrictEqual(yield* blockedAddresses(own), ["ada@example.com hard_bounce"])
      assert.strictEqual(yield* report("bob@example.com", "5.1.1"), "done")
      assert.deepStrictEqual(yield* blockedAddresses(own), ["ada@example.com hard_bounce"])
    })
  )

  it.effect("reads a bounce without a machine-readable part, if it comes from the mail system", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const text = `Delivery has failed to these recipients or groups:\n\n${ada}\nRemote Server returned '550 5.1.10 not found'`
      const bounced = yield* message(own, [ada])
      const read = { text, subject: "Undeliverable: Hello", from: { name: "", address: "postmaster@example.com" } }
      assert.strictEqual(yield* consider(own, read, atReturnPath(bounced)), "done")
      assert.strictEqual(yield* statusesOf(own, bounced), "bounced bounced")
      const replied = yield* message(own, [ada])
      yield* consider(
        own,
        { text, subject: "Undeliverable" },
        { ...atReturnPath(replied), mailFrom: "ada@example.com" }
      )
      assert.strictEqual(yield* statusesOf(own, replied), "sent sent")
    })
  )

  it.effect("marks a message as complained if the complaint names one of its recipients", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const id = yield* message(own, [ada, bob])
      assert.strictEqual(yield* consider(own, arf("eve@example.com", "abuse", ""), atReturnPath(id)), "done")
      assert.strictEqual(yield* statusesOf(own, id), "sent sent sent")
      yield* consider(own, arf("ada@example.com", "not-spam", ""), atReturnPath(id))
      assert.strictEqual(yield* statusesOf(own, id), "sent sent sent")
      yield* consider(own, arf("ada@example.com", "abuse", ""), atReturnPath(id))
      assert.strictEqual(yield* statusesOf(own, id), "complained complained sent")
      yield* consider(own, dsn(ada, "failed", "5.1.1"), atReturnPath(id))
      assert.strictEqual(yield* statusesOf(own, id), "complained complained sent")
      assert.deepStrictEqual(yield* blockedAddresses(own), ["ada@example.com complaint"])
    })
  )

  it.effect("is reported as too early while the message is not sent", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const id = yield* message(own, [ada], false)
      for (const read of [dsn(ada, "failed", "5.1.1"), arf(ada, "abuse", "")]) {
        assert.strictEqual(yield* consider(own, read, atReturnPath(id)), "tooEarly")
      }
      assert.strictEqual(yield* statusesOf(own, id), "pending pending")
      assert.deepStrictEqual(yield* blockedAddresses(own), [])
    })
  )

  it.effect("changes nothing for a deleted message or a mail that is no report", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const repo = yield* MessageRepo
      const id = yield* message(own, [ada])
      assert.strictEqual(
        yield* consider(own, { subject: "Re: Hello", text: "Thanks" }, atReturnPath(id)),
        "unclassified"
      )
      assert.strictEqual(yield* statusesOf(own, id), "sent sent")
      yield* repo.remove(own, id)
      assert.strictEqual(yield* consider(own, dsn(ada, "failed", "5.1.1"), atReturnPath(id)), "done")
      assert.deepStrictEqual(yield* blockedAddresses(own), [])
    })
  )
})

layer(Live, { excludeTestServices: true })("A report at another address", (it) => {
  it.effect("ignores delivery reports, also if they enclose a signed message", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const id = yield* message(own, [ada])
      const signed = yield* feedbackId({ organizationId: own, messageId: id })
      const { parts = [] } = dsn(ada, "failed", "5.1.1")
      const read = { parts: [...parts, part("message/rfc822", `Feedback-ID: ${signed}\n\nHello`)] }
      const reply = { address: help.address, kind: { _tag: "Reply", messageId: id } } as const
      for (const recipients of [[help], [reply]]) {
        assert.strictEqual(yield* consider(own, read, { mailFrom: "", recipients }), "done")
      }
      assert.strictEqual(yield* statusesOf(own, id), "sent sent")
      assert.deepStrictEqual(yield* blockedAddresses(own), [])
    })
  )

  it.effect("records a complaint if the enclosed message has a valid signed Feedback-ID", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const other = yield* makeOrganization()
      const id = yield* message(own, [ada])
      const signed = yield* feedbackId({ organizationId: own, messageId: id })
      const forged = [
        "",
        `${id}:${own}:${"0".repeat(20)}:switchboard`,
        signed.replace(own, other),
        signed.replace(id, yield* message(own, [ada]))
      ]
      for (const one of forged) {
        yield* consider(own, arf(ada, "abuse", one), { recipients: [help] })
        assert.strictEqual(yield* statusesOf(own, id), "sent sent", one)
      }
      assert.deepStrictEqual(yield* blockedAddresses(own), [])
      // A provider sends all its reports to one address of the installation, for all organizations.
      yield* consider(other, arf(ada, "abuse", signed), { recipients: [help] })
      assert.strictEqual(yield* statusesOf(own, id), "complained complained")
      assert.deepStrictEqual(yield* blockedAddresses(own), ["ada@example.com complaint"])
      assert.deepStrictEqual(yield* blockedAddresses(other), [])
    })
  )
})

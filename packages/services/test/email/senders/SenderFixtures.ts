import { assert } from "@effect/vitest"
import type { PaymentRequiredError, ValidationError } from "@switchboard/domain/Errors"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { EmailSenderFilters } from "@switchboard/domain/email/senders/EmailSender"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { EmailSend, Send } from "@switchboard/domain/messages/SendRequest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { signedContent } from "@switchboard/services/email/send/SignedLinks"
import { ManagedSenders } from "@switchboard/services/email/senders/ManagedSenders"
import { SenderConfirmations } from "@switchboard/services/email/senders/SenderConfirmations"
import { SenderRepo } from "@switchboard/services/email/senders/SenderRepo"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Messages } from "@switchboard/services/messages/Messages"
import type { Caller } from "@switchboard/services/messages/SendContext"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { makeDomain } from "@switchboard/store/testing/email/receiving/Fixtures"
import { makeOrganization, newMessage } from "@switchboard/store/testing/messages/Fixtures"
import { storedEvents } from "@switchboard/store/testing/StoredRows"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { DateTime, Effect, Layer, Option, Redacted, Schema, TestClock } from "effect"
import { callerOf } from "../../messages/MessagesLive.js"

export const address = Schema.decodeSync(EmailAddress)

/** The messages that were sent, and the error that the next sends fail with. */
export const sent: Array<EmailSend> = []
export const relay: { fails: PaymentRequiredError | ValidationError | null } = { fails: null }

/** The confirmation messages that were withdrawn. */
export const withdrawn: Array<MessageId> = []

/** A Messages service that stores each message and records its request. */
const MessagesStub = Layer.effect(
  Messages,
  Effect.map(MessageRepo, (repo) => {
    const unused = () => Effect.die("not used in this test")
    const send = ({ organizationId }: Caller, request: Send) =>
      Effect.gen(function* () {
        if (relay.fails !== null) return yield* relay.fails
        if (request.channel === "email") sent.push(request)
        return yield* repo.accept(yield* newMessage(organizationId))
      })
    return Messages.make({
      send,
      sendEmail: send,
      get: unused,
      getEncoded: unused,
      list: unused,
      timeline: unused,
      cancel: unused,
      checkEmail: unused,
      reschedule: unused,
      resend: unused,
      remove: (_, id) => Effect.sync(() => void withdrawn.push(id))
    })
  })
)

export const Live = Layer.mergeAll(ManagedSenders.Default, SenderConfirmations.Default).pipe(
  Layer.provide(Layer.merge(MessagesStub, Senders.Default)),
  Layer.provide(Layer.succeed(PublicUrl, "https://mail.example.net")),
  Layer.provideMerge(Signatures.Live),
  Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))),
  Layer.provideMerge(StoreLive)
)

// After the creation of the first sender of each organization, which uses the system clock.
export const start = DateTime.unsafeMake("2099-11-20T09:30:00.000Z")
export const setStartTime = TestClock.setTime(DateTime.toEpochMillis(start))

/** Creates a domain of an organization. */
export const insertDomain = (organization: OrganizationId, status: "pending" | "verified") =>
  makeDomain(organization, { status, receiving: false })

/** Creates a sender with a domain of its own, in a new organization by default. */
export const createSender = Effect.fnUntraced(function* (
  status: "pending" | "verified",
  options: { readonly organization?: OrganizationId; readonly isDefault?: boolean; readonly name?: string } = {}
) {
  yield* setStartTime
  const senders = yield* ManagedSenders
  const organization = options.organization ?? (yield* makeOrganization())
  const domain = yield* insertDomain(organization, status)
  const email = address(`Ada@${domain.domain}`)
  const sender = yield* senders.create(callerOf(organization), {
    email,
    name: options.name ?? "Ada",
    isDefault: options.isDefault
  })
  return { organization, domain, email, sender }
})

/** The token in the latest mail to an address: signed as in the sent mail, and as stored. */
export const tokenFor = Effect.fnUntraced(function* (organizationId: OrganizationId, email: EmailAddress) {
  const signatures = yield* Signatures
  const request = sent.findLast(({ to: [first] }) => first?.email === email)
  const { html, text } = signedContent(signatures, {
    organizationId,
    content: {
      subject: "",
      html: request?.email.html ?? "",
      text: request?.email.text ?? "",
      from: email,
      replyTo: [],
      attachments: []
    },
    addressing: { messageId: "", to: [], cc: [], bcc: [], headers: request?.email.headers ?? {}, tags: [] }
  })
  const link = /https:\/\/mail\.example\.net\/v1\/email\/senders\/confirm\?token=([\w.-]+)/
  assert.strictEqual(link.exec(html)?.[1], link.exec(text)?.[1])
  return { token: link.exec(html)?.[1] ?? "", stored: link.exec(request?.email.html ?? "")?.[1] ?? "" }
})

/** The types of the events of an organization's senders, oldest first. */
export const eventsOf = (organization: OrganizationId) =>
  Effect.map(storedEvents(organization, "email_sender."), (rows) => {
    assert.isTrue(rows.every(({ data }) => data.verificationToken === undefined))
    return rows.map(({ type }) => type)
  })

export const listSenders = (
  organization: OrganizationId,
  filters: EmailSenderFilters = {},
  page = { page: 1, limit: 20 },
  withToken = false
) =>
  Effect.flatMap(ManagedSenders, (senders) =>
    Effect.map(senders.list(organization, filters, page, { withToken }), ({ items }) => items)
  )

export const emails = (...args: Parameters<typeof listSenders>) =>
  Effect.map(listSenders(...args), (items) => items.map(({ email }) => email))

const degradedSince = Effect.map(DateTime.now, (now) => DateTime.subtract(now, { hours: 72 }))

export const defaultOf = (organization: OrganizationId) =>
  Effect.flatMap(Effect.all([SenderRepo, degradedSince]), ([repo, since]) =>
    Effect.map(repo.findDefault(organization, since), (found) => Option.getOrUndefined(found)?.email)
  )

export const canSend = (organization: OrganizationId, email: EmailAddress) =>
  Effect.flatMap(Effect.all([SenderRepo, degradedSince]), ([repo, since]) =>
    Effect.map(repo.findVerified(organization, email, since), Option.isSome)
  )

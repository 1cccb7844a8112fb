import { messageExample } from "@switchboard/api/messages/MessageExamples"
import { ConflictError } from "@switchboard/domain/Errors"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import { Message } from "@switchboard/domain/messages/Message"
import { page } from "@switchboard/domain/Page"
import { DomainRepo, type StoredDomain } from "@switchboard/services/email/domains/DomainRepo"
import { signedContent } from "@switchboard/services/email/senders/ConfirmationToken"
import { standingOf } from "@switchboard/services/email/senders/DescribeSender"
import { ManagedSenderRepo, type StoredSender } from "@switchboard/services/email/senders/ManagedSenderRepo"
import { ManagedSenders } from "@switchboard/services/email/senders/ManagedSenders"
import { SenderConfirmations } from "@switchboard/services/email/senders/SenderConfirmations"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { Messages } from "@switchboard/services/messages/Messages"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { Array, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"

const at = DateTime.unsafeMake("2026-11-20T09:30:00.000Z")

const message = Schema.decodeUnknownSync(Message)(messageExample)

/** `pending.test` and `verified.test`, of every organization. */
const Domains = Layer.mock(DomainRepo, {
  findByName: (organizationId, domain) =>
    Effect.succeed(
      Option.liftPredicate((one: StoredDomain) => ["pending.test", "verified.test"].includes(one.domain))({
        id: EmailDomainId.make("01a1fc1d-e2a0-7029-814e-d493ca640e3d"),
        organizationId,
        domain,
        status: "pending",
        verifiedAt: null,
        failingSince: null,
        verificationToken: "",
        activeSelector: "sm1",
        publicKeys: { sm1: "", sm2: "" },
        receiving: false,
        nextCheckAt: at,
        createdAt: at,
        updatedAt: at
      })
    ),
  sends: (_, domain) => Effect.succeed(domain === "verified.test")
})

/** The links that confirmation mails have, as they go out, by address. */
export const links = new Map<string, string>()

/** Reads the mails that ask for a confirmation. */
const Read = Layer.effect(
  Messages,
  Effect.map(Signatures, (signatures) => {
    const unasked = () => Effect.die("nobody asks for this")
    return Messages.make({
      send: ({ organizationId }, { email: { headers = {}, html = "" }, to: [recipient] }) =>
        Effect.sync(() => {
          const mail = signedContent(signatures, {
            organizationId,
            content: { subject: "", html, text: "", from: "", replyTo: [], attachments: [] },
            addressing: { messageId: "", to: [], cc: [], bcc: [], headers, tags: [] }
          })
          links.set(recipient?.email ?? "", /href="([^"]+)"/.exec(mail.html)?.[1] ?? "")
          return { message, replayed: false }
        }),
      get: unasked,
      list: unasked,
      timeline: unasked,
      cancel: unasked,
      remove: unasked
    })
  })
)

/** Senders as long as the test lasts. */
export const sendersInMemory = () => {
  const stored = new Map<string, StoredSender>()
  const find: ManagedSenderRepo["Type"]["find"] = (organization, id) =>
    Effect.sync(() => Array.findFirst(stored.values(), (one) => one.id === id && one.organizationId === organization))
  const Repo = Layer.succeed(ManagedSenderRepo, {
    insert: ({ sender }) =>
      Effect.suspend(() => {
        const isTaken = Array.some(
          [...stored.values()],
          (one) => one.organizationId === sender.organizationId && addressKey(one.email) === addressKey(sender.email)
        )
        if (isTaken) return new ConflictError({ message: `${sender.email} is a sender already`, resource: "sender" })
        stored.set(sender.id, sender)
        return Effect.void
      }),
    find,
    findByEmail: (organization, email) =>
      Effect.sync(() =>
        Array.findFirst(
          stored.values(),
          (one) => one.organizationId === organization && addressKey(one.email) === addressKey(email)
        )
      ),
    list: (organization, { domainId, isActive, search = "", verificationStatus }, now, request) =>
      Effect.sync(() => {
        const own = [...stored.values()].filter(
          (one) =>
            one.organizationId === organization &&
            one.email.includes(search) &&
            (domainId === undefined || one.domainId === domainId) &&
            (isActive === undefined || one.isActive === isActive) &&
            (verificationStatus === undefined || standingOf(one, now) === verificationStatus)
        )
        return page(own.reverse(), own.length, request)
      }),
    outcomes: () => Effect.succeed(new Map()),
    change: (organization, id, decide) =>
      Effect.flatMap(
        find(organization, id),
        Option.match({
          onNone: () => Effect.succeedNone,
          onSome: (present) =>
            Effect.asSome(Effect.tap(decide(present), ({ sender }) => Effect.sync(() => stored.set(id, sender))))
        })
      ),
    remove: (organization, id) =>
      Effect.map(find(organization, id), (found) => Option.isSome(found) && stored.delete(id))
  })
  return Layer.merge(ManagedSenders.Default, SenderConfirmations.Default).pipe(
    Layer.provide(Layer.merge(Read, Layer.mock(Senders, { _tag: "services/Senders", forget: () => Effect.void }))),
    Layer.provide(Layer.mergeAll(Repo, Domains, Signatures.Live)),
    Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))),
    Layer.provide(Layer.succeed(PublicUrl, "https://mail.example.net"))
  )
}

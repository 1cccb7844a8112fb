import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { untracked } from "@switchboard/domain/email/tracking/Tracking"
import { MessageId } from "@switchboard/domain/messages/Message"
import { accepted, taken } from "@switchboard/domain/messages/state/MessageLifecycle"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { SigningKeys } from "@switchboard/services/email/domains/SigningKeys"
import type { StoreProgress } from "@switchboard/services/messages/delivery/AttemptParts"
import { Deliveries } from "@switchboard/services/messages/delivery/Deliveries"
import type { TakenOf } from "@switchboard/services/messages/delivery/DeliveryQueue"
import { DeliveryConfirmation, type OutgoingMail } from "@switchboard/services/messages/delivery/MailTransport"
import { OutgoingMails } from "@switchboard/services/messages/delivery/OutgoingMails"
import type { Sending } from "@switchboard/services/messages/delivery/Provider"
import { ProviderBreakers } from "@switchboard/services/messages/delivery/ProviderBreaker"
import { SendSettings } from "@switchboard/services/messages/SendContext"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { MasterKey, SecretBox, Signatures } from "@switchboard/services/SecretBox"
import { BigDecimal, DateTime, Duration, Effect, Layer, Redacted, Schema, TestClock } from "effect"
import { v7 } from "uuid"
import { NothingPaused } from "../queues/NothingPaused.js"
import { NoTexts } from "../sms/NoTexts.js"
import { transportOver } from "./Routes.js"

export const start = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")

const address = Schema.decodeSync(EmailAddress)
export const [ada, bob, cyd] = [address("ada@example.com"), address("bob@example.com"), address("cyd@example.com")]

/** A message to three recipients that is due since `start`, as the worker leases it. */
export const message: TakenOf<"email"> = {
  channel: "email",
  organizationId: OrganizationId.make(v7()),
  messageId: MessageId.make("0192f0c1-2345-7abc-8def-0123456789ff"),
  queueId: v7(),
  leaseExpiries: 0,
  isRepeat: false,
  takenAt: start,
  state: taken(accepted([ada, bob, cyd], 8, false, start), false, start),
  content: {
    subject: "Hello",
    html: "<p>Hello</p>",
    text: "Hello",
    from: "Us <us@localhost.test>",
    replyTo: [],
    attachments: []
  },
  addressing: { messageId: "<1@localhost.test>", to: [ada], cc: [bob], bcc: [cyd], headers: {}, tags: [] },
  attachments: [],
  categories: [],
  ...untracked,
  dueSince: start,
  createdAt: start,
  traceParent: null
}

export const Secrets = Layer.merge(Signatures.Live, SecretBox.Live).pipe(
  Layer.provideMerge(Layer.succeed(MasterKey, Redacted.make<Uint8Array>(new Uint8Array(32))))
)

/** Mails whose domains are signed with the keys of a repository. */
export const outgoingMails = (domains: Layer.Layer<DomainRepo>) =>
  OutgoingMails.Default.pipe(
    Layer.provide(SigningKeys.Default.pipe(Layer.provide(domains))),
    Layer.provide(Layer.succeed(DeliveryConfirmation, "accept")),
    Layer.provide(Layer.succeed(PublicUrl, "https://mail.example.com"))
  )

export type Relay = (mail: OutgoingMail) => Sending

export const acceptAll: Relay = ({ rcptTo }) =>
  Effect.succeed({
    replies: rcptTo.map((recipient) => ({ recipient, verdict: "accepted" as const })),
    response: "250 ok",
    providerMessageId: null
  })

/** Runs one attempt; returns the outcome and the sent mails. */
export const runAttempt = (
  changes: Partial<TakenOf<"email">>,
  relay: Relay = acceptAll,
  now = start,
  signingKey: (typeof DomainRepo.Service)["signingKey"] = () => Effect.succeedNone,
  addressOf?: (recipient: string) => string,
  storeProgress: StoreProgress = () => Effect.void
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now.epochMillis)
    const mails: Array<OutgoingMail> = []
    const send: Relay = (mail) => {
      mails.push(mail)
      return relay(mail)
    }
    const outcome = yield* Effect.flatMap(Deliveries, (deliveries) =>
      deliveries.attempt({ ...message, ...changes }, { isHeld: () => true, storeProgress })
    ).pipe(
      Effect.provide(
        Deliveries.Default.pipe(
          Layer.provide(Layer.merge(outgoingMails(Layer.mock(DomainRepo, { signingKey })), ProviderBreakers.Default)),
          Layer.provide([
            NothingPaused,
            NoTexts,
            transportOver(send, addressOf),
            Layer.succeed(DeliveryConfirmation, "accept"),
            Layer.succeed(SendSettings, {
              dedupeWindow: Duration.zero,
              emailUnitCost: BigDecimal.unsafeFromString("0"),
              smsUnitCost: BigDecimal.unsafeFromString("0"),
              whatsappUnitCost: BigDecimal.unsafeFromString("0"),
              retrySchedule: [Duration.hours(8)]
            })
          ])
        )
      )
    )
    return { outcome, mails }
  })

import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { type MessageAddressing, type MessageContent, MessageId } from "@switchboard/domain/messages/Message"
import { receivedState } from "@switchboard/domain/messages/state/ReceivedState"
import { applyReceipt } from "@switchboard/domain/sms/ApplyReceipt"
import { type JoinedText, joinTexts } from "@switchboard/domain/sms/JoinTexts"
import { PhoneNumber } from "@switchboard/domain/sms/SmsNumber"
import { segmentText } from "@switchboard/domain/sms/SmsText"
import { waIdOf } from "@switchboard/domain/whatsapp/WhatsAppContent"
import { Array, DateTime, Duration, Effect, Either, Layer, Option, Schema } from "effect"
import { logThrottled } from "../LogThrottle.js"
import { OptOuts } from "../sms/OptOuts.js"
import { receivedMedia, type TextWithFiles } from "../whatsapp/ReceivedMedia.js"
import { entryPointDuration, windowDuration } from "../whatsapp/ServiceWindows.js"
import type { Receipt, ReceivedText } from "./ProviderEvent.js"
import { ProcessEvents, type ProcessedEvent, type StoredEvent, type TakenEvent } from "./ProviderEventQueue.js"
import { type DecideReceipt, ProviderMessageRepo } from "./ProviderMessageRepo.js"
import { type NewReceivedText, ReceivedTextRepo, type StoredText } from "./ReceivedTextRepo.js"

const minRetryDelay = Duration.seconds(1)
const maxRetryDelay = Duration.seconds(30)

/** A receipt for an unknown or unsettled message is dropped after this time. */
export const maxReceiptAge = Duration.minutes(10)

/** From this age on, the message of a receipt is settled, so that the other forms of its id can be searched. */
const minLateAge = Duration.seconds(3)

const done: ProcessedEvent = { _tag: "Done" }

/** The delay before the next attempt grows with the age of the receipt. */
const again = (age: Duration.Duration) => Duration.clamp(age, { minimum: minRetryDelay, maximum: maxRetryDelay })

const isPhone = Schema.is(PhoneNumber)

/** Each part of a text was a segment. */
const contentOf = ({ from, whatsapp }: ReceivedText, text: string, segments: number): MessageContent =>
  whatsapp === undefined
    ? { text, from, encoding: segmentText(text).encoding, segments }
    : { from, ...whatsapp.content }

const addressingOf = ({ from, to, whatsapp }: ReceivedText): MessageAddressing => ({
  to: [to],
  ...(whatsapp === undefined ? {} : { waId: waIdOf(from) })
})

/** The window that a WhatsApp message opens, from the time at which it was written: its callback can be late. */
const windowOf = ({ at, whatsapp }: ReceivedText, receivedAt: DateTime.Utc): NewReceivedText["window"] => {
  if (whatsapp === undefined) return null
  const written = DateTime.min(DateTime.unsafeMake(at), receivedAt)
  const { entryPoint: source } = whatsapp
  return {
    expiresAt: DateTime.addDuration(written, windowDuration),
    entryPoint: source === null ? null : { source, expiresAt: DateTime.addDuration(written, entryPointDuration) }
  }
}

/** Makes the message of a received text. */
const receivedText = (
  { files, text: { event, organizationId } }: TextWithFiles,
  { id, parts, receivedAt, text }: JoinedText
): NewReceivedText => ({
  facts: {
    id: MessageId.make(id),
    organizationId,
    participantMetadata: null,
    channel: event.channel,
    direction: "inbound",
    content: contentOf(event, text, parts.length),
    scheduledAt: null,
    cost: "0",
    maxRetries: 0,
    workflowRunId: null,
    queueMessageId: null,
    tags: [],
    categories: [],
    isInternal: false,
    isAutomated: false,
    externalId: null,
    referenceId: null,
    apiKeyId: null,
    httpMethod: null,
    apiRequestMetadata: null,
    apiResponseMetadata: null,
    createdAt: receivedAt,
    createdBy: null
  },
  state: { ...receivedState([event.to], receivedAt), providerMessageId: event.providerMessageId },
  addressing: addressingOf(event),
  phone: event.from,
  number: event.to,
  name: event.whatsapp?.name ?? null,
  answers: event.whatsapp?.answers ?? null,
  window: windowOf(event, receivedAt),
  files,
  eventIds: parts
})

const partOf = ({ event: { part, text }, id, receivedAt }: StoredText) => ({ id, text, part, receivedAt })

/** The text is delivered with its last segment, and failed with the first one that failed. */
const decideReceipt =
  ({ conversationCategory, errorCode, reason, response, status }: Receipt, now: DateTime.Utc): DecideReceipt =>
  (state, { isComplete, recipient }) =>
    status === "failed" || isComplete
      ? applyReceipt(state, { recipient, status, errorCode, response, reason, conversationCategory }, now)
      : Option.some(state)

/** Applies receipts to sent messages, and receives texts as messages. */
export const ProcessProviderEvents = Layer.effect(
  ProcessEvents,
  Effect.gen(function* () {
    const providerMessages = yield* ProviderMessageRepo
    const received = yield* ReceivedTextRepo
    const optOuts = yield* OptOuts
    const withFiles = yield* receivedMedia

    const processReceipt = Effect.fnUntraced(function* (
      receipt: Receipt,
      { receivedAt }: StoredEvent
    ): Effect.fn.Return<ProcessedEvent, ServiceUnavailableError> {
      const now = yield* DateTime.now
      const age = DateTime.distanceDuration(receivedAt, now)
      const isLate = Duration.greaterThanOrEqualTo(age, minLateAge)
      const applied = yield* providerMessages.apply(receipt, isLate, decideReceipt(receipt, now))
      if (applied === "applied") return done
      if (Duration.lessThan(age, maxReceiptAge)) return { _tag: "Later", at: DateTime.addDuration(now, again(age)) }
      yield* logThrottled(
        "unknown receipt",
        Effect.annotateLogs(Effect.logInfo("A receipt is dropped: its message is unknown or was not sent"), {
          channel: receipt.channel,
          providerMessageId: receipt.providerMessageIds[0]
        })
      )
      return done
    })

    /** A text in one part can be STOP or START. It is applied first: the event is deleted with its text. */
    const applyWord = ({ event: { channel, from, part, text, to }, id, organizationId }: StoredText) =>
      channel === "sms" && part === null && isPhone(from)
        ? optOuts.apply(organizationId, { id, number: to, phone: from, text })
        : Effect.void

    const processText = Effect.fnUntraced(function* (
      text: StoredText
    ): Effect.fn.Return<ProcessedEvent, ServiceUnavailableError> {
      yield* applyWord(text)
      const found = yield* withFiles(text)
      if (Either.isLeft(found)) return { _tag: "Later", at: found.left }
      const now = yield* DateTime.now
      const later = yield* received.receive(text, (parts) =>
        Either.map(joinTexts(Array.map(parts, partOf), now), (joined) => receivedText(found.right, joined))
      )
      return Option.match(later, { onNone: () => done, onSome: (at): ProcessedEvent => ({ _tag: "Later", at }) })
    })

    return {
      process: ({ event, ...stored }: TakenEvent) =>
        event._tag === "Receipt" ? processReceipt(event, { event, ...stored }) : processText({ ...stored, event })
    }
  })
)

import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import {
  combineOutcomes,
  deferredByRelay,
  endsAttempt,
  type PartialOutcome
} from "@switchboard/domain/messages/delivery/CombineOutcomes"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import {
  isExpired,
  nextAttemptAt,
  settled,
  withinQueueLifetime
} from "@switchboard/domain/messages/state/MessageLifecycle"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { nextRetryAt } from "@switchboard/domain/RetrySchedule"
import { Cause, DateTime, Duration, Effect, Option, Random, Tracer } from "effect"
import { Pauses } from "../../queues/Pauses.js"
import type { SecretUnreadable } from "../../SecretBox.js"
import { parseTraceParent, SendSettings } from "../SendContext.js"
import { type ChannelSender, mailSender, smsSender, whatsappSender } from "./ChannelSender.js"
import type { SendingChannel, SentIds, Settlement, TakenMessage, TakenOf } from "./DeliveryQueue.js"
import type { ProviderReply, SendDeferred, SendFailure } from "./Provider.js"
import type { ProviderBreaker } from "./ProviderBreaker.js"

/**
 * Envelopes are begun for this time only, which bounds the mails that are repeated when the worker is stopped or lost.
 */
const maxSendingTime = Duration.seconds(5)

/** The recipients of a mail without a reply: the relay had too many of them in one transaction. */
const unanswered = (envelope: ReadonlyArray<string>, outcome: DeliveryOutcome): ReadonlyArray<string> => {
  if (outcome._tag !== "Replied" || outcome.replies.length === envelope.length) return []
  const answered = new Set(outcome.replies.map(({ recipient }) => recipient))
  return envelope.filter((recipient) => !answered.has(recipient))
}

/** The provider's ids of the texts that an attempt sent. */
const sentIds = (outcome: DeliveryOutcome): ReadonlyArray<SentIds> =>
  outcome._tag === "Replied"
    ? outcome.replies.flatMap(({ providerMessageIds, recipient }) =>
        providerMessageIds === undefined ? [] : [{ recipient, providerMessageIds }]
      )
    : []

/** Attempts of the messages of a channel. */
interface Attempts<Channel extends SendingChannel> {
  readonly attempt: (message: TakenOf<Channel>, isHeld: () => boolean) => Effect.Effect<DeliveryOutcome>
  readonly settle: (outcome: DeliveryOutcome, now: DateTime.Utc) => (state: MessageState) => Settlement
  readonly admission: ProviderBreaker["peek"]
}

const attemptsOver = <Channel extends SendingChannel>({
  address,
  breaker,
  confirmation,
  envelopesOf,
  noun,
  outageCode,
  provider,
  ...sender
}: ChannelSender<Channel>) =>
  Effect.gen(function* () {
    yield* breaker.report
    const pauses = yield* Pauses
    const { retrySchedule } = yield* SendSettings

    const retryTime = (state: MessageState) =>
      Effect.zipWith(DateTime.now, Random.next, (now, chance) =>
        nextRetryAt(retrySchedule, state.retryCount, now, chance)
      )

    const deferred = (
      message: TakenOf<Channel>,
      code: string,
      response: string,
      { mayBeTaken = false, smtpCode = null }: Partial<Pick<SendDeferred, "mayBeTaken" | "smtpCode">> = {}
    ) =>
      Effect.map(retryTime(message.state), (retryAt) =>
        DeliveryOutcome.Deferred({ code, smtpCode, response, retryAt, mayBeTaken })
      )

    const logPause = (until: DateTime.Utc, response: string) =>
      Effect.logWarning(`The ${noun} can't be used`).pipe(
        Effect.annotateLogs({ provider: address, until: DateTime.formatIso(until), response })
      )

    const relayDown = (response: string) =>
      breaker.failed.pipe(
        Effect.tap((until) => logPause(until, response)),
        Effect.map((retryAt) => DeliveryOutcome.Outage({ code: outageCode, response, retryAt }))
      )

    const relaySilent = (response: string) =>
      Effect.flatMap(
        breaker.silent,
        Option.match({ onNone: () => Effect.void, onSome: (until) => logPause(until, response) })
      )

    const relayUp = Effect.flatMap(breaker.answered, (wasDown) =>
      wasDown ? Effect.annotateLogs(Effect.logInfo(`The ${noun} is available again`), "provider", address) : Effect.void
    )

    const replied = Effect.fnUntraced(function* ({ state }: TakenOf<Channel>, reply: ProviderReply) {
      yield* relayUp
      const isRetried = reply.replies.some(({ verdict }) => verdict === "deferred")
      return DeliveryOutcome.Replied({ retryAt: isRetried ? yield* retryTime(state) : null, ...reply })
    })

    /** A mail is deferred if its DKIM key can't be read: receivers would treat an unsigned mail as forged. */
    const unsigned = (message: TakenOf<Channel>, problem: SecretUnreadable) =>
      Effect.logError("A mail can't be signed").pipe(
        Effect.annotateLogs({ messageId: message.messageId, problem: problem.message }),
        Effect.zipRight(breaker.abandoned),
        Effect.zipRight(deferred(message, "signing_unavailable", "The mail can't be signed now"))
      )

    /** A database outage does not use up a retry of the leased messages. */
    const unread = ({ message: response, retryAfterSeconds }: ServiceUnavailableError) =>
      Effect.zipRight(
        breaker.abandoned,
        Effect.map(DateTime.now, (now) =>
          DeliveryOutcome.Outage({
            code: "signing_unavailable",
            response,
            retryAt: DateTime.addDuration(now, Duration.seconds(retryAfterSeconds))
          })
        )
      )

    const failed = (
      message: TakenOf<Channel>,
      failure: SendFailure | SecretUnreadable | ServiceUnavailableError
    ): Effect.Effect<DeliveryOutcome> => {
      switch (failure._tag) {
        case "SendRefused": {
          const { response, smtpCode } = failure
          return Effect.as(relayUp, DeliveryOutcome.Refused({ smtpCode, response }))
        }
        case "SendDeferred":
          return Effect.zipRight(
            failure.isSilent === true ? relaySilent(failure.response) : relayUp,
            deferred(message, deferredByRelay, failure.response, failure)
          )
        case "SendWithdrawn":
          return Effect.as(breaker.abandoned, DeliveryOutcome.Released())
        case "ProviderUnavailable":
          return relayDown(failure.response)
        case "SecretUnreadable":
          return unsigned(message, failure)
        case "ServiceUnavailableError":
          return unread(failure)
      }
    }

    /** A defect counts as a failed attempt. */
    const broken = (message: TakenOf<Channel>, defect: unknown) =>
      Effect.logError("A delivery attempt failed unexpectedly", Cause.die(defect)).pipe(
        Effect.annotateLogs("messageId", message.messageId),
        Effect.zipRight(breaker.abandoned),
        Effect.zipRight(deferred(message, "internal_error", "An unexpected error while delivering"))
      )

    const hand = (
      message: TakenOf<Channel>,
      recipients: ReadonlyArray<string>,
      isHeld: () => boolean
    ): Effect.Effect<DeliveryOutcome> =>
      Effect.suspend(() => sender.send(message, recipients, isHeld)).pipe(
        Effect.matchEffect({
          onSuccess: (reply) => replied(message, reply),
          onFailure: (failure) => failed(message, failure)
        }),
        Effect.catchAllDefect((defect) => broken(message, defect)),
        Effect.onInterrupt(() => breaker.abandoned)
      )

    /**
     * Sends the envelopes one after the other, so that a message with many recipients uses one connection. Recipients
     * that a transaction had too many of follow in envelopes of the size that the relay took.
     */
    const handEach = Effect.fnUntraced(function* (message: TakenOf<Channel>, isHeld: () => boolean) {
      const { envelopes, isFirstTry } = envelopesOf(message)
      const open = message.state.deliveries.filter(isOpen).map(({ recipient }) => recipient)
      const until = DateTime.addDuration(yield* DateTime.now, maxSendingTime)
      const waiting = [...envelopes]
      const parts: Array<PartialOutcome> = []
      // Only the first attempt of each recipient is limited: a retry includes recipients that were deferred before.
      let isLimited = isFirstTry
      for (let envelope = waiting.shift(); envelope !== undefined; envelope = waiting.shift()) {
        const outcome = yield* hand(message, envelope, isHeld)
        const left = unanswered(envelope, outcome)
        if (parts.length === 0 && left.length === 0 && envelope.length === open.length) return outcome
        if (outcome._tag === "Released" && parts.length > 0) break
        parts.push({ recipients: envelope.filter((recipient) => !left.includes(recipient)), outcome })
        if (endsAttempt(outcome)) break
        if (left.length > 0) {
          const taken = envelope.length - left.length
          waiting.unshift(...[left.slice(0, taken), left.slice(taken)].filter(({ length }) => length > 0))
          isLimited = true
        }
        if (isLimited && DateTime.greaterThanOrEqualTo(yield* DateTime.now, until)) break
      }
      const reached = parts.flatMap(({ recipients }) => recipients).length
      const restAt = reached < envelopes.flat().length ? yield* DateTime.now : null
      return combineOutcomes({ open, parts, restAt, retryAt: yield* retryTime(message.state) })
    })

    const judge = Effect.fnUntraced(function* (message: TakenOf<Channel>, isHeld: () => boolean) {
      const now = yield* DateTime.now
      if (isExpired(message.dueSince, now)) return DeliveryOutcome.Expired()
      if (yield* pauses.isEnded(message.dueSince)) return DeliveryOutcome.Restored()
      const admitted = yield* breaker.enter
      return admitted._tag === "None"
        ? DeliveryOutcome.Outage({
            code: outageCode,
            response: `The ${noun} is paused after an outage`,
            retryAt: admitted.until
          })
        : yield* handEach(message, isHeld)
    })

    /**
     * Attempts delivery to all recipients that have not received the message. The transport checks `isHeld` before each
     * mail.
     */
    const attempt = (message: TakenOf<Channel>, isHeld: () => boolean): Effect.Effect<DeliveryOutcome> => {
      const tried = judge(message, isHeld).pipe(
        Effect.catchAllDefect((defect) => broken(message, defect)),
        Effect.map((outcome) => withinQueueLifetime(outcome, message.dueSince))
      )
      // Only messages accepted under a trace are traced: a span costs more than the rest of the attempt's bookkeeping.
      return Option.match(parseTraceParent(message.traceParent), {
        onNone: () => tried,
        onSome: (parent) =>
          Effect.withSpan(tried, "Deliveries.attempt", {
            parent: Tracer.externalSpan(parent),
            kind: "client",
            captureStackTrace: false,
            attributes: {
              "messaging.message.id": message.messageId,
              "messaging.system": provider,
              "server.address": address,
              "switchboard.recipients": message.state.deliveries.filter(isOpen).length
            }
          })
      })
    }

    /** Applies the outcome of an attempt to the current state of the message. */
    const settle =
      (outcome: DeliveryOutcome, now: DateTime.Utc) =>
      (state: MessageState): Settlement => {
        const after = settled(state, outcome, confirmation, now, provider)
        return { state: after, retryAt: nextAttemptAt(after, outcome, now), sent: sentIds(outcome) }
      }

    const attempts: Attempts<Channel> = { attempt, settle, admission: breaker.peek }
    return attempts
  })

/** Attempts to deliver leased messages. An attempt never fails: it ends in one of a closed set of outcomes. */
export class Deliveries extends Effect.Service<Deliveries>()("services/Deliveries", {
  effect: Effect.gen(function* () {
    const email = yield* Effect.flatMap(mailSender, attemptsOver)
    const sms = yield* Effect.flatMap(smsSender, attemptsOver)
    const whatsapp = yield* Effect.flatMap(whatsappSender, attemptsOver)
    const byChannel = { email, sms, whatsapp }

    /**
     * Attempts delivery to all recipients that have not received the message. `isHeld` is checked before each send.
     */
    const attempt = (message: TakenMessage, isHeld: () => boolean): Effect.Effect<DeliveryOutcome> => {
      switch (message.channel) {
        case "email":
          return email.attempt(message, isHeld)
        case "sms":
          return sms.attempt(message, isHeld)
        case "whatsapp":
          return whatsapp.attempt(message, isHeld)
      }
    }

    return {
      attempt,
      /** Applies the outcome of an attempt to the current state of a message of the channel. */
      settle: (channel: SendingChannel, outcome: DeliveryOutcome, now: DateTime.Utc) =>
        byChannel[channel].settle(outcome, now),
      /** The attempts of the channel that its provider admits now. */
      admission: (channel: SendingChannel) => byChannel[channel].admission
    } as const
  })
}) {}

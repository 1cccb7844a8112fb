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
import { envelopesOf, type Settlement, type TakenMessage } from "./DeliveryQueue.js"
import { DeliveryConfirmation, MailTransport, type OutgoingMail } from "./MailTransport.js"
import { OutgoingMails } from "./OutgoingMails.js"
import type { ProviderReply, ProviderUnavailable, SendDeferred, SendRefused, SendWithdrawn } from "./Provider.js"
import { ProviderBreaker } from "./ProviderBreaker.js"

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

/** Attempts to deliver leased messages. An attempt never fails: it ends in one of a closed set of outcomes. */
export class Deliveries extends Effect.Service<Deliveries>()("services/Deliveries", {
  effect: Effect.gen(function* () {
    const transport = yield* MailTransport
    const breaker = yield* ProviderBreaker
    yield* breaker.report
    const pauses = yield* Pauses
    const mails = yield* OutgoingMails
    const confirmation = yield* DeliveryConfirmation
    const { retrySchedule } = yield* SendSettings

    const retryTime = (state: MessageState) =>
      Effect.zipWith(DateTime.now, Random.next, (now, chance) =>
        nextRetryAt(retrySchedule, state.retryCount, now, chance)
      )

    const deferred = (
      message: TakenMessage,
      code: string,
      response: string,
      { mayBeTaken = false, smtpCode = null }: Partial<Pick<SendDeferred, "mayBeTaken" | "smtpCode">> = {}
    ) =>
      Effect.map(retryTime(message.state), (retryAt) =>
        DeliveryOutcome.Deferred({ code, smtpCode, response, retryAt, mayBeTaken })
      )

    const logPause = (until: DateTime.Utc, response: string) =>
      Effect.logWarning("The relay can't be used").pipe(
        Effect.annotateLogs({ relay: transport.relay, until: DateTime.formatIso(until), response })
      )

    const relayDown = (response: string) =>
      breaker.failed.pipe(
        Effect.tap((until) => logPause(until, response)),
        Effect.map((retryAt) => DeliveryOutcome.Outage({ response, retryAt }))
      )

    const relaySilent = (response: string) =>
      Effect.flatMap(
        breaker.silent,
        Option.match({ onNone: () => Effect.void, onSome: (until) => logPause(until, response) })
      )

    const relayUp = Effect.flatMap(breaker.answered, (wasDown) =>
      wasDown
        ? Effect.annotateLogs(Effect.logInfo("The relay is available again"), "relay", transport.relay)
        : Effect.void
    )

    const replied = Effect.fnUntraced(function* ({ state }: TakenMessage, receipt: ProviderReply) {
      yield* relayUp
      const isRetried = receipt.replies.some(({ verdict }) => verdict === "deferred")
      return DeliveryOutcome.Replied({ retryAt: isRetried ? yield* retryTime(state) : null, ...receipt })
    })

    const failed = (
      message: TakenMessage,
      failure: SendRefused | SendDeferred | SendWithdrawn | ProviderUnavailable
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
      }
    }

    const send = (message: TakenMessage, mail: OutgoingMail, isHeld: () => boolean): Effect.Effect<DeliveryOutcome> =>
      Effect.matchEffect(transport.send(mail, { organizationId: message.organizationId, isHeld }), {
        onSuccess: (receipt) => replied(message, receipt),
        onFailure: (failure) => failed(message, failure)
      })

    /** A mail is deferred if its DKIM key can't be read: receivers would treat an unsigned mail as forged. */
    const unsigned = (message: TakenMessage, problem: SecretUnreadable) =>
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

    /** A defect counts as a failed attempt. */
    const broken = (message: TakenMessage, defect: unknown) =>
      Effect.logError("A delivery attempt failed unexpectedly", Cause.die(defect)).pipe(
        Effect.annotateLogs("messageId", message.messageId),
        Effect.zipRight(breaker.abandoned),
        Effect.zipRight(deferred(message, "internal_error", "An unexpected error while delivering"))
      )

    const hand = (
      message: TakenMessage,
      recipients: ReadonlyArray<string>,
      isHeld: () => boolean
    ): Effect.Effect<DeliveryOutcome> =>
      Effect.suspend(() => mails.outgoing(message, recipients)).pipe(
        Effect.flatMap((mail) => send(message, mail, isHeld)),
        Effect.catchTags({
          SecretUnreadable: (problem) => unsigned(message, problem),
          ServiceUnavailableError: unread
        }),
        Effect.catchAllDefect((defect) => broken(message, defect)),
        Effect.onInterrupt(() => breaker.abandoned)
      )

    /**
     * Sends the envelopes one after the other, so that a message with many recipients uses one connection. Recipients
     * that a transaction had too many of follow in envelopes of the size that the relay took.
     */
    const handEach = Effect.fnUntraced(function* (message: TakenMessage, isHeld: () => boolean) {
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

    const judge = Effect.fnUntraced(function* (message: TakenMessage, isHeld: () => boolean) {
      const now = yield* DateTime.now
      if (isExpired(message.dueSince, now)) return DeliveryOutcome.Expired()
      if (yield* pauses.isEnded(message.dueSince)) return DeliveryOutcome.Restored()
      const admitted = yield* breaker.enter
      return admitted._tag === "None"
        ? DeliveryOutcome.Outage({ response: "The relay is paused after an outage", retryAt: admitted.until })
        : yield* handEach(message, isHeld)
    })

    /**
     * Attempts delivery to all recipients that have not received the message. The transport checks `isHeld` before each
     * mail.
     */
    const attempt = (message: TakenMessage, isHeld: () => boolean): Effect.Effect<DeliveryOutcome> => {
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
              "messaging.system": "smtp",
              "server.address": transport.relay,
              "switchboard.recipients": message.state.deliveries.filter(isOpen).length
            }
          })
      })
    }

    /** Applies the outcome of an attempt to the current state of the message. */
    const settle =
      (outcome: DeliveryOutcome, now: DateTime.Utc) =>
      (state: MessageState): Settlement => {
        const after = settled(state, outcome, confirmation, now)
        return { state: after, retryAt: nextAttemptAt(after, outcome, now) }
      }

    return { attempt, settle, admission: breaker.peek } as const
  })
}) {}

import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import {
  combined,
  endsAttempt,
  type PartialOutcome,
  putOffByRelay
} from "@switchboard/domain/messages/delivery/CombineOutcomes"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import {
  isExpired,
  nextAttemptAt,
  settled,
  withinLongestWait
} from "@switchboard/domain/messages/state/MessageLifecycle"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { nextRetryAt } from "@switchboard/domain/RetrySchedule"
import { Cause, DateTime, Duration, Effect, Option, Random, Tracer } from "effect"
import { HeldLease } from "../../queues/HeldLease.js"
import type { SecretUnreadable } from "../../SecretBox.js"
import { SendSettings } from "../SendSettings.js"
import { parseTraceParent } from "../TraceParent.js"
import { DeliveryConfirmation } from "./DeliveryConfirmation.js"
import type { Settlement, TakenMessage } from "./DeliveryQueue.js"
import { envelopesOf } from "./Envelopes.js"
import { type MailDeferred, MailTransport, type OutgoingMail } from "./MailTransport.js"
import { OutgoingMails } from "./OutgoingMails.js"
import { RelayBreaker } from "./RelayBreaker.js"

/** How long an attempt goes on to begin mails: no more is repeated when its worker is stopped or lost. */
const mostSending = Duration.seconds(5)

/** Tries to deliver what a worker took. An attempt never fails: it ends in one of a closed set of outcomes. */
export class Deliveries extends Effect.Service<Deliveries>()("services/Deliveries", {
  effect: Effect.gen(function* () {
    const transport = yield* MailTransport
    const breaker = yield* RelayBreaker
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
      { mayBeTaken = false, smtpCode = null }: Partial<Pick<MailDeferred, "mayBeTaken" | "smtpCode">> = {}
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
      wasDown ? Effect.annotateLogs(Effect.logInfo("The relay is back"), "relay", transport.relay) : Effect.void
    )

    const send = (message: TakenMessage, mail: OutgoingMail): Effect.Effect<DeliveryOutcome> =>
      transport.send(mail).pipe(
        Effect.zipLeft(relayUp),
        Effect.flatMap(({ providerMessageId, replies, response }) =>
          Effect.map(retryTime(message.state), (retryAt) =>
            DeliveryOutcome.Answered({ replies, response, providerMessageId, retryAt })
          )
        ),
        Effect.catchTags({
          MailRefused: ({ response, smtpCode }) => Effect.as(relayUp, DeliveryOutcome.Refused({ smtpCode, response })),
          MailDeferred: (failure) =>
            Effect.zipRight(
              failure.isSilent === true ? relaySilent(failure.response) : relayUp,
              deferred(message, putOffByRelay, failure.response, failure)
            ),
          RelayUnavailable: ({ response }) => relayDown(response)
        })
      )

    /** A mail whose key can't be read is deferred: unsigned, it would be taken for a forgery. */
    const unsigned = (message: TakenMessage, problem: SecretUnreadable) =>
      Effect.logError("A mail can't be signed").pipe(
        Effect.annotateLogs({ messageId: message.messageId, problem: problem.message }),
        Effect.zipRight(breaker.abandoned),
        Effect.zipRight(deferred(message, "signing_unavailable", "The mail can't be signed now"))
      )

    /** A database that is away takes no retry from the messages that were taken before. */
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

    /** A defect of ours counts as a failed try. */
    const broken = (message: TakenMessage, defect: unknown) =>
      Effect.logError("A delivery attempt broke", Cause.die(defect)).pipe(
        Effect.annotateLogs("messageId", message.messageId),
        Effect.zipRight(breaker.abandoned),
        Effect.zipRight(deferred(message, "internal_error", "An unexpected error while delivering"))
      )

    /** Another worker may have sent it by now. */
    const unsent = Effect.as(breaker.abandoned, DeliveryOutcome.HandedBack())

    const hand = (message: TakenMessage, recipients: ReadonlyArray<string>): Effect.Effect<DeliveryOutcome> =>
      Effect.suspend(() => mails.outgoing(message, recipients)).pipe(
        Effect.flatMap((mail) =>
          Effect.flatMap(Effect.flatten(HeldLease), (isHeld) => (isHeld ? send(message, mail) : unsent))
        ),
        Effect.catchTags({
          SecretUnreadable: (problem) => unsigned(message, problem),
          ServiceUnavailableError: unread
        }),
        Effect.catchAllDefect((defect) => broken(message, defect)),
        Effect.onInterrupt(() => breaker.abandoned)
      )

    /** One mail after the other, over one connection: a message to many takes no more of the relay than one to few. */
    const handEach = Effect.fnUntraced(function* (message: TakenMessage) {
      const { envelopes, isFirstTry } = envelopesOf(message)
      const until = DateTime.addDuration(yield* DateTime.now, mostSending)
      const parts: Array<PartialOutcome> = []
      for (const recipients of envelopes) {
        const outcome = yield* hand(message, recipients)
        if (outcome._tag === "HandedBack" && parts.length > 0) break
        parts.push({ recipients, outcome })
        if (endsAttempt(outcome)) break
        // Later tries are not cut short: whoever was put off again would be tried with those who are left.
        if (isFirstTry && DateTime.greaterThanOrEqualTo(yield* DateTime.now, until)) break
      }
      const open = message.state.deliveries.filter(isOpen).map(({ recipient }) => recipient)
      const restAt = parts.length < envelopes.length ? yield* DateTime.now : null
      return combined({ open, parts, restAt, retryAt: yield* retryTime(message.state) })
    })

    const judge = Effect.fnUntraced(function* (message: TakenMessage) {
      const now = yield* DateTime.now
      if (isExpired(message.dueSince, now)) return DeliveryOutcome.Expired()
      const admitted = yield* breaker.enter
      return admitted._tag === "None"
        ? DeliveryOutcome.Outage({ response: "The relay is paused after an outage", retryAt: admitted.until })
        : yield* handEach(message)
    })

    /** One attempt for everyone who has not got the message yet. */
    const attempt = (message: TakenMessage): Effect.Effect<DeliveryOutcome> => {
      const tried = judge(message).pipe(
        Effect.catchAllDefect((defect) => broken(message, defect)),
        Effect.map((outcome) => withinLongestWait(outcome, message.dueSince))
      )
      // Only what was accepted under a trace is traced: a span costs more than the rest of the attempt's bookkeeping.
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

    /** What an attempt's end makes of the message as it is by then. */
    const settle =
      (outcome: DeliveryOutcome, now: DateTime.Utc) =>
      (state: MessageState): Settlement => {
        const after = settled(state, outcome, confirmation, now)
        return { state: after, retryAt: nextAttemptAt(after, outcome, now) }
      }

    return { attempt, settle, admission: breaker.peek } as const
  })
}) {}

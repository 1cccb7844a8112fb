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
import { attemptRoutes, envelopesAmong, type StoreProgress, signingUnavailable, unanswered } from "./AttemptParts.js"
import { type ChannelSender, mailSender, type SendRoute, smsSender, whatsappSender } from "./ChannelSender.js"
import type { Envelopes, SendingChannel, SentIds, Settlement, TakenMessage, TakenOf } from "./DeliveryQueue.js"
import type { ProviderReply, SendDeferred, SendFailure } from "./Provider.js"
import type { Admission } from "./ProviderBreaker.js"

/**
 * Envelopes are begun for this time only, which bounds the mails that are repeated when the worker is stopped or lost.
 */
const maxSendingTime = Duration.seconds(5)

/** The provider's ids of the texts that an attempt sent. */
const sentIds = (outcome: DeliveryOutcome): ReadonlyArray<SentIds> =>
  outcome._tag === "Replied"
    ? outcome.replies.flatMap(({ providerMessageIds, recipient }) =>
        providerMessageIds === undefined ? [] : [{ recipient, providerMessageIds }]
      )
    : []

/** What an attempt gets from the worker that holds the message. */
export interface AttemptLease {
  /** Checked before each send: whether the lease certainly still holds. */
  readonly isHeld: () => boolean
  readonly storeProgress: StoreProgress
}

/** Attempts of the messages of a channel. */
interface Attempts<Channel extends SendingChannel> {
  readonly attempt: (message: TakenOf<Channel>, lease: AttemptLease) => Effect.Effect<DeliveryOutcome>
  readonly settle: (outcome: DeliveryOutcome, now: DateTime.Utc) => (state: MessageState) => Settlement
  readonly admission: Effect.Effect<Admission>
}

const attemptsOver = <Channel extends SendingChannel>({
  admission,
  confirmation,
  envelopesOf,
  routesTo
}: ChannelSender<Channel>) =>
  Effect.gen(function* () {
    type Route = SendRoute<Channel>
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

    const logPause = ({ address, noun }: Route, until: DateTime.Utc, response: string) =>
      Effect.logWarning(`The ${noun} can't be used`).pipe(
        Effect.annotateLogs({ provider: address, until: DateTime.formatIso(until), response })
      )

    const pauseRoute = (route: Route, response: string) =>
      Effect.tap(route.breaker.failed, (until) => logPause(route, until, response))

    const countSilence = (route: Route, response: string) =>
      Effect.flatMap(
        route.breaker.silent,
        Option.match({ onNone: () => Effect.void, onSome: (until) => logPause(route, until, response) })
      )

    const resumeRoute = ({ address, breaker, noun }: Route) =>
      Effect.flatMap(breaker.answered, (wasDown) =>
        wasDown
          ? Effect.annotateLogs(Effect.logInfo(`The ${noun} is available again`), "provider", address)
          : Effect.void
      )

    const replied = Effect.fnUntraced(function* ({ state }: TakenOf<Channel>, route: Route, reply: ProviderReply) {
      yield* resumeRoute(route)
      const isRetried = reply.replies.some(({ verdict }) => verdict === "deferred")
      const { provider } = route
      return DeliveryOutcome.Replied({ retryAt: isRetried ? yield* retryTime(state) : null, provider, ...reply })
    })

    /** A mail is deferred if its DKIM key can't be read: receivers would treat an unsigned mail as forged. */
    const unsigned = (message: TakenOf<Channel>, problem: SecretUnreadable) =>
      Effect.logError("A mail can't be signed").pipe(
        Effect.annotateLogs({ messageId: message.messageId, problem: problem.message }),
        Effect.zipRight(deferred(message, signingUnavailable, "The mail can't be signed now"))
      )

    /** A database outage does not use up a retry of the leased messages. */
    const unread = ({ message: response, retryAfterSeconds }: ServiceUnavailableError) =>
      Effect.map(DateTime.now, (now) =>
        DeliveryOutcome.Outage({
          code: signingUnavailable,
          response,
          retryAt: DateTime.addDuration(now, Duration.seconds(retryAfterSeconds))
        })
      )

    const deferralOf = (route: Route, { isAboutRoute, isSilent, response }: SendDeferred) => {
      if (isAboutRoute === true) return pauseRoute(route, response)
      return isSilent === true ? countSilence(route, response) : resumeRoute(route)
    }

    const failed = (
      message: TakenOf<Channel>,
      route: Route,
      failure: SendFailure | SecretUnreadable | ServiceUnavailableError
    ): Effect.Effect<DeliveryOutcome> => {
      const { abandoned } = route.breaker
      switch (failure._tag) {
        case "SendRefused": {
          const { response, smtpCode } = failure
          return Effect.as(
            resumeRoute(route),
            DeliveryOutcome.Refused({ smtpCode, response, provider: route.provider })
          )
        }
        case "SendDeferred":
          return Effect.zipRight(
            deferralOf(route, failure),
            deferred(message, deferredByRelay, failure.response, failure)
          )
        case "SendWithdrawn":
          return Effect.as(abandoned, DeliveryOutcome.Released())
        case "SendPostponed":
          return Effect.as(abandoned, DeliveryOutcome.Postponed({ retryAt: failure.until }))
        case "ProviderUnavailable": {
          const { response } = failure
          return Effect.map(pauseRoute(route, response), (retryAt) =>
            DeliveryOutcome.Outage({ code: route.outageCode, response, retryAt })
          )
        }
        case "SecretUnreadable":
          return Effect.zipRight(abandoned, unsigned(message, failure))
        case "ServiceUnavailableError":
          return Effect.zipRight(abandoned, unread(failure))
      }
    }

    /** A defect counts as a failed attempt. */
    const broken = (message: TakenOf<Channel>, defect: unknown) =>
      Effect.logError("A delivery attempt failed unexpectedly", Cause.die(defect)).pipe(
        Effect.annotateLogs("messageId", message.messageId),
        Effect.zipRight(deferred(message, "internal_error", "An unexpected error while delivering"))
      )

    const hand = (
      message: TakenOf<Channel>,
      route: Route,
      recipients: ReadonlyArray<string>,
      isHeld: () => boolean
    ): Effect.Effect<DeliveryOutcome> =>
      Effect.suspend(() => route.send(message, recipients, isHeld)).pipe(
        Effect.matchEffect({
          onSuccess: (reply) => replied(message, route, reply),
          onFailure: (failure) => failed(message, route, failure)
        }),
        Effect.catchAllDefect((defect) => Effect.zipRight(route.breaker.abandoned, broken(message, defect))),
        Effect.onInterrupt(() => route.breaker.abandoned)
      )

    /**
     * Sends envelopes over a route one after the other, so that a message with many recipients uses one connection.
     * Recipients that a transaction had too many of follow in envelopes of the size that the server took.
     */
    const handEach = Effect.fnUntraced(function* (
      message: TakenOf<Channel>,
      route: Route,
      { envelopes, isFirstTry }: Envelopes,
      isHeld: () => boolean
    ) {
      const admitted = yield* route.breaker.enter
      if (admitted._tag === "None") {
        const { noun, outageCode: code } = route
        const response = `The ${noun} is paused after an outage`
        const outcome = DeliveryOutcome.Outage({ code, response, retryAt: admitted.until })
        return [{ recipients: envelopes.flat(), outcome }]
      }
      const until = DateTime.addDuration(yield* DateTime.now, maxSendingTime)
      const waiting = [...envelopes]
      const parts: Array<PartialOutcome> = []
      // Only the first attempt of each recipient is limited: a retry includes recipients that were deferred before.
      let isLimited = isFirstTry
      for (let envelope = waiting.shift(); envelope !== undefined; envelope = waiting.shift()) {
        const outcome = yield* hand(message, route, envelope, isHeld)
        const left = unanswered(envelope, outcome)
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
      return parts
    })

    /** Sends the envelopes of an attempt over their routes, several of them at the same time. */
    const handOver = Effect.fnUntraced(function* (message: TakenOf<Channel>, { isHeld, storeProgress }: AttemptLease) {
      const all = envelopesOf(message)
      const recipients = all.envelopes.flat()
      const open = message.state.deliveries.filter(isOpen).map(({ recipient }) => recipient)
      const routed = yield* routesTo(message, recipients)
      if (message.traceParent !== null) {
        const routes = routed.map(({ route }) => route)
        yield* Effect.annotateCurrentSpan({
          "messaging.system": routes.map(({ provider }) => provider).join(" "),
          "server.address": routes.map(({ address }) => address).join(" ")
        })
      }
      const [only] = routed
      const parts =
        only !== undefined && routed.length === 1
          ? yield* handEach(message, only.route, all, isHeld)
          : yield* attemptRoutes(
              routed,
              ({ recipients: own, route }) => handEach(message, route, envelopesAmong(all, own), isHeld),
              storeProgress
            )
      const [part] = parts
      if (part !== undefined && part.recipients.length === open.length) return part.outcome
      const reached = parts.flatMap((one) => one.recipients).length
      const restAt = reached < recipients.length ? yield* DateTime.now : null
      return combineOutcomes({ open, parts, restAt, retryAt: yield* retryTime(message.state) })
    })

    const judge = Effect.fnUntraced(function* (message: TakenOf<Channel>, lease: AttemptLease) {
      const now = yield* DateTime.now
      if (isExpired(message.dueSince, now)) return DeliveryOutcome.Expired()
      if (yield* pauses.isEnded(message.dueSince)) return DeliveryOutcome.Restored()
      return yield* handOver(message, lease)
    })

    /** Attempts delivery to all recipients that have not received the message. */
    const attempt = (message: TakenOf<Channel>, lease: AttemptLease): Effect.Effect<DeliveryOutcome> => {
      const tried = judge(message, lease).pipe(
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
              "switchboard.recipients": message.state.deliveries.filter(isOpen).length
            }
          })
      })
    }

    /** Applies the outcome of an attempt to the current state of the message. */
    const settle =
      (outcome: DeliveryOutcome, now: DateTime.Utc) =>
      (state: MessageState): Settlement => {
        if (outcome._tag === "Postponed") return { state: null, retryAt: outcome.retryAt }
        const after = settled(state, outcome, confirmation, now)
        const isOngoing = outcome._tag === "Replied" && outcome.isOngoing === true
        const retryAt = isOngoing ? "held" : nextAttemptAt(after, outcome, now)
        return { state: after, retryAt, sent: sentIds(outcome) }
      }

    const attempts: Attempts<Channel> = { attempt, settle, admission }
    return attempts
  })

/** Attempts to deliver leased messages. An attempt never fails: it ends in one of a closed set of outcomes. */
export class Deliveries extends Effect.Service<Deliveries>()("services/Deliveries", {
  effect: Effect.gen(function* () {
    const email = yield* Effect.flatMap(mailSender, attemptsOver)
    const sms = yield* Effect.flatMap(smsSender, attemptsOver)
    const whatsapp = yield* Effect.flatMap(whatsappSender, attemptsOver)
    const byChannel = { email, sms, whatsapp }

    /** Attempts delivery to all recipients that have not received the message. */
    const attempt = (message: TakenMessage, lease: AttemptLease): Effect.Effect<DeliveryOutcome> => {
      switch (message.channel) {
        case "email":
          return email.attempt(message, lease)
        case "sms":
          return sms.attempt(message, lease)
        case "whatsapp":
          return whatsapp.attempt(message, lease)
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

import { type PartialOutcome, progressOf } from "@switchboard/domain/messages/delivery/CombineOutcomes"
import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { reasonOfReply } from "@switchboard/domain/messages/delivery/FailureReason"
import { Effect } from "effect"
import type { Envelopes } from "./DeliveryQueue.js"

/** The recipients of a mail without a reply: the relay had too many of them in one transaction. */
export const unanswered = (envelope: ReadonlyArray<string>, outcome: DeliveryOutcome): ReadonlyArray<string> => {
  if (outcome._tag !== "Replied" || outcome.replies.length === envelope.length) return []
  const answered = new Set(outcome.replies.map(({ recipient }) => recipient))
  return envelope.filter((recipient) => !answered.has(recipient))
}

/** The envelopes of some of the recipients. */
export const envelopesAmong = ({ envelopes, isFirstTry }: Envelopes, recipients: ReadonlyArray<string>): Envelopes => ({
  envelopes: envelopes
    .map((envelope) => envelope.filter((recipient) => recipients.includes(recipient)))
    .filter(({ length }) => length > 0),
  isFirstTry
})

/** The error code of a mail that can't be signed now. */
export const signingUnavailable = "signing_unavailable"

/**
 * The part of an attempt over one of several routes. An outage of the route defers its recipients: it uses up a retry, so
 * that all recipients are retried by the schedule of the message.
 */
const partOfRoute = ({ outcome, recipients }: PartialOutcome): PartialOutcome => {
  if (outcome._tag !== "Outage" || outcome.code === signingUnavailable) return { recipients, outcome }
  const { response, retryAt } = outcome
  const reason = reasonOfReply({ response })
  const reply = { verdict: "deferred", response, reason: reason === "unknown" ? "network" : reason } as const
  const replies = recipients.map((recipient) => ({ recipient, ...reply }))
  return {
    recipients,
    outcome: DeliveryOutcome.Replied({ replies, response: null, providerMessageId: null, retryAt })
  }
}

/** The parts of an attempt over several routes, of which one may be released while others were sent. */
const partsOfRoutes = (parts: ReadonlyArray<PartialOutcome>): ReadonlyArray<PartialOutcome> => {
  const sent = parts.filter(({ outcome }) => outcome._tag !== "Released")
  return sent.length === 0 ? parts : sent.map(partOfRoute)
}

/** Stores what an attempt has reached so far. Never fails: the outcome of the attempt includes it. */
export type StoreProgress = (outcome: DeliveryOutcome) => Effect.Effect<void>

/** How often the results of ended routes are stored while others are in progress. Most attempts are shorter. */
const progressInterval = "500 millis"

/** Attempts several routes at the same time. Recipients of ended routes do not wait for those of others. */
export const attemptRoutes = <Route>(
  routes: ReadonlyArray<Route>,
  attempt: (route: Route) => Effect.Effect<ReadonlyArray<PartialOutcome>>,
  storeProgress: StoreProgress
): Effect.Effect<ReadonlyArray<PartialOutcome>> =>
  Effect.suspend(() => {
    const parts: Array<ReadonlyArray<PartialOutcome>> = routes.map(() => [])
    let stored = 0
    const storeEnded = Effect.suspend(() => {
      const ended = parts.flat()
      if (ended.length === stored) return Effect.void
      stored = ended.length
      const progress = progressOf(ended)
      return progress === undefined ? Effect.void : storeProgress(progress)
    })
    const attemptOne = (route: Route, index: number) =>
      Effect.map(attempt(route), (ended) => {
        parts[index] = ended
      })
    const attemptAll = Effect.forEach(routes, attemptOne, { concurrency: "unbounded", discard: true })
    return Effect.raceFirst(
      attemptAll,
      Effect.forever(Effect.delay(Effect.uninterruptible(storeEnded), progressInterval))
    ).pipe(Effect.map(() => partsOfRoutes(parts.flat())))
  })

import type { Channel } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { byLabels } from "@switchboard/services/ByLabels"
import type { TakenMessage } from "@switchboard/services/messages/delivery/DeliveryQueue"
import { Clock, DateTime, Effect, Metric, MetricBoundaries } from "effect"

const outcomes = byLabels(
  Metric.counter("switchboard_message_outcomes_total", {
    description: "Attempts by channel, the message's status after them, and the code of its error",
    incremental: true
  })
)

/** In seconds. */
const waitBoundaries = MetricBoundaries.fromIterable([0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300])
const waitSeconds = Metric.histogram(
  "switchboard_queue_wait_seconds",
  waitBoundaries,
  "Seconds from when a message was due to its first attempt"
)

/** In seconds. */
const attemptBoundaries = MetricBoundaries.fromIterable([0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60])
const attemptSeconds = Metric.histogram(
  "switchboard_relay_attempt_duration_seconds",
  attemptBoundaries,
  "Seconds of an attempt to hand a message to the relay"
)

/** Counts the stored states after attempts over a channel. */
export const countOutcomes = (channel: Channel, states: ReadonlyArray<MessageState>) =>
  Effect.forEach(
    states,
    ({ errorDetails, status }) => Metric.update(outcomes({ channel, status, code: errorDetails?.code ?? "" }), 1),
    { discard: true }
  )

/** Measures an attempt, and before the first one how long the message waited. */
export const measureAttempt = <A>({ dueSince, state }: TakenMessage, attempt: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    const started = yield* Clock.currentTimeMillis
    if (state.deliveryAttempts <= 1) {
      yield* Metric.update(waitSeconds, Math.max(0, started - DateTime.toEpochMillis(dueSince)) / 1000)
    }
    const result = yield* attempt
    yield* Metric.update(attemptSeconds, ((yield* Clock.currentTimeMillis) - started) / 1000)
    return result
  })

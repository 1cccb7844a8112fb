import type { Channel } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { byLabels } from "@switchboard/services/ByLabels"
import type { TakenMessage } from "@switchboard/services/messages/delivery/DeliveryQueue"
import { DateTime, Metric, MetricBoundaries } from "effect"

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

const secondsBetween = (from: DateTime.Utc, to: DateTime.Utc) => DateTime.distance(from, to) / 1000

/** Counts the stored states after attempts over a channel. */
export const countOutcomes = (channel: Channel, states: Iterable<MessageState>): void => {
  for (const { errorDetails, status } of states) {
    outcomes({ channel, status, code: errorDetails?.code ?? "" }).unsafeUpdate(1, [])
  }
}

/** Measures an attempt and, if it is the first one, how long the message waited. */
export const measureAttempt = (
  { dueSince, state }: TakenMessage,
  startedAt: DateTime.Utc,
  endedAt: DateTime.Utc
): void => {
  if (state.deliveryAttempts <= 1) waitSeconds.unsafeUpdate(Math.max(0, secondsBetween(dueSince, startedAt)), [])
  attemptSeconds.unsafeUpdate(secondsBetween(startedAt, endedAt), [])
}

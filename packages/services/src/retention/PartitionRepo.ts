import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, Duration, type Effect, Number, Option } from "effect"

/** Tables in partitions by time. */
export type PartitionedTable =
  | "api_key_activity"
  | "events"
  | "webhook_attempts"
  | "webhook_bodies"
  | "webhook_deliveries"

/** The part of its retention that data may stay after it: its partition is then dropped as a whole. */
const tolerance = 0.1

/** The job that drops partitions runs every hour. */
export const partitionInterval = Duration.hours(1)

/** The age at which rows are deleted one by one. With a retention of days, their partition is dropped before. */
export const deletionAge = (retention: Duration.Duration): Duration.Duration => {
  const tenth = Duration.times(retention, tolerance)
  return Duration.lessThan(retention, Duration.days(1))
    ? Duration.sum(retention, tenth)
    : Duration.sum(retention, Duration.max(tenth, Duration.days(1))).pipe(
        Duration.sum(Duration.times(partitionInterval, 2))
      )
}

/** The days that one partition covers: few partitions keep reads cheap, short ones are dropped soon. */
const daysLimit = Number.clamp({ minimum: 1, maximum: 28 })

/** The time that one partition covers, longest without a retention: partitions are then never dropped. */
export const partitionWidth = (retention: Option.Option<Duration.Duration>): Duration.Duration =>
  Option.match(retention, {
    onNone: () => Duration.weeks(12),
    onSome: (limit) => Duration.days(daysLimit(Math.floor(Duration.toDays(limit) * tolerance)))
  })

/** Creates and drops partitions by time. */
export class PartitionRepo extends Context.Tag("services/PartitionRepo")<
  PartitionRepo,
  {
    /**
     * Creates partitions of a table for the time to come, and drops those of which all data is older than the
     * retention, except data that stays. Returns the number of changed partitions: 0 if another process changes them.
     */
    readonly update: (
      table: PartitionedTable,
      retention: Option.Option<Duration.Duration>
    ) => Effect.Effect<number, ServiceUnavailableError>
  }
>() {}

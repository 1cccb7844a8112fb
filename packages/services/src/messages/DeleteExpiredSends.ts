import { Effect } from "effect"
import type { ScheduledJob } from "../ScheduledJob.js"
import { contentRetention, IdempotencyRepo, keyRetention } from "./IdempotencyRepo.js"
import { SendSettings } from "./SendSettings.js"

/** Deletes the idempotency records of sends whose repetition would be a new send. */
export const deleteExpiredSends: Effect.Effect<ScheduledJob, never, IdempotencyRepo | SendSettings> = Effect.gen(
  function* () {
    const repo = yield* IdempotencyRepo
    const { dedupeWindow } = yield* SendSettings
    const deleted = repo.deleteExpired({ keys: keyRetention, contents: contentRetention(dedupeWindow) })
    return {
      what: "Deleting expired sends",
      every: "1 hour",
      round: Effect.map(deleted, ({ contents, keys }) => keys + contents)
    }
  }
)

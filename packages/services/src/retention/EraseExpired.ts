import { type Duration, Effect, Option } from "effect"
import type { ScheduledJob } from "../ScheduledJob.js"
import { RetentionRepo } from "./RetentionRepo.js"
import { RetentionSettings, retentionInterval } from "./RetentionSettings.js"

type Kept = "messageBodies" | "events" | "inboundRaw"

const eraseKept = (
  what: string,
  kept: Kept,
  erase: (repo: typeof RetentionRepo.Service) => (kept: Duration.Duration) => ScheduledJob["round"]
): Effect.Effect<ReadonlyArray<ScheduledJob>, never, RetentionRepo | RetentionSettings> =>
  Effect.gen(function* () {
    const repo = yield* RetentionRepo
    const settings = yield* RetentionSettings
    return Option.match(settings[kept], {
      onNone: () => [],
      onSome: (duration) => [{ what, every: retentionInterval(duration), round: erase(repo)(duration) }]
    })
  })

/** Jobs that erase data after its `RETENTION_*` setting; none where the setting is absent. */
export const eraseExpired: Effect.Effect<
  ReadonlyArray<ScheduledJob>,
  never,
  RetentionRepo | RetentionSettings
> = Effect.map(
  Effect.all([
    eraseKept("Erasing old bodies of messages", "messageBodies", (repo) => repo.eraseBodies),
    eraseKept("Erasing old events", "events", (repo) => repo.eraseEvents),
    eraseKept("Erasing old logs of forwarding and blocks", "events", (repo) => repo.eraseMailLogs),
    eraseKept("Erasing old mails as they came in", "inboundRaw", (repo) => repo.eraseInboundRaw)
  ]),
  (jobs) => jobs.flat()
)

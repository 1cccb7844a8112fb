import { type Duration, Effect, Option } from "effect"
import type { Chore } from "../Chore.js"
import { RetentionRepo } from "./RetentionRepo.js"
import { lookEvery, RetentionSettings } from "./RetentionSettings.js"

type Kept = "messageBodies" | "events" | "inboundRaw"

const eraseKept = (
  what: string,
  kept: Kept,
  erase: (repo: typeof RetentionRepo.Service) => (kept: Duration.Duration) => Chore["round"]
): Effect.Effect<ReadonlyArray<Chore>, never, RetentionRepo | RetentionSettings> =>
  Effect.gen(function* () {
    const repo = yield* RetentionRepo
    const settings = yield* RetentionSettings
    return Option.match(settings[kept], {
      onNone: () => [],
      onSome: (duration) => [{ what, every: lookEvery(duration), round: erase(repo)(duration) }]
    })
  })

/** Erases what operators do not want to be kept for ever; nothing is to be done where they say nothing. */
export const eraseWhatWasKept: Effect.Effect<
  ReadonlyArray<Chore>,
  never,
  RetentionRepo | RetentionSettings
> = Effect.map(
  Effect.all([
    eraseKept("Erasing old bodies of messages", "messageBodies", (repo) => repo.eraseBodies),
    eraseKept("Erasing old events", "events", (repo) => repo.eraseEvents),
    eraseKept("Erasing old logs of forwarding and blocks", "events", (repo) => repo.eraseMailLogs),
    eraseKept("Erasing old mails as they came in", "inboundRaw", (repo) => repo.eraseInboundRaw)
  ]),
  (chores) => chores.flat()
)

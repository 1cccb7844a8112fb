import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { DateTime, Duration, Effect } from "effect"
import type { ScheduledJob } from "../../ScheduledJob.js"
import { DomainChecks } from "./DomainChecks.js"
import { DomainRepo } from "./DomainRepo.js"

const batch = 50
const atATime = 10

/** Longer than a batch takes of which no name server answers. */
const putOff = Duration.minutes(10)

/** Looks domains up again, those whose time has come: whoever looks puts it off first, so that nobody else does. */
export const recheckDomains: Effect.Effect<ScheduledJob, never, DomainRepo | DomainChecks> = Effect.gen(function* () {
  const repo = yield* DomainRepo
  const checks = yield* DomainChecks

  const round: Effect.Effect<number, ServiceUnavailableError> = Effect.gen(function* () {
    const now = yield* DateTime.now
    const due = yield* repo.takeDue(now, DateTime.addDuration(now, putOff), batch)
    yield* Effect.forEach(due, checks.recheck, { concurrency: atATime, discard: true })
    return due.length < batch ? due.length : due.length + (yield* round)
  })

  return { what: "Looking domains up again", every: "1 minute", round }
})

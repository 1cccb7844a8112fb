import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { DateTime, Duration, Effect } from "effect"
import type { ScheduledJob } from "../../ScheduledJob.js"
import { DomainChecks } from "./DomainChecks.js"
import { DomainRepo } from "./DomainRepo.js"

const batch = 50
const checkConcurrency = 10

/** Exceeds the duration of a batch in which every lookup times out. */
const putOff = Duration.minutes(10)

/** Checks the domains that are due. Taking a domain moves its next check, so that no other process checks it. */
export const recheckDomains: Effect.Effect<ScheduledJob, never, DomainRepo | DomainChecks> = Effect.gen(function* () {
  const repo = yield* DomainRepo
  const checks = yield* DomainChecks

  const round: Effect.Effect<number, ServiceUnavailableError> = Effect.gen(function* () {
    const now = yield* DateTime.now
    const due = yield* repo.takeDue(now, DateTime.addDuration(now, putOff), batch)
    yield* Effect.forEach(due, checks.recheck, { concurrency: checkConcurrency, discard: true })
    return due.length < batch ? due.length : due.length + (yield* round)
  })

  return { what: "Checking domains", every: "1 minute", round }
})

import { AuditEntryId } from "@switchboard/domain/audit/AuditEntry"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Cause, Effect, Exit, Option } from "effect"
import { newId } from "../NewId.js"
import { RequestDeadline, requestDeadline } from "../RequestDeadline.js"
import { AuditRepo, type IntendedChange, type MadeChange } from "./AuditRepo.js"

/** Whether a failure means that nothing changed. After an outage, a defect or an interruption it is not known. */
const isRefusal = (cause: Cause.Cause<unknown>): boolean =>
  Option.exists(Cause.failureOption(cause), (error) => !(error instanceof ServiceUnavailableError)) &&
  !Cause.isInterrupted(cause) &&
  Option.isNone(Cause.dieOption(cause))

/** The changes that keys make to their organization. */
export class AuditLog extends Effect.Service<AuditLog>()("services/AuditLog", {
  effect: Effect.gen(function* () {
    const repo = yield* AuditRepo

    /** The change is over: a failure to record its end does not change the response, and the entry stays `unknown`. */
    const settle = (id: AuditEntryId, record: Effect.Effect<void, ServiceUnavailableError>) =>
      record.pipe(
        Effect.catchAllCause((cause) => Effect.logWarning(`The audit entry ${id} stays unknown`, cause)),
        // The request may have used up its time.
        Effect.locally(requestDeadline, new RequestDeadline())
      )

    /**
     * Makes a change with an entry, which is stored before the change and completed after it. Fails without the change
     * if the entry cannot be stored. A refused change leaves no entry. `describe` returns null if nothing changed.
     */
    const audited = <A, E, R>(
      intended: IntendedChange,
      change: Effect.Effect<A, E, R>,
      describe: (result: A) => Effect.Effect<MadeChange | null>
    ): Effect.Effect<A, E | ServiceUnavailableError, R> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const { organizationId } = intended
          const { id, now } = yield* newId(AuditEntryId)
          yield* restore(repo.begin(id, now, intended))
          const exit = yield* Effect.exit(restore(change))
          if (Exit.isFailure(exit)) {
            if (isRefusal(exit.cause)) yield* settle(id, repo.remove(organizationId, id))
            return yield* exit
          }
          const made = yield* describe(exit.value)
          yield* settle(id, made === null ? repo.remove(organizationId, id) : repo.complete(organizationId, id, made))
          return exit.value
        })
      )

    return { audited, list: repo.list } as const
  })
}) {}

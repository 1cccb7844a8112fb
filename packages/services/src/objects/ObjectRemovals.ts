import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Effect } from "effect"

/** An object that is to be gone. Its key is never used again. */
export interface ObjectRemoval {
  readonly organizationId: OrganizationId
  readonly key: ObjectKey
  /** Not before: somebody may still be allowed to put it. */
  readonly dueAt: DateTime.Utc
}

/**
 * What is to be removed from the object store. It is noted by the transactions that make it useless, so that no crash
 * leaves it behind.
 */
export class ObjectRemovals extends Context.Tag("services/ObjectRemovals")<
  ObjectRemovals,
  {
    /** What is due by then, put off so that nobody else takes it meanwhile. */
    readonly takeDue: (
      now: DateTime.Utc,
      putOffUntil: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ObjectRemoval>, ServiceUnavailableError>
    /** They are gone. */
    readonly done: (removals: ReadonlyArray<ObjectRemoval>) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}

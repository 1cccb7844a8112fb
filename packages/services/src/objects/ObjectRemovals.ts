import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Effect } from "effect"

/** An object to remove. Its key is never used again. */
export interface ObjectRemoval {
  readonly organizationId: OrganizationId
  readonly key: ObjectKey
  /** Not before this time: an upload link may still be valid. */
  readonly dueAt: DateTime.Utc
}

/**
 * Queues the removal of objects. The transaction that makes an object obsolete queues its removal, so that a crash
 * leaves no orphan.
 */
export class ObjectRemovals extends Context.Tag("services/ObjectRemovals")<
  ObjectRemovals,
  {
    /** Leases up to `limit` due removals, by moving their time to `putOffUntil`. */
    readonly takeDue: (
      now: DateTime.Utc,
      putOffUntil: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ObjectRemoval>, ServiceUnavailableError>
    /** Deletes finished removals from the queue. */
    readonly done: (removals: ReadonlyArray<ObjectRemoval>) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}

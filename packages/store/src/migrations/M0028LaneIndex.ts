import type { NewIndex } from "./ApplyMigrations.js"

/**
 * The next ready entry of an organization's lane; and, by skipping from one to the next, all organizations with ready
 * entries. A process of the release before has no index of its order and sorts an organization's ready entries, until it
 * is replaced.
 */
export const M0028LaneIndex: ReadonlyArray<NewIndex> = [
  {
    name: "message_queue_lanes",
    on: "message_queue (organization_id, lane, ready_at, id) WHERE lease_until IS NULL"
  }
]

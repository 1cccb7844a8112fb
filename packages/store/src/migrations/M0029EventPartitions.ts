import { partitionById } from "./PartitionTable.js"

/**
 * Partitions the events by the time in their ids. All existing rows stay in place, in the only partition, which takes
 * every id; a job divides it at a later time (`partitions/ExtendPartitions.ts`).
 */
export const M0029EventPartitions = partitionById("events", "id")

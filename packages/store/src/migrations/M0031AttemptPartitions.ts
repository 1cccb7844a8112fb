import { partitionById, skipDeletionsByCtid } from "./PartitionTable.js"

/**
 * Partitions the attempts of webhook deliveries by the time in the delivery's id. The deliveries stay one table: their
 * unique key of endpoint and event does not contain the id.
 */
export const M0031AttemptPartitions = /* sql */ `
${partitionById("webhook_attempts", "delivery_id")}
${skipDeletionsByCtid("webhook_attempts")}`

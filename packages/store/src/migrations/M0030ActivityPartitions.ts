import { partitionById, skipDeletionsByCtid } from "./PartitionTable.js"

/** Partitions the activity of keys by the time in its ids. */
export const M0030ActivityPartitions = /* sql */ `
CREATE FUNCTION skip_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
${partitionById("api_key_activity", "id")}
${skipDeletionsByCtid("api_key_activity")}`

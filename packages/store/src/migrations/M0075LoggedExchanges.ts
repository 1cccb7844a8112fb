import { lockTables } from "./PartitionTable.js"

/**
 * Stores the headers of webhook attempts, and counts failed attempts. Failed attempts from before are not counted one by
 * one: each failed delivery counts as one.
 */
export const M0075LoggedExchanges = /* sql */ `
DO $$ BEGIN${lockTables("webhook_attempts", "webhook_endpoint_health")}
END $$;

-- Objects of names and values, without credentials. NULL if no request was sent, or no response arrived.
ALTER TABLE webhook_attempts ADD COLUMN request_headers json, ADD COLUMN response_headers json;

ALTER TABLE webhook_endpoint_health ADD COLUMN attempts_failed bigint NOT NULL DEFAULT 0;
UPDATE webhook_endpoint_health SET attempts_failed = failed WHERE failed > 0;
`

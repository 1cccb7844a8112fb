/**
 * Assigns positions to the events written before `M0025EventPositions`. Apart from it, so that no request waits for the
 * lock of its trigger while a large table is read. Newer events are in `new_event_batches`: a process numbers them only
 * after this migration.
 */
export const M0026OlderEvents = /* sql */ `
INSERT INTO event_batches (organization_id, position, first_event, events)
SELECT organization_id, row_number() OVER (PARTITION BY organization_id ORDER BY xid), (array_agg(id ORDER BY id))[1],
  array_agg(id ORDER BY id)
FROM events AS e WHERE NOT EXISTS (
  SELECT FROM (SELECT organization_id, unnest(events) AS id FROM new_event_batches) AS n
  WHERE n.organization_id = e.organization_id AND n.id = e.id
) GROUP BY organization_id, xid;

INSERT INTO event_positions (organization_id, last)
SELECT organization_id, max(position) FROM event_batches GROUP BY organization_id;

-- Processes of the release before read the column xid until they are replaced; a later migration removes it.
DROP INDEX events_stream;
`

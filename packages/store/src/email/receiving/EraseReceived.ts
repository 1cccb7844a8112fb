/**
 * CTEs of the statement that removes a message ($1 organization, $2 id): they erase the other data of a received
 * message. The mail's row stays with its fingerprint, so that neither a late worker nor a repeated delivery restores
 * the message.
 */
export const eraseReceivedParts = /* sql */ `
erased AS (
  UPDATE inbound_messages SET rfc_message_id = '', in_reply_to = '{}', refers_to = '{}', headers = '[]', size = 0,
    authentication = NULL WHERE organization_id = $1 AND message_id = $2
), mail AS (
  UPDATE inbound_mails SET mail_from = '', recipients = '[]', remote_address = '', helo = '', raw = NULL,
    processed_at = COALESCE(processed_at, now()), parse_error = NULL
  WHERE organization_id = $1 AND id IN (SELECT id FROM removed)
), mail_queued AS (
  DELETE FROM inbound_queue WHERE organization_id = $1 AND id IN (SELECT id FROM removed)
), mail_waiting AS (
  DELETE FROM inbound_waiting WHERE organization_id = $1 AND id IN (SELECT id FROM removed)
), files AS (
  DELETE FROM inbound_attachments WHERE organization_id = $1 AND message_id = $2 RETURNING object_key
), objects AS (
  INSERT INTO object_removals (organization_id, key, due_at) SELECT $1, object_key, now() FROM files ON CONFLICT DO NOTHING
)`

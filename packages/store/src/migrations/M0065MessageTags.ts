/** `tag_messages` without the search for conflicts: the tags of a new message are not stored yet. */
export const M0065MessageTags = /* sql */ `
CREATE OR REPLACE FUNCTION tag_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message_tags (organization_id, tag, message_id)
  SELECT DISTINCT organization_id, tag, id FROM added CROSS JOIN LATERAL unnest(tags) AS tag;
  RETURN NULL;
END $$`

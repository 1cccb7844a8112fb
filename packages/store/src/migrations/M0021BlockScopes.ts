/** Blocks on one category of mail. */
export const M0021BlockScopes = /* sql */ `
-- The scope: empty for all mail, otherwise a category.
ALTER TABLE email_blocks ADD COLUMN category text NOT NULL DEFAULT '';
ALTER TABLE email_blocks ADD CONSTRAINT email_blocks_all_mail CHECK (category = '') NO INHERIT;
-- The category of the entry's block; NULL for all mail.
ALTER TABLE email_block_logs ADD COLUMN category text;

-- Blocks on one category are rows of a child table. Processes of the previous release insert with the unique key of
-- email_blocks, which applies to the parent's own rows alone; they read the rows of both tables, and block all mail to
-- an address until they are replaced.
CREATE TABLE email_category_blocks (
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organizations (id),
  CHECK (category <> '')
) INHERITS (email_blocks);
CREATE UNIQUE INDEX email_category_blocks_value_key
  ON email_category_blocks (organization_id, type, value, category);

-- Only marketing mail had unsubscribe links.
WITH moved AS (
  DELETE FROM ONLY email_blocks WHERE reason = 'unsubscribe' RETURNING *
)
INSERT INTO email_category_blocks (organization_id, id, type, value, reason, source, source_message_id, hit_count,
  last_hit_at, expires_at, created_at, updated_at, category)
SELECT organization_id, id, type, value, reason, source, source_message_id, hit_count, last_hit_at, expires_at,
  created_at, updated_at, 'marketing' FROM moved;
`

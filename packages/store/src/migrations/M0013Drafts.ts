/** Drafts of messages, and their attachments. */
export const M0013Drafts = /* sql */ `
CREATE TABLE drafts (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  channel text NOT NULL,
  recipients json NOT NULL,
  content json NOT NULL,
  title text,
  -- The message that it was sent as. The idempotency record has the id first, and expires earlier.
  sent_message_id uuid,
  -- The request that sends the draft holds it until then.
  held_until timestamptz,
  last_edited_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid,
  PRIMARY KEY (organization_id, id)
);
-- Drafts that are being sent, or whose send was interrupted.
CREATE INDEX drafts_held ON drafts (held_until) WHERE held_until IS NOT NULL;

-- Attachments of drafts. Their contents are in the object store.
CREATE TABLE attachments (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  filename text NOT NULL,
  content_type text NOT NULL,
  size integer NOT NULL,
  -- The expiry of an unused attachment; NULL while a draft links it.
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
-- Expired attachments.
CREATE INDEX attachments_expiring ON attachments (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE draft_attachments (
  organization_id uuid NOT NULL,
  draft_id uuid NOT NULL,
  attachment_id uuid NOT NULL,
  PRIMARY KEY (organization_id, draft_id, attachment_id),
  FOREIGN KEY (organization_id, draft_id) REFERENCES drafts (organization_id, id),
  FOREIGN KEY (organization_id, attachment_id) REFERENCES attachments (organization_id, id)
);
-- Whether a draft links an attachment.
CREATE INDEX draft_attachments_attachment ON draft_attachments (organization_id, attachment_id);
`

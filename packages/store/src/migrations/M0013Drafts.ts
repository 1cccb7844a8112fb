/** Messages that are being written, and the files that go with them. */
export const M0013Drafts = /* sql */ `
CREATE TABLE drafts (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  channel text NOT NULL,
  recipients json NOT NULL,
  content json NOT NULL,
  title text,
  -- What it was sent as. The claim of the draft's key says so first: this is noted after it, and outlasts it.
  sent_message_id uuid,
  -- Who sends it has it to itself until then.
  held_until timestamptz,
  last_edited_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid,
  PRIMARY KEY (organization_id, id)
);
-- Those that are being sent, or whose sending nobody ended.
CREATE INDEX drafts_held ON drafts (held_until) WHERE held_until IS NOT NULL;

-- Files that drafts name. What they consist of is in the object store.
CREATE TABLE attachments (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  filename text NOT NULL,
  content_type text NOT NULL,
  size integer NOT NULL,
  -- When it goes; null while a draft names it.
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
-- Those that are to go.
CREATE INDEX attachments_expiring ON attachments (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE draft_attachments (
  organization_id uuid NOT NULL,
  draft_id uuid NOT NULL,
  attachment_id uuid NOT NULL,
  PRIMARY KEY (organization_id, draft_id, attachment_id),
  FOREIGN KEY (organization_id, draft_id) REFERENCES drafts (organization_id, id),
  FOREIGN KEY (organization_id, attachment_id) REFERENCES attachments (organization_id, id)
);
-- Whether any draft names a file.
CREATE INDEX draft_attachments_attachment ON draft_attachments (organization_id, attachment_id);
`

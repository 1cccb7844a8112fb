/** Participants and their addresses. */
export const Participants = /* sql */ `
-- The people and systems that messages come from and go to.
CREATE TABLE participants (
  organization_id uuid NOT NULL, id uuid NOT NULL, name text NOT NULL, display_name text, type text NOT NULL,
  country text, region text, metadata jsonb, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
  -- Whether a request created or completed the participant. One that was created from an address in a mail can still be
  -- merged into a participant that claims the address.
  is_given boolean NOT NULL DEFAULT false,
  -- Whether it can have a name that is not one of its addresses: false until the first change, if a send created it.
  is_named boolean NOT NULL DEFAULT true,
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
-- Lists of participants by type.
CREATE INDEX participants_type ON participants (organization_id, type, id);
-- Searches of participants by a part of a name.
CREATE INDEX participants_search_keys
  ON participants USING gin (search_key(fold_case(name)) gin_trgm_ops,
    search_key(fold_case(display_name)) gin_trgm_ops, organization_id) WHERE is_named;

-- An address belongs to one participant of an organization. Lower case.
CREATE TABLE participant_addresses (
  organization_id uuid NOT NULL, kind text NOT NULL, address text NOT NULL, participant_id uuid NOT NULL,
  PRIMARY KEY (organization_id, kind, address)
);
-- The addresses of a participant.
CREATE INDEX participant_addresses_participant ON participant_addresses (organization_id, participant_id);
-- Searches of participants by a part of an address.
CREATE INDEX participant_addresses_search_keys
  ON participant_addresses USING gin (search_key(fold_case(address)) gin_trgm_ops, organization_id);
`

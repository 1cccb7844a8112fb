import type { NewIndex } from "./ApplyMigrations.js"

/**
 * Whether a participant can have a name or display name that is not one of its addresses: false until the first change of
 * one that a send created. A trigger keeps it, also for processes of the previous release.
 */
export const M0063NamedParticipants = /* sql */ `
ALTER TABLE participants ADD COLUMN is_named boolean NOT NULL DEFAULT true;
CREATE FUNCTION name_participant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_named := true;
  RETURN NEW;
END $$;
CREATE TRIGGER participants_named BEFORE UPDATE OF name, display_name ON participants FOR EACH ROW
  WHEN (NOT NEW.is_named) EXECUTE FUNCTION name_participant()`

/** The index of names. A name that is only an address is found by the index of addresses. */
export const M0064NameSearch: ReadonlyArray<NewIndex> = [
  {
    name: "participants_named",
    on: "participants USING gin (name gin_trgm_ops, display_name gin_trgm_ops, organization_id) WHERE is_named",
    extensions: ["btree_gin", "pg_trgm"]
  }
]

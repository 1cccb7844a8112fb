/** The indexes by which lists find messages by references, tags and parts of the subject. */
export const M0038SearchIndexes = [
  {
    name: "messages_external_id",
    on: "messages (organization_id, external_id, id) WHERE external_id IS NOT NULL"
  },
  {
    name: "messages_reference_id",
    on: "messages (organization_id, reference_id, id) WHERE reference_id IS NOT NULL"
  },
  // The organization is a key of these indexes too: a search does not read the entries of all organizations.
  {
    name: "messages_tags",
    on: "messages USING gin (organization_id, tags) WHERE tags <> '{}'",
    extensions: ["btree_gin"]
  },
  {
    name: "messages_subject",
    on: "messages USING gin (organization_id, (content ->> 'subject') gin_trgm_ops)",
    extensions: ["btree_gin", "pg_trgm"]
  }
]

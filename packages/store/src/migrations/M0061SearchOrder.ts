import type { NewIndex } from "./ApplyMigrations.js"

/**
 * The index for parts of the subject, with the organization last. PostgreSQL tests the keys of an index in their order:
 * with the organization first, a search read up to all entries of the organization between those of the text.
 */
export const M0061SearchOrder: ReadonlyArray<NewIndex> = [
  {
    name: "messages_search",
    on: "messages USING gin ((content ->> 'subject') gin_trgm_ops, organization_id)",
    extensions: ["btree_gin", "pg_trgm"]
  }
]

import type { NewIndex } from "./ApplyMigrations.js"

/**
 * The subject of a message beside its content. Not `subject`: functions of earlier migrations have a parameter of that
 * name, which a column of their tables would hide.
 */
export const M0067SubjectLines = "ALTER TABLE messages ADD COLUMN subject_line text"

/** The index for parts of the subject: of `subject_line`, or of the content in older messages. */
export const M0068SubjectSearch: ReadonlyArray<NewIndex> = [
  {
    name: "messages_subjects",
    on: "messages USING gin (COALESCE(subject_line, content ->> 'subject') gin_trgm_ops, organization_id)",
    extensions: ["btree_gin", "pg_trgm"]
  }
]

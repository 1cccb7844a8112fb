import type { NewIndex } from "./ApplyMigrations.js"

/**
 * The functions of searches.
 *
 * - `fold_case`: texts that differ only in case, or in the composition of their characters, have the same result, in every
 *   script. The ICU root collation does not depend on the locale of the database, in which `lower` can fold ASCII alone.
 *   Upper case after lower case has no final sigma and no sharp s. The dot of the Turkish capital I is left out.
 * - `search_key` replaces each character that is no ASCII letter or digit by a letter. `pg_trgm` makes trigrams of
 *   letters and digits only, and with the locale C it takes no other character for a letter. Different texts can have
 *   the same key: a search also compares the texts.
 * - `message_texts` joins the texts of a message that a search reads, for one index of them.
 *
 * Only functions of `pg_catalog` are called: indexes are built without the schema of these functions in `search_path`.
 */
export const M0073SearchKeys = /* sql */ `
CREATE FUNCTION fold_case(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN upper(replace(lower(normalize(value) COLLATE "und-x-icu"), U&'\\0307', ''));

CREATE FUNCTION search_key(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  key text := translate(value, E' \\t\\r\\n!"#$%&''()*+,-./:;<=>?@[\\\\]^_\`{|}~', repeat('Z', 36));
BEGIN
  IF octet_length(key) = length(key) THEN
    RETURN key;
  END IF;
  RETURN (SELECT string_agg(CASE WHEN ascii(c) < 128 THEN c ELSE chr(65 + ascii(c) % 26) END, '' ORDER BY n)
    FROM unnest(string_to_array(key, NULL)) WITH ORDINALITY AS u(c, n));
END $$;

CREATE FUNCTION message_texts(subject_line text, content json, addressing json, external_id text, reference_id text,
  direction text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN COALESCE(subject_line, content ->> 'subject', '') || COALESCE(addressing ->> 'to', '')
  || COALESCE(addressing ->> 'cc', '') || COALESCE(addressing ->> 'bcc', '') || COALESCE(external_id, '')
  || COALESCE(reference_id, '') || CASE WHEN direction = 'inbound' THEN COALESCE(content ->> 'from', '') ELSE '' END`

const searchKey = (text: string) => `search_key(fold_case(${text})) gin_trgm_ops`

/** An index of the texts that a search reads. The organization is a key too: a search reads no rows of others. */
const searchIndex = (name: string, table: string, texts: ReadonlyArray<string>, where = ""): NewIndex => ({
  name,
  on: `${table} USING gin (${texts.map(searchKey).join(", ")}, organization_id)${where}`,
  extensions: ["btree_gin", "pg_trgm"]
})

/** The indexes of searches. */
export const M0074SearchKeyIndexes: ReadonlyArray<NewIndex> = [
  searchIndex("messages_search_keys", "messages", [
    "message_texts(subject_line, content, addressing, external_id, reference_id, direction)"
  ]),
  searchIndex("participants_search_keys", "participants", ["name", "display_name"], " WHERE is_named"),
  searchIndex("participant_addresses_search_keys", "participant_addresses", ["address"]),
  searchIndex("conversations_search_keys", "conversations", ["title", "description"]),
  searchIndex("threads_search_keys", "threads", ["subject"]),
  searchIndex("email_blocks_search_keys", "email_blocks", ["value"]),
  searchIndex("email_category_blocks_search_keys", "email_category_blocks", ["value"])
]

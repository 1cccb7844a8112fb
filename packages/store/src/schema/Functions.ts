/** The extensions, and the functions of times, ids and searches that tables and indexes use. */
export const Functions = /* sql */ `
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- UUID version 7 (RFC 9562), which PostgreSQL provides only since version 18. Ids sort by the given time in
-- microseconds (section 6.2, method 3), and then by the place among ids of the same time.
CREATE FUNCTION new_uuid_v7(at timestamptz DEFAULT clock_timestamp(), place bigint DEFAULT 0) RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(substring(int8send(floor(extract(epoch FROM at) * 1000)::bigint) FROM 3)
    || substring(int4send(x'7000'::int + (extract(microseconds FROM at)::int % 1000) * 4) FROM 3)
    || substring(int4send(x'8000'::int + (place % 16384)::int) FROM 3)
    || substring(uuid_send(gen_random_uuid()) FROM 11), 'hex')::uuid
$$;

-- The time in a UUIDv7, which PostgreSQL can read only since version 18.
CREATE FUNCTION time_of_uuid_v7(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
$$;

-- The beginning of the quarter of an hour. The hours and days of every time zone consist of complete quarter hours.
CREATE FUNCTION quarter_of(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date_bin('15 minutes', at, '2000-01-01 00:00:00+00')
$$;

-- The functions of searches call functions of pg_catalog only: indexes are built without this schema in search_path.

-- Texts that differ only in case, or in the composition of their characters, have the same result, in every script. The
-- ICU root collation does not depend on the locale of the database, in which lower() can fold ASCII alone. Upper case
-- after lower case has no final sigma and no sharp s. The dot of the Turkish capital I is left out.
CREATE FUNCTION fold_case(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN upper(replace(lower(normalize(value) COLLATE "und-x-icu"), U&'\\0307', ''));

-- Replaces each character that is no ASCII letter or digit by a letter: pg_trgm makes trigrams of letters and digits
-- only, and with the locale C it knows ASCII alone. Different texts can have the same key: a search also compares the
-- texts.
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

-- The texts of a message that a search reads, joined for one index of them.
CREATE FUNCTION message_texts(subject_line text, content json, addressing json, external_id text, reference_id text,
  direction text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN COALESCE(subject_line, '') || COALESCE(addressing ->> 'to', '')
  || COALESCE(addressing ->> 'cc', '') || COALESCE(addressing ->> 'bcc', '') || COALESCE(external_id, '')
  || COALESCE(reference_id, '') || CASE WHEN direction = 'inbound' THEN COALESCE(content ->> 'from', '') ELSE '' END;
`

/** The complete description of generated data. */
export interface Shape {
  readonly messages: number
  readonly organizations: number
  readonly until: Date
  readonly without: ReadonlyArray<"events" | "webhooks" | "activity">
}

/** The API key of the organization at a place. */
export const generatedKey = (place: number) => `sk_sm_${String(place).padStart(40, "0")}`

/** The time span of the messages. */
export const days = 365

/** SQL: the place of the organization that row `n` belongs to. The first one has 80 %. */
export const organizationOf = ({ organizations }: Shape, seed: number) =>
  `CASE WHEN ${organizations} = 1 OR pg_temp.chance(n, ${seed}) < 0.8 THEN 1
    ELSE 2 + floor(pg_temp.chance(n, ${seed + 1}) * ${organizations - 1})::int END`

/** The number of participants of an organization at `place`, as SQL. The first one is the sender. */
const participants = ({ messages, organizations }: Shape) =>
  `greatest(10, ${messages} * (CASE WHEN ${organizations} = 1 THEN 1 WHEN place = 1 THEN 0.8
    ELSE ${0.2 / Math.max(1, organizations - 1)} END) / 10)::int`

const literal = (at: Date) => `'${at.toISOString()}'::timestamptz`
const start = ({ until }: Shape) => literal(new Date(until.getTime() - days * 86_400_000))

/**
 * Ids are derived from names, so that statements refer to rows of each other without reading them, and the same
 * description gives the same data.
 */
const functions = /* sql */ `
CREATE OR REPLACE FUNCTION pg_temp.hex(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT '0' || to_hex((date_part('epoch', at) * 1000)::bigint)
$$;
CREATE OR REPLACE FUNCTION pg_temp.tail(name text) RETURNS text LANGUAGE sql STABLE AS $$ SELECT substr(md5(name), 1, 15) $$;
-- A UUID version 7 of its time, kind (three digits) and tail, all in base 16.
CREATE OR REPLACE FUNCTION pg_temp.id_of(at text, kind text, tail text) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT (at || '7' || kind || '8' || tail)::uuid
$$;
CREATE OR REPLACE FUNCTION pg_temp.chance(n bigint, seed int) RETURNS float8 LANGUAGE sql STABLE AS $$
  SELECT (hashint8extended(n, seed) & 2147483647)::float8 / 2147483648
$$;
CREATE OR REPLACE FUNCTION pg_temp.iso(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;`

/** Organizations with an API key, a sender, a disabled webhook endpoint, participants and blocks. */
export const organizationStatements = (shape: Shape) => /* sql */ `${functions}
CREATE TEMP TABLE generated_organizations AS
SELECT place, pg_temp.id_of(hex, '000', pg_temp.tail(place::text)) AS id,
  pg_temp.id_of(hex, '001', pg_temp.tail(place::text)) AS key_id,
  pg_temp.id_of(hex, '002', pg_temp.tail(place::text)) AS endpoint_id,
  pg_temp.id_of(hex, '003', pg_temp.tail(place || ' 0')) AS sender_id, ${participants(shape)} AS participants, hex
FROM generate_series(1, ${shape.organizations}) AS place CROSS JOIN pg_temp.hex(${start(shape)}) AS hex;
CREATE INDEX ON generated_organizations (place);
ANALYZE generated_organizations;

INSERT INTO organizations (id, name, slug, plan, created_at, updated_at)
SELECT id, 'Organization ' || place, 'generated-' || place, 'unlimited', ${start(shape)}, ${start(shape)}
FROM generated_organizations;
INSERT INTO organization_usage (organization_id, month)
SELECT id, date_trunc('month', now() AT TIME ZONE 'UTC')::date FROM generated_organizations;
INSERT INTO event_positions (organization_id, last) SELECT id, 0 FROM generated_organizations;
INSERT INTO api_keys (id, organization_id, name, start, hash, permissions, created_at, updated_at)
SELECT key_id, id, 'Key', substr(value, 1, 12), encode(sha256(convert_to(value, 'UTF8')), 'hex'), '{"*": ["*"]}', ${start(shape)},
  ${start(shape)}
FROM (SELECT *, 'sk_sm_' || lpad(place::text, 40, '0') AS value FROM generated_organizations) AS o;
INSERT INTO email_senders (organization_id, id, email, name, verification_status, verified_at, is_default, created_at,
  updated_at)
SELECT id, sender_id, 'hello@localhost.test', 'Hello', 'verified', ${start(shape)}, true, ${start(shape)}, ${start(shape)}
FROM generated_organizations;
INSERT INTO webhook_endpoints (organization_id, id, name, slug, url, events, filters, rate_limit, priority, status,
  test_mode, created_at, updated_at)
SELECT id, endpoint_id, 'Endpoint', 'endpoint', 'https://hooks.example.com/' || place, '{message.delivered}', '{}', '{}', 0,
  'disabled', false, ${start(shape)}, ${start(shape)} FROM generated_organizations;
INSERT INTO secrets (organization_id, owner, purpose, version, value)
SELECT id, endpoint_id, 'webhook-secret', 1, sha256(uuid_send(id)) FROM generated_organizations;
INSERT INTO webhook_endpoint_health (organization_id, endpoint_id) SELECT id, endpoint_id FROM generated_organizations;

CREATE TEMP TABLE generated_people AS
SELECT o.id AS organization_id, pg_temp.id_of(hex, '003', pg_temp.tail(place || ' ' || k)) AS id, k,
  CASE WHEN k = 0 THEN 'hello@localhost.test' ELSE 'person' || k || '@example' || k % 50 || '.com' END AS address
FROM generated_organizations AS o CROSS JOIN LATERAL generate_series(0, o.participants - 1) AS k;
INSERT INTO participants (organization_id, id, name, type, is_named, created_at, updated_at)
SELECT organization_id, id, CASE WHEN k = 0 THEN 'Hello' ELSE address END, CASE WHEN k = 0 THEN 'sender' ELSE 'contact' END,
  k = 0, ${start(shape)}, ${start(shape)} FROM generated_people;
INSERT INTO participant_addresses (organization_id, kind, address, participant_id)
SELECT organization_id, 'email', address, id FROM generated_people;
UPDATE organization_usage AS u SET participants = p.participants
FROM (SELECT organization_id, count(*) AS participants FROM generated_people GROUP BY 1) AS p
WHERE p.organization_id = u.organization_id;
DROP TABLE generated_people;

CREATE TEMP TABLE generated_blocks AS
SELECT id AS organization_id, pg_temp.id_of(pg_temp.hex(at), '004', pg_temp.tail(n::text)) AS id, 'blocked' || n || '@example.com' AS value, at, n
FROM (SELECT n, ${start(shape)} + n * interval '${days} days' / ${Math.ceil(shape.messages / 100)} AS at,
    ${organizationOf(shape, 21)} AS place
  FROM generate_series(1, ${Math.ceil(shape.messages / 100)}) AS n) AS b JOIN generated_organizations AS o USING (place);
INSERT INTO email_blocks (organization_id, id, type, value, reason, source, created_at, updated_at)
SELECT organization_id, id, 'email', value, CASE WHEN n % 5 = 0 THEN 'hard_bounce' ELSE 'manual' END, 'api', at, at
FROM generated_blocks;
INSERT INTO email_block_logs (organization_id, id, block_id, email, action, created_at)
SELECT organization_id, pg_temp.id_of(pg_temp.hex(at), '005', pg_temp.tail(n::text)), id, value, 'added', at FROM generated_blocks;
DROP TABLE generated_blocks;`

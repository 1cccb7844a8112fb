const counts = [
  "accepted",
  "sent",
  "delivered",
  "read",
  "failed",
  "bounced",
  "refused",
  "complained",
  "received",
  "cost",
  "responses",
  "response_ms"
]
const list = counts.join(", ")
const sums = counts.map((name) => `sum(${name})`).join(", ")
const added = counts.map((name) => `${name} = c.${name} + excluded.${name}`).join(", ")

/** Serializes merging and building. Requests never wait for this lock. */
const lock = "PERFORM pg_advisory_xact_lock(7231907533)"

/** Adds the counts of quarter hours (`q`, with the time zone in `zone`) to longer periods. */
const addPeriods = (quarters: string) => `
  INSERT INTO message_periods AS c (organization_id, span, starts_at, channel, ${list})
  SELECT q.organization_id, s.span, date_trunc(s.span, q.quarter, q.zone), q.channel, ${sums}
  FROM (${quarters}) AS q CROSS JOIN (VALUES ('hour'), ('day'), ('month')) AS s(span)
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (organization_id, span, starts_at, channel) DO UPDATE SET ${added};`

/** Adds latencies by bucket to the histograms of periods (`one`). */
const addHistograms = (periods: string) => `
  INSERT INTO latency_histograms AS h (organization_id, span, starts_at, buckets, messages)
  SELECT organization_id, span, starts_at, array_agg(bucket ORDER BY bucket), array_agg(messages ORDER BY bucket)
  FROM (
    SELECT organization_id, span, starts_at, bucket, sum(messages)::integer AS messages
    FROM (${periods}) AS one GROUP BY 1, 2, 3, 4
  ) AS summed
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, span, starts_at) DO UPDATE SET (buckets, messages) = (
    SELECT array_agg(bucket ORDER BY bucket), array_agg(messages ORDER BY bucket) FROM (
      SELECT bucket, sum(one.messages)::integer AS messages FROM (
        SELECT * FROM unnest(h.buckets, h.messages) AS old(bucket, messages)
        UNION ALL SELECT * FROM unnest(excluded.buckets, excluded.messages)
      ) AS one GROUP BY bucket
    ) AS summed
  );`

const dayCounts = ["accepted", "sent", "delivered", "failed", "bounced", "received"]
const inOrder = (value: string) => `array_agg(${value} ORDER BY c.starts_at)`

/** OFFSET 0: looks up one row in any plan. With old statistics, the planner prefers to read all rows of the span. */
const percentilesOf = (span: string, at: string) => `
      SELECT p50, p95 FROM latency_histograms
      WHERE organization_id = d.organization_id AND span = '${span}' AND starts_at = ${at} OFFSET 0`

/** Writes the hours of days (`q`, with the time zone in `zone`) from their periods. */
const writeDays = (days: string) => `
  INSERT INTO message_days (organization_id, starts_at, p50, p95, hours, hour_p50, hour_p95, ${dayCounts.join(", ")})
  SELECT d.organization_id, d.day, p.p50, p.p95, h.*
  FROM (SELECT DISTINCT q.organization_id, q.zone, date_trunc('day', q.quarter, q.zone) AS day FROM (${days}) AS q) AS d
    LEFT JOIN LATERAL (${percentilesOf("day", "d.day")}) AS p ON true
    CROSS JOIN LATERAL (
      SELECT ${inOrder("c.starts_at")}, ${inOrder("l.p50")}, ${inOrder("l.p95")},
        ${dayCounts.map((name) => inOrder(`c.${name}`)).join(", ")}
      FROM (
        SELECT starts_at, ${dayCounts.map((name) => `sum(${name})::integer AS ${name}`).join(", ")} FROM message_periods
        WHERE organization_id = d.organization_id AND span = 'hour' AND starts_at >= d.day - interval '2 hours'
          AND starts_at < d.day + interval '27 hours' AND date_trunc('day', starts_at, d.zone) = d.day
        GROUP BY starts_at
      ) AS c
        LEFT JOIN LATERAL (${percentilesOf("hour", "c.starts_at")}) AS l ON true
    ) AS h
  ORDER BY 1, 2
  ON CONFLICT (organization_id, starts_at) DO UPDATE SET p50 = excluded.p50, p95 = excluded.p95,
    hours = excluded.hours, hour_p50 = excluded.hour_p50, hour_p95 = excluded.hour_p95,
    ${dayCounts.map((name) => `${name} = excluded.${name}`).join(", ")};`

/** Merged quarter hours of built days, with the time zone. */
const builtChanges = `
    SELECT o.timezone AS zone, c.* FROM old_changes AS c JOIN organizations AS o ON o.id = c.organization_id
    WHERE NOT EXISTS (
      SELECT FROM period_builds AS b
      WHERE b.organization_id = c.organization_id AND date_trunc('day', c.quarter, o.timezone) < b.built_from
    )`

/** The counted quarter hours to build periods of. */
const builtQuarters = `
    SELECT zone AS zone, c.* FROM message_counts AS c WHERE c.organization_id = organization
      AND c.quarter >= first_day - interval '1 day' AND c.quarter < end_day + interval '1 day'
      AND date_trunc('day', c.quarter, zone) >= first_day AND date_trunc('day', c.quarter, zone) < end_day`

/**
 * Counts and latencies of hours, days and months, in the time zone of the organization, so that the cost of statistics
 * depends on the length of a range and not on the number of messages. Before, latencies had about a row per message.
 *
 * Deleting rows of `message_count_changes` merges them: the trigger adds them to all counts. Processes of the release
 * before delete them too and write the counts themselves; these rows are ignored.
 */
export const M0033MessagePeriods = /* sql */ `
-- The sums of message_counts over longer periods.
CREATE TABLE message_periods (
  organization_id uuid NOT NULL,
  -- hour, day or month.
  span text NOT NULL,
  -- date_trunc(span, quarter, timezone) of its quarter hours.
  starts_at timestamptz NOT NULL,
  channel text NOT NULL,
  accepted bigint NOT NULL,
  sent bigint NOT NULL,
  delivered bigint NOT NULL,
  read bigint NOT NULL,
  failed bigint NOT NULL,
  bounced bigint NOT NULL,
  refused bigint NOT NULL,
  complained bigint NOT NULL,
  received bigint NOT NULL,
  cost numeric NOT NULL,
  responses bigint NOT NULL,
  response_ms bigint NOT NULL,
  PRIMARY KEY (organization_id, span, starts_at, channel)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- The bucket of a latency: one bucket for each value of rounded_latency.
CREATE FUNCTION latency_bucket(ms bigint) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN ms < 64 THEN greatest(ms, 0)::smallint ELSE (
    32 * (floor(ln(ms::float8) / ln(2::float8)) - 5) + round(ms / 2 ^ (floor(ln(ms::float8) / ln(2::float8)) - 5))
  )::smallint END
$$;

-- The rounded latency of a bucket.
CREATE FUNCTION bucket_latency(bucket smallint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN bucket < 64 THEN bucket::bigint ELSE (bucket % 32 + 32)::bigint << (bucket / 32 - 1) END
$$;

-- The shortest latency that at least a share of the messages did not exceed.
CREATE FUNCTION latency_within(buckets smallint[], messages integer[], share float8) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  total float8 := 0;
  within float8 := 0;
BEGIN
  FOR place IN 1 .. cardinality(messages) LOOP total := total + messages[place]; END LOOP;
  FOR place IN 1 .. cardinality(messages) LOOP
    within := within + messages[place];
    IF within >= total * share THEN RETURN bucket_latency(buckets[place]); END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- Latencies from acceptance to the status sent, with the percentiles of hours and days.
CREATE TABLE latency_histograms (
  organization_id uuid NOT NULL,
  -- quarter (of an hour), hour, day or month.
  span text NOT NULL,
  starts_at timestamptz NOT NULL,
  -- Ascending.
  buckets smallint[] NOT NULL,
  -- Messages in each bucket.
  messages integer[] NOT NULL,
  p50 bigint GENERATED ALWAYS AS (CASE WHEN span IN ('hour', 'day') THEN latency_within(buckets, messages, 0.5) END) STORED,
  p95 bigint GENERATED ALWAYS AS (CASE WHEN span IN ('hour', 'day') THEN latency_within(buckets, messages, 0.95) END) STORED,
  PRIMARY KEY (organization_id, span, starts_at)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- The hours of a day, of all channels, and the percentiles of the day: a series of a year reads one row per day.
CREATE TABLE message_days (
  organization_id uuid NOT NULL,
  starts_at timestamptz NOT NULL,
  p50 bigint,
  p95 bigint,
  -- The starts of hours with counts, ascending, and the figures of each.
  hours timestamptz[] NOT NULL,
  hour_p50 bigint[] NOT NULL,
  hour_p95 bigint[] NOT NULL,
  accepted integer[] NOT NULL,
  sent integer[] NOT NULL,
  delivered integer[] NOT NULL,
  failed integer[] NOT NULL,
  bounced integer[] NOT NULL,
  received integer[] NOT NULL,
  PRIMARY KEY (organization_id, starts_at)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- Organizations with incomplete periods. Periods of days before built_from are not stored yet: a scheduled job builds
-- them from quarter hours, the newest first. -infinity is not stored: a complete organization has no row.
CREATE TABLE period_builds (
  organization_id uuid PRIMARY KEY,
  built_from timestamptz NOT NULL
);

CREATE FUNCTION merge_message_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM old_changes) THEN RETURN NULL; END IF;
  ${lock};
  INSERT INTO message_counts AS c (organization_id, quarter, channel, ${list})
  SELECT organization_id, quarter, channel, ${sums} FROM old_changes GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, quarter, channel) DO UPDATE SET ${added};
  ${addPeriods(builtChanges)}
  ${addHistograms(`
    SELECT c.organization_id, s.span, c.bucket, c.messages,
      CASE s.span WHEN 'quarter' THEN c.quarter ELSE date_trunc(s.span, c.quarter, o.timezone) END AS starts_at
    FROM (
      SELECT organization_id, quarter, latency_bucket(ms) AS bucket, count(*) AS messages
      FROM old_changes CROSS JOIN LATERAL unnest(latencies) AS ms GROUP BY 1, 2, 3
    ) AS c
      JOIN organizations AS o ON o.id = c.organization_id
      CROSS JOIN (VALUES ('quarter'), ('hour'), ('day'), ('month')) AS s(span)
    WHERE s.span = 'quarter' OR NOT EXISTS (
      SELECT FROM period_builds AS b
      WHERE b.organization_id = c.organization_id AND date_trunc('day', c.quarter, o.timezone) < b.built_from
    )`)}
  ${writeDays(builtChanges)}
  RETURN NULL;
END $$;

CREATE TRIGGER message_count_changes_merged AFTER DELETE ON message_count_changes REFERENCING OLD TABLE AS old_changes
  FOR EACH STATEMENT EXECUTE FUNCTION merge_message_counts();

-- What processes of the release before write, not the trigger. A later migration drops these triggers, and
-- message_latencies, which is empty when all periods are built.
CREATE FUNCTION ignore_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER message_counts_merged_before BEFORE INSERT ON message_counts
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ignore_row();
CREATE TRIGGER message_latencies_merged_before BEFORE INSERT ON message_latencies
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ignore_row();

-- Builds the periods of an organization for at least one day and about max_rows rows more. Returns the number of
-- organizations that it built on: 0 if all periods are complete.
CREATE FUNCTION build_periods(max_rows integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  organization uuid;
  zone text;
  first_day timestamptz;
  end_day timestamptz;
BEGIN
  ${lock};
  SELECT organization_id, built_from INTO organization, end_day FROM period_builds
  ORDER BY organization_id LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;
  -- After the row is locked: a change of the time zone changes both.
  SELECT timezone INTO zone FROM organizations WHERE id = organization;
  IF end_day = 'infinity' THEN
    DELETE FROM message_periods WHERE organization_id = organization;
    DELETE FROM message_days WHERE organization_id = organization;
    DELETE FROM latency_histograms WHERE organization_id = organization AND span IN ('hour', 'day', 'month');
  END IF;
  first_day := coalesce(date_trunc('day', greatest(
    (SELECT quarter FROM message_counts
      WHERE organization_id = organization AND date_trunc('day', quarter, zone) < end_day
      ORDER BY quarter DESC OFFSET max_rows LIMIT 1),
    (SELECT quarter FROM message_latencies
      WHERE organization_id = organization AND date_trunc('day', quarter, zone) < end_day
      ORDER BY quarter DESC OFFSET max_rows LIMIT 1),
    (SELECT starts_at FROM latency_histograms
      WHERE organization_id = organization AND span = 'quarter' AND date_trunc('day', starts_at, zone) < end_day
      ORDER BY starts_at DESC OFFSET max_rows / 20 LIMIT 1)
  ), zone), '-infinity');
  WITH moved AS (
    DELETE FROM message_latencies WHERE organization_id = organization
      AND quarter >= first_day - interval '1 day' AND quarter < end_day + interval '1 day'
      AND date_trunc('day', quarter, zone) >= first_day AND date_trunc('day', quarter, zone) < end_day
    RETURNING organization_id, quarter, ms, messages
  ) ${addHistograms(`
    SELECT organization_id, 'quarter' AS span, quarter AS starts_at, latency_bucket(ms) AS bucket, messages FROM moved`)}
  ${addPeriods(builtQuarters)}
  ${addHistograms(`
    SELECT l.organization_id, s.span, date_trunc(s.span, l.starts_at, zone) AS starts_at, u.bucket, u.messages
    FROM latency_histograms AS l
      CROSS JOIN LATERAL unnest(l.buckets, l.messages) AS u(bucket, messages)
      CROSS JOIN (VALUES ('hour'), ('day'), ('month')) AS s(span)
    WHERE l.organization_id = organization AND l.span = 'quarter'
      AND l.starts_at >= first_day - interval '1 day' AND l.starts_at < end_day + interval '1 day'
      AND date_trunc('day', l.starts_at, zone) >= first_day AND date_trunc('day', l.starts_at, zone) < end_day`)}
  ${writeDays(builtQuarters)}
  IF first_day = '-infinity' THEN DELETE FROM period_builds WHERE organization_id = organization;
  ELSE UPDATE period_builds SET built_from = first_day WHERE organization_id = organization;
  END IF;
  RETURN 1;
END $$;

-- Periods in another time zone are built anew.
CREATE FUNCTION rebuild_periods() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO period_builds (organization_id, built_from) VALUES (NEW.id, 'infinity')
  ON CONFLICT (organization_id) DO UPDATE SET built_from = 'infinity';
  RETURN NULL;
END $$;
CREATE TRIGGER organizations_timezone AFTER UPDATE OF timezone ON organizations
  FOR EACH ROW WHEN (OLD.timezone <> NEW.timezone) EXECUTE FUNCTION rebuild_periods();

INSERT INTO period_builds (organization_id, built_from) SELECT id, 'infinity' FROM organizations;
`

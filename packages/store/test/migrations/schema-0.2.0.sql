-- The schema of 0.2.0, by pg_dump --schema-only, with the rows that its migrations insert. Never changes.
SET check_function_bodies = false;
CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE FUNCTION public.add_thread_participants(organization uuid, thread uuid, participants uuid[], number integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO thread_participants AS p (organization_id, participant_id, thread_id, status, messages)
  SELECT s.organization_id, g.id, s.thread_id, s.status, number
  FROM (SELECT DISTINCT unnest(participants) AS id) AS g, thread_sums AS s
  WHERE s.organization_id = organization AND s.thread_id = thread
  ON CONFLICT (organization_id, participant_id, thread_id) DO UPDATE SET messages = p.messages + excluded.messages;
  IF number > 0 THEN RETURN; END IF;
  DELETE FROM thread_participants AS p WHERE p.organization_id = organization AND p.participant_id = ANY (participants)
    AND p.thread_id = thread AND p.messages <= 0;
END $$;
CREATE FUNCTION public.add_thread_quarter(organization uuid, begun timestamp with time zone, number bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO thread_quarters AS q (organization_id, quarter, threads) VALUES (organization, begun, number)
  ON CONFLICT (organization_id, quarter) DO UPDATE SET threads = q.threads + excluded.threads;
END $$;
CREATE FUNCTION public.add_threads(organization uuid, of_status text, number bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO thread_counts AS c (organization_id, active, resolved, archived)
  SELECT organization, number * (of_status = 'active')::int, number * (of_status = 'resolved')::int,
    number * (of_status = 'archived')::int
  ON CONFLICT (organization_id) DO UPDATE SET active = c.active + excluded.active,
    resolved = c.resolved + excluded.resolved, archived = c.archived + excluded.archived;
END $$;
CREATE FUNCTION public.add_to_key_totals() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  change bigint := NEW.requests - coalesce(OLD.requests, 0);
BEGIN
  INSERT INTO api_key_totals AS t (organization_id, api_key_id, method, route, status, requests)
  VALUES (NEW.organization_id, NEW.api_key_id, NEW.method, NEW.route, NEW.status, change)
  ON CONFLICT (organization_id, api_key_id, method, route, status)
    DO UPDATE SET requests = t.requests + excluded.requests;
  IF change < 0 THEN
    DELETE FROM api_key_totals WHERE organization_id = NEW.organization_id AND api_key_id = NEW.api_key_id
      AND method = NEW.method AND route = NEW.route AND status = NEW.status AND requests = 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TABLE public.messages (organization_id uuid NOT NULL, id uuid NOT NULL, conversation_id uuid, thread_id uuid, parent_message_id uuid, from_participant_id uuid NOT NULL, to_participant_ids uuid[] NOT NULL, participant_metadata json, channel text NOT NULL, direction text NOT NULL, content json NOT NULL, addressing json NOT NULL, scheduled_at timestamp with time zone, cost text NOT NULL, currency text NOT NULL, max_retries integer NOT NULL, queue_message_id uuid, tags text[] NOT NULL, categories text[] NOT NULL, is_test boolean NOT NULL, is_internal boolean NOT NULL, is_automated boolean NOT NULL, external_id text, reference_id text, api_key_id uuid, http_method text, api_request_metadata json, attachment_count integer DEFAULT 0 NOT NULL, trace_parent text, created_at timestamp with time zone NOT NULL, created_by uuid, track_opens boolean DEFAULT false NOT NULL, subject_line text) WITH (autovacuum_vacuum_insert_scale_factor='0.02', autovacuum_vacuum_scale_factor='0.05');
CREATE FUNCTION public.add_to_thread(m public.messages) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  is_new boolean;
BEGIN
  IF NOT lock_thread(m.organization_id, m.thread_id) THEN RETURN; END IF;
  -- The lock of the conversation makes this transaction and one that changes its status wait for each other.
  INSERT INTO thread_sums (organization_id, thread_id, status, messages, unread, with_attachments, first_id, first_at,
    last_id, last_at, last_direction)
  SELECT t.organization_id, t.id, thread_status(c.status), 0, 0, 0, m.id, m.created_at, m.id, m.created_at, m.direction
  FROM threads AS t JOIN conversations AS c ON c.organization_id = t.organization_id AND c.id = t.conversation_id
  WHERE t.organization_id = m.organization_id AND t.id = m.thread_id AND NOT EXISTS (
    SELECT FROM thread_sums AS s WHERE s.organization_id = t.organization_id AND s.thread_id = t.id
  ) FOR SHARE OF c
  ON CONFLICT DO NOTHING;
  is_new := FOUND;
  UPDATE thread_sums AS s SET messages = messages + 1, unread = unread + is_unread(m)::int,
    with_attachments = with_attachments + (m.attachment_count > 0)::int,
    first_id = least(first_id, m.id), first_at = CASE WHEN m.id < first_id THEN m.created_at ELSE first_at END,
    last_id = greatest(last_id, m.id), last_at = CASE WHEN m.id > last_id THEN m.created_at ELSE last_at END,
    last_direction = CASE WHEN m.id > last_id THEN m.direction ELSE last_direction END
  WHERE s.organization_id = m.organization_id AND s.thread_id = m.thread_id;
  PERFORM add_thread_participants(m.organization_id, m.thread_id, m.from_participant_id || m.to_participant_ids, 1);
  IF is_new THEN
    PERFORM add_threads(s.organization_id, s.status, 1) FROM thread_sums AS s
      WHERE s.organization_id = m.organization_id AND s.thread_id = m.thread_id;
    PERFORM add_thread_quarter(m.organization_id, quarter_of(time_of_uuid_v7(m.thread_id)), 1);
  END IF;
END $$;
CREATE FUNCTION public.batch_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO new_event_batches (organization_id, events)
  SELECT organization_id, array_agg(id ORDER BY id) FROM new_events GROUP BY organization_id;
  RETURN NULL;
END $$;
CREATE FUNCTION public.begin_retention() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO retention_marks (organization_id, kind, done_to)
  SELECT id, kind, '00000000-0000-0000-0000-000000000000'
  FROM new_organizations, unnest(ARRAY['bodies', 'inbound_raw', 'forwardings', 'block_logs', 'catch_all_hours']) AS kind
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE FUNCTION public.bucket_latency(bucket smallint) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT CASE WHEN bucket < 64 THEN bucket::bigint ELSE (bucket % 32 + 32)::bigint << (bucket / 32 - 1) END
$$;
CREATE FUNCTION public.build_conversations() RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  organization uuid;
BEGIN
  DELETE FROM conversation_builds WHERE organization_id = (
    SELECT organization_id FROM conversation_builds ORDER BY organization_id LIMIT 1
  ) RETURNING organization_id INTO organization;
  IF NOT FOUND THEN RETURN 0; END IF;
  INSERT INTO conversation_quarters (organization_id, conversation_id, quarter, messages)
  SELECT organization, conversation_id, quarter, sum(number) FROM (
    SELECT conversation_id, quarter_of(time_of_uuid_v7(id)) AS quarter, 1 AS number FROM messages
    WHERE organization_id = organization AND conversation_id IS NOT NULL
    UNION ALL SELECT conversation_id, quarter, -number FROM conversation_changes WHERE organization_id = organization
  ) AS one GROUP BY 2, 3 HAVING sum(number) <> 0 ORDER BY 2, 3;
  WITH gaps AS (
    INSERT INTO conversation_gaps (organization_id, last_at, next_at, conversations)
    
    SELECT organization_id, last_at, next_at, sum(number)::integer AS number FROM (
    SELECT organization_id, quarter AS last_at, 1 AS number,
      lead(quarter, 1, 'infinity') OVER (PARTITION BY organization_id, conversation_id ORDER BY quarter) AS next_at
    FROM (
      SELECT organization_id, conversation_id, quarter FROM conversation_quarters WHERE organization_id = organization AND messages > 0
      UNION SELECT organization_id, conversation_id, '-infinity' FROM conversation_quarters WHERE organization_id = organization AND messages > 0) AS q) AS g
    WHERE (last_at AT TIME ZONE 'UTC')::date < (next_at AT TIME ZONE 'UTC')::date GROUP BY 1, 2, 3 HAVING sum(number) <> 0
    RETURNING organization_id, last_at, next_at, conversations AS number
  )
  INSERT INTO conversation_days (organization_id, day, last_days, conversations) 
    SELECT organization_id, day, array_agg(last_day ORDER BY last_day) AS last_days,
      array_agg(number ORDER BY last_day) AS conversations
    FROM (
      SELECT organization_id, day, last_day, sum(number)::integer AS number FROM (
        SELECT organization_id, (next_at AT TIME ZONE 'UTC')::date AS day, (last_at AT TIME ZONE 'UTC')::date AS last_day, number
        FROM gaps WHERE next_at < 'infinity') AS n
      GROUP BY 1, 2, 3 HAVING sum(number) <> 0
    ) AS s GROUP BY 1, 2;
  RETURN 1;
END $$;
CREATE FUNCTION public.build_parties() RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  organization uuid;
BEGIN
  DELETE FROM party_builds WHERE organization_id = (
    SELECT organization_id FROM party_builds ORDER BY organization_id LIMIT 1
  ) RETURNING organization_id INTO organization;
  IF NOT FOUND THEN RETURN 0; END IF;
  INSERT INTO participant_places (organization_id, participant_id, country, region)
  SELECT organization, c.id, l.country, l.region
  FROM (
    SELECT id FROM participants WHERE organization_id = organization AND (country IS NOT NULL OR region IS NOT NULL)
    UNION SELECT participant_id FROM participant_addresses
    WHERE organization_id = organization AND kind IN ('phone', 'whatsapp')
  ) AS c CROSS JOIN LATERAL place_of(organization, c.id) AS l;
  WITH parties AS MATERIALIZED (
    SELECT organization_id, quarter, is_outbound, participant_id, sum(number)::integer AS number FROM (
      SELECT m.organization_id, quarter_of(time_of_uuid_v7(m.id)) AS quarter, m.direction = 'outbound' AS is_outbound,
        p.participant_id, 1 AS number
      FROM messages AS m CROSS JOIN LATERAL
        unnest(parties_of(m.direction, m.from_participant_id, m.to_participant_ids)) AS p(participant_id)
      WHERE m.organization_id = organization
      UNION ALL SELECT u.organization_id, u.quarter, u.is_outbound, p.participant_id, -u.number
      FROM message_party_changes AS u CROSS JOIN LATERAL unnest(u.participants) AS p(participant_id)
      WHERE u.organization_id = organization
    ) AS one GROUP BY 1, 2, 3, 4
  ), months AS (
  INSERT INTO participant_months AS m (organization_id, participant_id, month, messages, days, counts)
  SELECT organization_id, participant_id, month, sum(number), array_agg(day ORDER BY day), array_agg(number ORDER BY day)
  FROM (
    SELECT organization_id, participant_id, date_trunc('month', quarter AT TIME ZONE 'UTC')::date AS month,
      extract(day FROM quarter AT TIME ZONE 'UTC')::smallint AS day, sum(number)::integer AS number
    FROM (SELECT * FROM parties) AS p GROUP BY 1, 2, 3, 4 HAVING sum(number) <> 0
  ) AS d
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, participant_id, month) DO UPDATE SET messages = m.messages + excluded.messages,
    (days, counts) = (
      SELECT coalesce(array_agg(day ORDER BY day), '{}'), coalesce(array_agg(number ORDER BY day), '{}') FROM (
        SELECT day, sum(number)::integer AS number FROM (
          SELECT * FROM unnest(m.days, m.counts) AS old(day, number)
          UNION ALL SELECT * FROM unnest(excluded.days, excluded.counts)
        ) AS one GROUP BY day HAVING sum(number) <> 0
      ) AS summed
    ))
  
  INSERT INTO place_periods AS t (organization_id, span, starts_at, country, region, recipients)
  SELECT organization_id, s.span,
    CASE s.span WHEN 'quarter' THEN quarter ELSE date_trunc(s.span, quarter, 'UTC') END, country, region, sum(number)
  FROM (
    SELECT p.organization_id, p.quarter, coalesce(l.country, '') AS country, coalesce(l.region, '') AS region,
      p.number
    FROM parties AS p LEFT JOIN participant_places AS l USING (organization_id, participant_id) WHERE p.is_outbound) AS r CROSS JOIN (VALUES ('quarter'), ('hour'), ('day'), ('month')) AS s(span)
  GROUP BY 1, 2, 3, 4, 5 HAVING sum(number) <> 0 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (organization_id, span, starts_at, country, region) DO UPDATE SET recipients = t.recipients + excluded.recipients;
  RETURN 1;
END $$;
CREATE FUNCTION public.build_periods(max_rows integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  organization uuid;
  zone text;
  first_day timestamptz;
  end_day timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(7231907533);
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
  ) 
  INSERT INTO latency_histograms AS h (organization_id, span, starts_at, buckets, messages)
  SELECT organization_id, span, starts_at, array_agg(bucket ORDER BY bucket), array_agg(messages ORDER BY bucket)
  FROM (
    SELECT organization_id, span, starts_at, bucket, sum(messages)::integer AS messages
    FROM (
    SELECT organization_id, 'quarter' AS span, quarter AS starts_at, latency_bucket(ms) AS bucket, messages FROM moved) AS one GROUP BY 1, 2, 3, 4
  ) AS summed
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, span, starts_at) DO UPDATE SET (buckets, messages) = (
    SELECT array_agg(bucket ORDER BY bucket), array_agg(messages ORDER BY bucket) FROM (
      SELECT bucket, sum(one.messages)::integer AS messages FROM (
        SELECT * FROM unnest(h.buckets, h.messages) AS old(bucket, messages)
        UNION ALL SELECT * FROM unnest(excluded.buckets, excluded.messages)
      ) AS one GROUP BY bucket
    ) AS summed
  );
  
  INSERT INTO message_periods AS c (organization_id, span, starts_at, channel, accepted, sent, delivered, read, failed, bounced, refused, complained, received, cost, responses, response_ms)
  SELECT q.organization_id, s.span, date_trunc(s.span, q.quarter, q.zone), q.channel, sum(accepted), sum(sent), sum(delivered), sum(read), sum(failed), sum(bounced), sum(refused), sum(complained), sum(received), sum(cost), sum(responses), sum(response_ms)
  FROM (
    SELECT zone AS zone, c.* FROM message_counts AS c WHERE c.organization_id = organization
      AND c.quarter >= first_day - interval '1 day' AND c.quarter < end_day + interval '1 day'
      AND date_trunc('day', c.quarter, zone) >= first_day AND date_trunc('day', c.quarter, zone) < end_day) AS q CROSS JOIN (VALUES ('hour'), ('day'), ('month')) AS s(span)
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (organization_id, span, starts_at, channel) DO UPDATE SET accepted = c.accepted + excluded.accepted, sent = c.sent + excluded.sent, delivered = c.delivered + excluded.delivered, read = c.read + excluded.read, failed = c.failed + excluded.failed, bounced = c.bounced + excluded.bounced, refused = c.refused + excluded.refused, complained = c.complained + excluded.complained, received = c.received + excluded.received, cost = c.cost + excluded.cost, responses = c.responses + excluded.responses, response_ms = c.response_ms + excluded.response_ms;
  
  INSERT INTO latency_histograms AS h (organization_id, span, starts_at, buckets, messages)
  SELECT organization_id, span, starts_at, array_agg(bucket ORDER BY bucket), array_agg(messages ORDER BY bucket)
  FROM (
    SELECT organization_id, span, starts_at, bucket, sum(messages)::integer AS messages
    FROM (
    SELECT l.organization_id, s.span, date_trunc(s.span, l.starts_at, zone) AS starts_at, u.bucket, u.messages
    FROM latency_histograms AS l
      CROSS JOIN LATERAL unnest(l.buckets, l.messages) AS u(bucket, messages)
      CROSS JOIN (VALUES ('hour'), ('day'), ('month')) AS s(span)
    WHERE l.organization_id = organization AND l.span = 'quarter'
      AND l.starts_at >= first_day - interval '1 day' AND l.starts_at < end_day + interval '1 day'
      AND date_trunc('day', l.starts_at, zone) >= first_day AND date_trunc('day', l.starts_at, zone) < end_day) AS one GROUP BY 1, 2, 3, 4
  ) AS summed
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, span, starts_at) DO UPDATE SET (buckets, messages) = (
    SELECT array_agg(bucket ORDER BY bucket), array_agg(messages ORDER BY bucket) FROM (
      SELECT bucket, sum(one.messages)::integer AS messages FROM (
        SELECT * FROM unnest(h.buckets, h.messages) AS old(bucket, messages)
        UNION ALL SELECT * FROM unnest(excluded.buckets, excluded.messages)
      ) AS one GROUP BY bucket
    ) AS summed
  );
  
  INSERT INTO message_days (organization_id, starts_at, p50, p95, hours, hour_p50, hour_p95, accepted, sent, delivered, failed, bounced, received)
  SELECT d.organization_id, d.day, p.p50, p.p95, h.*
  FROM (SELECT DISTINCT q.organization_id, q.zone, date_trunc('day', q.quarter, q.zone) AS day FROM (
    SELECT zone AS zone, c.* FROM message_counts AS c WHERE c.organization_id = organization
      AND c.quarter >= first_day - interval '1 day' AND c.quarter < end_day + interval '1 day'
      AND date_trunc('day', c.quarter, zone) >= first_day AND date_trunc('day', c.quarter, zone) < end_day) AS q) AS d
    LEFT JOIN LATERAL (
      SELECT p50, p95 FROM latency_histograms
      WHERE organization_id = d.organization_id AND span = 'day' AND starts_at = d.day OFFSET 0) AS p ON true
    CROSS JOIN LATERAL (
      SELECT array_agg(c.starts_at ORDER BY c.starts_at), array_agg(l.p50 ORDER BY c.starts_at), array_agg(l.p95 ORDER BY c.starts_at),
        array_agg(c.accepted ORDER BY c.starts_at), array_agg(c.sent ORDER BY c.starts_at), array_agg(c.delivered ORDER BY c.starts_at), array_agg(c.failed ORDER BY c.starts_at), array_agg(c.bounced ORDER BY c.starts_at), array_agg(c.received ORDER BY c.starts_at)
      FROM (
        SELECT starts_at, sum(accepted)::integer AS accepted, sum(sent)::integer AS sent, sum(delivered)::integer AS delivered, sum(failed)::integer AS failed, sum(bounced)::integer AS bounced, sum(received)::integer AS received FROM message_periods
        WHERE organization_id = d.organization_id AND span = 'hour' AND starts_at >= d.day - interval '2 hours'
          AND starts_at < d.day + interval '27 hours' AND date_trunc('day', starts_at, d.zone) = d.day
        GROUP BY starts_at
      ) AS c
        LEFT JOIN LATERAL (
      SELECT p50, p95 FROM latency_histograms
      WHERE organization_id = d.organization_id AND span = 'hour' AND starts_at = c.starts_at OFFSET 0) AS l ON true
    ) AS h
  ORDER BY 1, 2
  ON CONFLICT (organization_id, starts_at) DO UPDATE SET p50 = excluded.p50, p95 = excluded.p95,
    hours = excluded.hours, hour_p50 = excluded.hour_p50, hour_p95 = excluded.hour_p95,
    accepted = excluded.accepted, sent = excluded.sent, delivered = excluded.delivered, failed = excluded.failed, bounced = excluded.bounced, received = excluded.received;
  IF first_day = '-infinity' THEN DELETE FROM period_builds WHERE organization_id = organization;
  ELSE UPDATE period_builds SET built_from = first_day WHERE organization_id = organization;
  END IF;
  RETURN 1;
END $$;
CREATE FUNCTION public.build_sender_days() RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  organization uuid;
BEGIN
  DELETE FROM sender_builds WHERE organization_id = (
    SELECT organization_id FROM sender_builds ORDER BY organization_id LIMIT 1
  ) RETURNING organization_id INTO organization;
  IF NOT FOUND THEN RETURN 0; END IF;
  INSERT INTO sender_days AS t (organization_id, sender_id, day, sent, bounced, complained)
  SELECT organization, sender_id, day, sum(sent)::integer AS sent, sum(bounced)::integer AS bounced, sum(complained)::integer AS complained FROM (
    SELECT m.from_participant_id AS sender_id, (time_of_uuid_v7(m.id) AT TIME ZONE 'UTC')::date AS day,
    1 AS sent, (s.status = 'bounced')::integer AS bounced, (s.status = 'complained')::integer AS complained
    FROM messages AS m JOIN message_states AS s ON s.organization_id = organization AND s.message_id = m.id
    WHERE m.organization_id = organization AND m.direction = 'outbound' AND s.status IN ('sent', 'delivered', 'read', 'bounced', 'complained')
      AND m.id >= (lpad(to_hex((extract(epoch FROM now() - interval '32 days') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
    UNION ALL SELECT sender_id, day, -sent, -bounced, -complained FROM sender_changes
    WHERE organization_id = organization
  ) AS one GROUP BY 2, 3 ORDER BY 2, 3
  ON CONFLICT (organization_id, sender_id, day) DO UPDATE SET
    sent = t.sent + excluded.sent, bounced = t.bounced + excluded.bounced, complained = t.complained + excluded.complained;
  RETURN 1;
END $$;
CREATE FUNCTION public.change_in_thread(o public.messages, n public.messages) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  earlier uuid[] := o.from_participant_id || o.to_participant_ids;
  later uuid[] := n.from_participant_id || n.to_participant_ids;
BEGIN
  IF NOT lock_thread(n.organization_id, n.thread_id) THEN RETURN; END IF;
  UPDATE thread_sums AS s SET
    with_attachments = with_attachments + (n.attachment_count > 0)::int - (o.attachment_count > 0)::int
  WHERE s.organization_id = n.organization_id AND s.thread_id = n.thread_id;
  PERFORM add_thread_participants(n.organization_id, n.thread_id, ARRAY(SELECT unnest(later) EXCEPT SELECT unnest(earlier)), 1);
  PERFORM add_thread_participants(n.organization_id, n.thread_id, ARRAY(SELECT unnest(earlier) EXCEPT SELECT unnest(later)), -1);
END $$;
CREATE FUNCTION public.change_thread_status() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  old_status CONSTANT text := thread_status(OLD.status);
  new_status CONSTANT text := thread_status(NEW.status);
  changed bigint;
BEGIN
  IF old_status = new_status THEN RETURN NULL; END IF;
  -- Waits for the count of older threads.
  PERFORM FROM threads AS t WHERE t.organization_id = NEW.organization_id AND t.conversation_id = NEW.id
    ORDER BY t.id FOR KEY SHARE;
  PERFORM FROM thread_sums AS s JOIN threads AS t ON t.organization_id = s.organization_id AND t.id = s.thread_id
    WHERE t.organization_id = NEW.organization_id AND t.conversation_id = NEW.id
    ORDER BY s.thread_id FOR NO KEY UPDATE OF s;
  UPDATE thread_participants AS p SET status = new_status FROM threads AS t
    WHERE t.organization_id = NEW.organization_id AND t.conversation_id = NEW.id
      AND p.organization_id = t.organization_id AND p.thread_id = t.id;
  UPDATE thread_sums AS s SET status = new_status FROM threads AS t
    WHERE t.organization_id = NEW.organization_id AND t.conversation_id = NEW.id
      AND s.organization_id = t.organization_id AND s.thread_id = t.id AND s.status <> new_status;
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed = 0 THEN RETURN NULL; END IF;
  PERFORM add_threads(NEW.organization_id, old_status, -changed);
  PERFORM add_threads(NEW.organization_id, new_status, changed);
  RETURN NULL;
END $$;
CREATE FUNCTION public.count_channel() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO message_total_changes (organization_id, kind, messages) VALUES (NEW.organization_id, NEW.channel, 1);
  ELSE
    INSERT INTO message_total_changes (organization_id, kind, messages) VALUES (OLD.organization_id, OLD.channel, -1);
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION public.count_delete_conversations() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO organization_count_changes (organization_id, conversations)
  SELECT organization_id, -count(*) FROM changed GROUP BY organization_id;
  RETURN NULL;
END $$;
CREATE FUNCTION public.count_delete_participants() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO organization_count_changes (organization_id, participants)
  SELECT organization_id, -count(*) FROM changed GROUP BY organization_id;
  RETURN NULL;
END $$;
CREATE FUNCTION public.count_deleted_states() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO message_total_changes (organization_id, kind, messages)
  SELECT organization_id, listed_status, -count(*) FROM old_states WHERE listed_status <> 'open' GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE FUNCTION public.count_insert_conversations() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO organization_count_changes (organization_id, conversations)
  SELECT organization_id, count(*) FROM changed GROUP BY organization_id;
  RETURN NULL;
END $$;
CREATE FUNCTION public.count_insert_participants() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO organization_count_changes (organization_id, participants)
  SELECT organization_id, count(*) FROM changed GROUP BY organization_id;
  RETURN NULL;
END $$;
CREATE FUNCTION public.count_inserted_states() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO message_total_changes (organization_id, kind, messages)
  SELECT organization_id, listed_status, count(*) FROM new_states WHERE listed_status <> 'open' GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE FUNCTION public.count_messages() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO message_count_changes (organization_id, quarter, channel, accepted, sent, delivered, read, failed, bounced,
    refused, complained, received, cost, responses, response_ms, latencies)
  SELECT e.organization_id, quarter_of(e.created_at), c.channel, sum(c.accepted), sum(c.sent), sum(c.delivered),
    sum(c.read), sum(c.failed), sum(c.bounced), sum(c.refused), sum(c.complained), sum(c.received), sum(c.cost),
    sum(c.responses), sum(c.response_ms), array_agg(c.latency) FILTER (WHERE c.latency IS NOT NULL)
  FROM new_events AS e
    CROSS JOIN LATERAL counted_event(e.organization_id, e.type, e.subject_id, e.created_at) AS c
  WHERE is_counted(e.type)
  GROUP BY 1, 2, 3;
  RETURN NULL;
END $$;
CREATE FUNCTION public.count_outcomes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO sender_changes (organization_id, sender_id, day, sent, bounced, complained)
  SELECT m.organization_id, m.from_participant_id, (time_of_uuid_v7(m.id) AT TIME ZONE 'UTC')::date, sum(sent)::integer AS sent, sum(bounced)::integer AS bounced, sum(complained)::integer AS complained
  FROM (
    SELECT organization_id, message_id, sum(sent)::integer AS sent, sum(bounced)::integer AS bounced, sum(complained)::integer AS complained FROM (
      SELECT organization_id, message_id,
    1 AS sent, (status = 'bounced')::integer AS bounced, (status = 'complained')::integer AS complained FROM new_states WHERE status IN ('sent', 'delivered', 'read', 'bounced', 'complained')
      UNION ALL SELECT organization_id, message_id,
    -1 AS sent, -(status = 'bounced')::integer AS bounced, -(status = 'complained')::integer AS complained FROM old_states WHERE status IN ('sent', 'delivered', 'read', 'bounced', 'complained')
    ) AS one GROUP BY 1, 2 HAVING sum(sent) <> 0 OR sum(bounced) <> 0 OR sum(complained) <> 0
  ) AS s CROSS JOIN LATERAL (
    SELECT organization_id, id, direction, from_participant_id FROM messages
    WHERE organization_id = s.organization_id AND id = s.message_id OFFSET 0
  ) AS m
  WHERE m.direction = 'outbound' GROUP BY 1, 2, 3;
  RETURN NULL;
END $$;
CREATE FUNCTION public.count_unread() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF NOT lock_thread(NEW.organization_id, NEW.id) THEN RETURN NULL; END IF;
  UPDATE thread_sums AS s SET unread = (
    SELECT count(*) FROM messages AS m JOIN threads AS t ON t.organization_id = m.organization_id AND t.id = m.thread_id
    WHERE m.organization_id = NEW.organization_id AND m.thread_id = NEW.id AND m.direction = 'inbound'
      AND (t.read_up_to IS NULL OR m.id > t.read_up_to))
  WHERE s.organization_id = NEW.organization_id AND s.thread_id = NEW.id;
  RETURN NULL;
END $$;
CREATE FUNCTION public.count_updated_states() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO message_total_changes (organization_id, kind, messages)
  SELECT organization_id, listed_status, sum(change) FROM (
    SELECT organization_id, listed_status, 1 AS change FROM new_states WHERE listed_status <> 'open'
    UNION ALL SELECT organization_id, listed_status, -1 FROM old_states WHERE listed_status <> 'open'
  ) AS s GROUP BY 1, 2 HAVING sum(change) <> 0;
  RETURN NULL;
END $$;
CREATE FUNCTION public.counted_event(organization uuid, event_type text, subject uuid, at timestamp with time zone) RETURNS TABLE(channel text, accepted integer, sent integer, delivered integer, read integer, failed integer, bounced integer, refused integer, complained integer, received integer, cost numeric, responses bigint, response_ms bigint, latency bigint)
    LANGUAGE sql STABLE
    AS $$
  SELECT m.channel, (event_type = 'message.created')::int, (event_type = 'message.sent')::int,
    (event_type = 'message.delivered')::int, (event_type = 'message.read')::int, (event_type = 'message.failed')::int,
    (event_type = 'message.bounced')::int,
    CASE WHEN event_type = 'message.bounced' AND NOT coalesce(m.was_sent, (
      SELECT s.sent_at IS NOT NULL FROM message_states AS s
      WHERE s.organization_id = organization AND s.message_id = subject
    )) THEN 1 ELSE 0 END,
    (event_type = 'message.complained')::int, (event_type = 'message.received')::int,
    CASE WHEN event_type = 'message.created' THEN m.cost::numeric ELSE 0 END,
    answered.responses, answered.response_ms,
    CASE WHEN event_type = 'message.sent' THEN floor(extract(epoch FROM at - m.created_at) * 1000)::bigint END
  FROM (
    SELECT channel, direction, cost, created_at, conversation_id, NULL::boolean AS was_sent FROM (
      SELECT * FROM messages WHERE organization_id = organization AND id = subject OFFSET 0
    ) AS kept
    UNION ALL
    SELECT channel, direction, cost, created_at, NULL, was_sent FROM deleted_messages
    WHERE organization_id = organization AND id = subject
  ) AS m
  CROSS JOIN LATERAL (
    SELECT count(*) AS responses,
      coalesce(sum(floor(extract(epoch FROM m.created_at - i.created_at) * 1000)), 0)::bigint AS response_ms
    FROM messages AS i
    WHERE event_type = 'message.created' AND i.organization_id = organization
      AND i.conversation_id = m.conversation_id AND i.direction = 'inbound' AND i.id < subject
      AND i.id > coalesce((
        SELECT o.id FROM messages AS o WHERE o.organization_id = organization
          AND o.conversation_id = m.conversation_id AND o.direction = 'outbound' AND o.id < subject
        ORDER BY o.id DESC LIMIT 1
      ), '00000000-0000-0000-0000-000000000000')
  ) AS answered
  WHERE is_counted(event_type)
    AND m.direction = CASE WHEN event_type = 'message.received' THEN 'inbound' ELSE 'outbound' END
$$;
CREATE FUNCTION public.delete_delivery_body() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM webhook_bodies WHERE organization_id = OLD.organization_id AND delivery_id = OLD.id;
  RETURN NULL;
END $$;
CREATE FUNCTION public.delete_message_bodies() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM webhook_bodies WHERE organization_id = OLD.organization_id AND message_id = OLD.id;
  RETURN NULL;
END $$;
CREATE FUNCTION public.fold_case(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN upper(replace(lower((NORMALIZE(value) COLLATE "und-x-icu")), '̇'::text, ''::text));
CREATE FUNCTION public.ignore_row() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RETURN NULL; END $$;
CREATE FUNCTION public.is_counted(event_type text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT event_type IN ('message.created', 'message.sent', 'message.delivered', 'message.read', 'message.failed',
    'message.bounced', 'message.complained', 'message.received')
$$;
CREATE FUNCTION public.is_unread(m public.messages) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  RETURN m.direction = 'inbound' AND NOT EXISTS (SELECT FROM threads AS t
    WHERE t.organization_id = m.organization_id AND t.id = m.thread_id AND t.read_up_to >= m.id);
END $$;
CREATE FUNCTION public.keep_deleted_messages() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO deleted_messages AS d (organization_id, id, channel, direction, cost, created_at)
  SELECT organization_id, id, channel, direction, cost, created_at FROM old_messages ORDER BY organization_id, id
  ON CONFLICT (organization_id, id) DO UPDATE SET channel = excluded.channel, direction = excluded.direction,
    cost = excluded.cost, created_at = excluded.created_at;
  RETURN NULL;
END $$;
CREATE FUNCTION public.keep_deleted_states() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO deleted_messages AS d (organization_id, id, was_sent)
  SELECT organization_id, message_id, sent_at IS NOT NULL FROM old_states ORDER BY organization_id, message_id
  ON CONFLICT (organization_id, id) DO UPDATE SET was_sent = excluded.was_sent;
  RETURN NULL;
END $$;
CREATE FUNCTION public.label_conversation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  labels CONSTANT text[] := labels_of(NEW.channels, NEW.tags);
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM conversation_labels AS l WHERE l.organization_id = NEW.organization_id AND l.conversation_id = NEW.id
      AND l.label = ANY (labels_of(OLD.channels, OLD.tags)) AND l.label <> ALL (labels);
  END IF;
  INSERT INTO conversation_labels (organization_id, label, conversation_id)
  SELECT NEW.organization_id, label, NEW.id FROM unnest(labels) AS label ORDER BY label
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE FUNCTION public.label_older_conversations(number integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  done conversation_labels_progress;
  labelled conversations;
  rows integer := 0;
BEGIN
  SELECT * INTO done FROM conversation_labels_progress FOR UPDATE;
  -- The lock makes a transaction that changes the labels wait, or waits for it.
  FOR labelled IN SELECT * FROM conversations AS c
    WHERE (c.organization_id, c.id) > (done.organization_id, done.conversation_id)
    ORDER BY c.organization_id, c.id LIMIT number FOR SHARE
  LOOP
    INSERT INTO conversation_labels (organization_id, label, conversation_id)
    SELECT labelled.organization_id, label, labelled.id FROM unnest(labels_of(labelled.channels, labelled.tags)) AS label
    ON CONFLICT DO NOTHING;
    rows := rows + 1;
  END LOOP;
  UPDATE conversation_labels_progress SET organization_id = labelled.organization_id, conversation_id = labelled.id
  WHERE rows > 0;
  RETURN rows;
END $$;
CREATE FUNCTION public.labels_of(channels text[], tags text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT ARRAY(SELECT 'channel:' || unnest(channels) UNION SELECT 'tag:' || unnest(tags))
$$;
CREATE FUNCTION public.latency_bucket(ms bigint) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT CASE WHEN ms < 64 THEN greatest(ms, 0)::smallint ELSE (
    32 * (floor(ln(ms::float8) / ln(2::float8)) - 5) + round(ms / 2 ^ (floor(ln(ms::float8) / ln(2::float8)) - 5))
  )::smallint END
$$;
CREATE FUNCTION public.latency_within(buckets smallint[], messages integer[], share double precision) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
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
CREATE FUNCTION public.listed_status(status text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT CASE WHEN status IN ('pending', 'processing') THEN 'open' ELSE status END
$$;
CREATE FUNCTION public.lock_thread(organization uuid, thread uuid) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM FROM thread_sums AS s WHERE s.organization_id = organization AND s.thread_id = thread FOR NO KEY UPDATE;
  IF FOUND THEN RETURN true; END IF;
  -- Waits if the thread is being counted, or makes the count wait.
  PERFORM FROM threads AS t WHERE t.organization_id = organization AND t.id = thread AND NOT t.is_counted
    FOR KEY SHARE;
  IF NOT FOUND THEN RETURN true; END IF;
  PERFORM FROM thread_sums AS s WHERE s.organization_id = organization AND s.thread_id = thread FOR NO KEY UPDATE;
  RETURN FOUND;
END $$;
CREATE FUNCTION public.merge_conversations(max_rows integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  merged integer;
BEGIN
  PERFORM pg_advisory_xact_lock(7231907533);
  WITH deleted AS (
    DELETE FROM conversation_changes WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM conversation_changes LIMIT max_rows FOR UPDATE SKIP LOCKED
    )) RETURNING *
  ), changed AS MATERIALIZED (
    SELECT organization_id, conversation_id, quarter, sum(number)::integer AS number
    FROM deleted GROUP BY 1, 2, 3 HAVING sum(number) <> 0
  ), around AS (
    SELECT c.organization_id, c.conversation_id, n.quarter
    FROM (SELECT organization_id, conversation_id, min(quarter) AS first, max(quarter) AS last FROM changed GROUP BY 1, 2) AS c
      CROSS JOIN LATERAL (
        (SELECT quarter FROM conversation_quarters WHERE organization_id = c.organization_id AND conversation_id = c.conversation_id AND messages > 0 AND quarter < c.first ORDER BY quarter DESC LIMIT 1)
        UNION ALL (SELECT quarter FROM conversation_quarters WHERE organization_id = c.organization_id AND conversation_id = c.conversation_id AND messages > 0 AND quarter BETWEEN c.first AND c.last OFFSET 0)
        UNION ALL (SELECT quarter FROM conversation_quarters WHERE organization_id = c.organization_id AND conversation_id = c.conversation_id AND messages > 0 AND quarter > c.last ORDER BY quarter LIMIT 1)
      ) AS n
  ), sums AS MATERIALIZED (
    SELECT c.*, coalesce(q.messages, 0) + c.number AS messages FROM changed AS c LEFT JOIN LATERAL (
      SELECT messages FROM conversation_quarters AS q WHERE q.organization_id = c.organization_id
        AND q.conversation_id = c.conversation_id AND q.quarter = c.quarter OFFSET 0
    ) AS q ON true
  ), states AS MATERIALIZED (
    SELECT organization_id, conversation_id, quarter, a.quarter IS NOT NULL AS was_active,
      coalesce(s.messages > 0, true) AS is_active
    FROM around AS a FULL JOIN sums AS s USING (organization_id, conversation_id, quarter)
  ), moved AS MATERIALIZED (
    SELECT organization_id, last_at, next_at, sum(number)::integer AS number FROM (
    SELECT organization_id, quarter AS last_at, -1 AS number,
      lead(quarter, 1, 'infinity') OVER (PARTITION BY organization_id, conversation_id ORDER BY quarter) AS next_at
    FROM (
      SELECT organization_id, conversation_id, quarter FROM states WHERE was_active
      UNION SELECT organization_id, conversation_id, '-infinity' FROM states WHERE was_active) AS q UNION ALL 
    SELECT organization_id, quarter AS last_at, 1 AS number,
      lead(quarter, 1, 'infinity') OVER (PARTITION BY organization_id, conversation_id ORDER BY quarter) AS next_at
    FROM (
      SELECT organization_id, conversation_id, quarter FROM states WHERE is_active
      UNION SELECT organization_id, conversation_id, '-infinity' FROM states WHERE is_active) AS q) AS g
    WHERE (last_at AT TIME ZONE 'UTC')::date < (next_at AT TIME ZONE 'UTC')::date GROUP BY 1, 2, 3 HAVING sum(number) <> 0
  ), gaps AS MATERIALIZED (
    SELECT s.*, coalesce(g.conversations, 0) + s.number AS conversations FROM moved AS s
      LEFT JOIN LATERAL (SELECT conversations FROM conversation_gaps AS g WHERE g.organization_id = s.organization_id AND g.last_at = s.last_at AND g.next_at = s.next_at OFFSET 0) AS g ON true
  ), moved_days AS MATERIALIZED (
        SELECT organization_id, (next_at AT TIME ZONE 'UTC')::date AS day, (last_at AT TIME ZONE 'UTC')::date AS last_day, number
        FROM moved WHERE next_at < 'infinity'
  ), days AS MATERIALIZED (
    SELECT organization_id, day, array_agg(last_day ORDER BY last_day) AS last_days,
      array_agg(number ORDER BY last_day) AS conversations
    FROM (
      SELECT organization_id, day, last_day, sum(number)::integer AS number FROM (
        SELECT * FROM moved_days UNION ALL SELECT d.*, u.* FROM (SELECT DISTINCT organization_id, day FROM moved_days) AS d
          CROSS JOIN LATERAL (
            SELECT last_days, conversations FROM conversation_days
            WHERE organization_id = d.organization_id AND day = d.day OFFSET 0
          ) AS o
          CROSS JOIN LATERAL unnest(o.last_days, o.conversations) AS u) AS n
      GROUP BY 1, 2, 3 HAVING sum(number) <> 0
    ) AS s GROUP BY 1, 2
  ), removed_quarters AS (
    DELETE FROM conversation_quarters AS q USING sums AS s WHERE s.messages = 0 AND q.organization_id = s.organization_id AND q.conversation_id = s.conversation_id
      AND q.quarter = s.quarter
  ), stored_quarters AS (
    INSERT INTO conversation_quarters (organization_id, conversation_id, quarter, messages)
    SELECT organization_id, conversation_id, quarter, messages FROM sums WHERE messages <> 0
    ON CONFLICT (organization_id, conversation_id, quarter) DO UPDATE SET messages = excluded.messages
  ), removed_gaps AS (
    DELETE FROM conversation_gaps AS g USING gaps AS s WHERE s.conversations = 0 AND g.organization_id = s.organization_id AND g.last_at = s.last_at AND g.next_at = s.next_at
  ), stored_gaps AS (
    INSERT INTO conversation_gaps (organization_id, last_at, next_at, conversations)
    SELECT organization_id, last_at, next_at, conversations FROM gaps WHERE conversations <> 0
    ON CONFLICT (organization_id, last_at, next_at) DO UPDATE SET conversations = excluded.conversations
  ), removed_days AS (
    DELETE FROM conversation_days AS d USING (
      SELECT organization_id, day FROM moved_days EXCEPT SELECT organization_id, day FROM days
    ) AS e WHERE d.organization_id = e.organization_id AND d.day = e.day
  ), stored_days AS (
    INSERT INTO conversation_days (organization_id, day, last_days, conversations) SELECT * FROM days
    ON CONFLICT (organization_id, day) DO UPDATE SET last_days = excluded.last_days, conversations = excluded.conversations
  )
  SELECT count(*) INTO merged FROM deleted;
  RETURN merged;
END $$;
CREATE FUNCTION public.merge_message_counts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM old_changes) THEN RETURN NULL; END IF;
  PERFORM pg_advisory_xact_lock(7231907533);
  INSERT INTO message_counts AS c (organization_id, quarter, channel, accepted, sent, delivered, read, failed, bounced, refused, complained, received, cost, responses, response_ms)
  SELECT organization_id, quarter, channel, sum(accepted), sum(sent), sum(delivered), sum(read), sum(failed), sum(bounced), sum(refused), sum(complained), sum(received), sum(cost), sum(responses), sum(response_ms) FROM old_changes GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, quarter, channel) DO UPDATE SET accepted = c.accepted + excluded.accepted, sent = c.sent + excluded.sent, delivered = c.delivered + excluded.delivered, read = c.read + excluded.read, failed = c.failed + excluded.failed, bounced = c.bounced + excluded.bounced, refused = c.refused + excluded.refused, complained = c.complained + excluded.complained, received = c.received + excluded.received, cost = c.cost + excluded.cost, responses = c.responses + excluded.responses, response_ms = c.response_ms + excluded.response_ms;
  
  INSERT INTO message_periods AS c (organization_id, span, starts_at, channel, accepted, sent, delivered, read, failed, bounced, refused, complained, received, cost, responses, response_ms)
  SELECT q.organization_id, s.span, date_trunc(s.span, q.quarter, q.zone), q.channel, sum(accepted), sum(sent), sum(delivered), sum(read), sum(failed), sum(bounced), sum(refused), sum(complained), sum(received), sum(cost), sum(responses), sum(response_ms)
  FROM (
    SELECT o.timezone AS zone, c.* FROM old_changes AS c JOIN organizations AS o ON o.id = c.organization_id
    WHERE NOT EXISTS (
      SELECT FROM period_builds AS b
      WHERE b.organization_id = c.organization_id AND date_trunc('day', c.quarter, o.timezone) < b.built_from
    )) AS q CROSS JOIN (VALUES ('hour'), ('day'), ('month')) AS s(span)
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (organization_id, span, starts_at, channel) DO UPDATE SET accepted = c.accepted + excluded.accepted, sent = c.sent + excluded.sent, delivered = c.delivered + excluded.delivered, read = c.read + excluded.read, failed = c.failed + excluded.failed, bounced = c.bounced + excluded.bounced, refused = c.refused + excluded.refused, complained = c.complained + excluded.complained, received = c.received + excluded.received, cost = c.cost + excluded.cost, responses = c.responses + excluded.responses, response_ms = c.response_ms + excluded.response_ms;
  
  INSERT INTO latency_histograms AS h (organization_id, span, starts_at, buckets, messages)
  SELECT organization_id, span, starts_at, array_agg(bucket ORDER BY bucket), array_agg(messages ORDER BY bucket)
  FROM (
    SELECT organization_id, span, starts_at, bucket, sum(messages)::integer AS messages
    FROM (
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
    )) AS one GROUP BY 1, 2, 3, 4
  ) AS summed
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, span, starts_at) DO UPDATE SET (buckets, messages) = (
    SELECT array_agg(bucket ORDER BY bucket), array_agg(messages ORDER BY bucket) FROM (
      SELECT bucket, sum(one.messages)::integer AS messages FROM (
        SELECT * FROM unnest(h.buckets, h.messages) AS old(bucket, messages)
        UNION ALL SELECT * FROM unnest(excluded.buckets, excluded.messages)
      ) AS one GROUP BY bucket
    ) AS summed
  );
  
  INSERT INTO message_days (organization_id, starts_at, p50, p95, hours, hour_p50, hour_p95, accepted, sent, delivered, failed, bounced, received)
  SELECT d.organization_id, d.day, p.p50, p.p95, h.*
  FROM (SELECT DISTINCT q.organization_id, q.zone, date_trunc('day', q.quarter, q.zone) AS day FROM (
    SELECT o.timezone AS zone, c.* FROM old_changes AS c JOIN organizations AS o ON o.id = c.organization_id
    WHERE NOT EXISTS (
      SELECT FROM period_builds AS b
      WHERE b.organization_id = c.organization_id AND date_trunc('day', c.quarter, o.timezone) < b.built_from
    )) AS q) AS d
    LEFT JOIN LATERAL (
      SELECT p50, p95 FROM latency_histograms
      WHERE organization_id = d.organization_id AND span = 'day' AND starts_at = d.day OFFSET 0) AS p ON true
    CROSS JOIN LATERAL (
      SELECT array_agg(c.starts_at ORDER BY c.starts_at), array_agg(l.p50 ORDER BY c.starts_at), array_agg(l.p95 ORDER BY c.starts_at),
        array_agg(c.accepted ORDER BY c.starts_at), array_agg(c.sent ORDER BY c.starts_at), array_agg(c.delivered ORDER BY c.starts_at), array_agg(c.failed ORDER BY c.starts_at), array_agg(c.bounced ORDER BY c.starts_at), array_agg(c.received ORDER BY c.starts_at)
      FROM (
        SELECT starts_at, sum(accepted)::integer AS accepted, sum(sent)::integer AS sent, sum(delivered)::integer AS delivered, sum(failed)::integer AS failed, sum(bounced)::integer AS bounced, sum(received)::integer AS received FROM message_periods
        WHERE organization_id = d.organization_id AND span = 'hour' AND starts_at >= d.day - interval '2 hours'
          AND starts_at < d.day + interval '27 hours' AND date_trunc('day', starts_at, d.zone) = d.day
        GROUP BY starts_at
      ) AS c
        LEFT JOIN LATERAL (
      SELECT p50, p95 FROM latency_histograms
      WHERE organization_id = d.organization_id AND span = 'hour' AND starts_at = c.starts_at OFFSET 0) AS l ON true
    ) AS h
  ORDER BY 1, 2
  ON CONFLICT (organization_id, starts_at) DO UPDATE SET p50 = excluded.p50, p95 = excluded.p95,
    hours = excluded.hours, hour_p50 = excluded.hour_p50, hour_p95 = excluded.hour_p95,
    accepted = excluded.accepted, sent = excluded.sent, delivered = excluded.delivered, failed = excluded.failed, bounced = excluded.bounced, received = excluded.received;
  RETURN NULL;
END $$;
CREATE FUNCTION public.merge_message_parties(max_rows integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  merged integer;
BEGIN
  PERFORM pg_advisory_xact_lock(7231907533);
  WITH deleted AS (
    DELETE FROM message_party_changes WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM message_party_changes LIMIT max_rows FOR UPDATE SKIP LOCKED
    )) RETURNING *
  ), parties AS MATERIALIZED (
    SELECT d.organization_id, d.quarter, d.is_outbound, p.participant_id, sum(d.number)::integer AS number
    FROM deleted AS d CROSS JOIN LATERAL unnest(d.participants) AS p(participant_id) GROUP BY 1, 2, 3, 4
  ), months AS (
  INSERT INTO participant_months AS m (organization_id, participant_id, month, messages, days, counts)
  SELECT organization_id, participant_id, month, sum(number), array_agg(day ORDER BY day), array_agg(number ORDER BY day)
  FROM (
    SELECT organization_id, participant_id, date_trunc('month', quarter AT TIME ZONE 'UTC')::date AS month,
      extract(day FROM quarter AT TIME ZONE 'UTC')::smallint AS day, sum(number)::integer AS number
    FROM (SELECT * FROM parties) AS p GROUP BY 1, 2, 3, 4 HAVING sum(number) <> 0
  ) AS d
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, participant_id, month) DO UPDATE SET messages = m.messages + excluded.messages,
    (days, counts) = (
      SELECT coalesce(array_agg(day ORDER BY day), '{}'), coalesce(array_agg(number ORDER BY day), '{}') FROM (
        SELECT day, sum(number)::integer AS number FROM (
          SELECT * FROM unnest(m.days, m.counts) AS old(day, number)
          UNION ALL SELECT * FROM unnest(excluded.days, excluded.counts)
        ) AS one GROUP BY day HAVING sum(number) <> 0
      ) AS summed
    )
  ), places AS (
  INSERT INTO place_periods AS t (organization_id, span, starts_at, country, region, recipients)
  SELECT organization_id, s.span,
    CASE s.span WHEN 'quarter' THEN quarter ELSE date_trunc(s.span, quarter, 'UTC') END, country, region, sum(number)
  FROM (
    SELECT p.organization_id, p.quarter, coalesce(l.country, '') AS country, coalesce(l.region, '') AS region,
      p.number
    FROM parties AS p LEFT JOIN participant_places AS l USING (organization_id, participant_id) WHERE p.is_outbound) AS r CROSS JOIN (VALUES ('quarter'), ('hour'), ('day'), ('month')) AS s(span)
  GROUP BY 1, 2, 3, 4, 5 HAVING sum(number) <> 0 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (organization_id, span, starts_at, country, region) DO UPDATE SET recipients = t.recipients + excluded.recipients
  )
  SELECT count(*) INTO merged FROM deleted;
  
  DELETE FROM participant_months WHERE days = '{}';
  DELETE FROM place_periods WHERE recipients = 0;
  RETURN merged;
END $$;
CREATE FUNCTION public.message_texts(subject_line text, content json, addressing json, external_id text, reference_id text, direction text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ((((((COALESCE(subject_line, (content ->> 'subject'::text), ''::text) || COALESCE((addressing ->> 'to'::text), ''::text)) || COALESCE((addressing ->> 'cc'::text), ''::text)) || COALESCE((addressing ->> 'bcc'::text), ''::text)) || COALESCE(external_id, ''::text)) || COALESCE(reference_id, ''::text)) || CASE WHEN (direction = 'inbound'::text) THEN COALESCE((content ->> 'from'::text), ''::text) ELSE ''::text END);
CREATE FUNCTION public.move_recipients(max_rows integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  moved integer;
BEGIN
  PERFORM pg_advisory_xact_lock(7231907533);
  WITH deleted AS (
    DELETE FROM participant_place_changes WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM participant_place_changes LIMIT max_rows FOR UPDATE SKIP LOCKED
    )) RETURNING organization_id, participant_id
  ), changed AS MATERIALIZED (
    SELECT * FROM (
      SELECT d.organization_id, d.participant_id, coalesce(o.country, '') AS old_country, coalesce(o.region, '') AS old_region,
        coalesce(n.country, '') AS new_country, coalesce(n.region, '') AS new_region
      FROM (SELECT DISTINCT * FROM deleted) AS d
        LEFT JOIN participant_places AS o USING (organization_id, participant_id)
        LEFT JOIN LATERAL place_of(d.organization_id, d.participant_id) AS n ON true
    ) AS c WHERE (old_country, old_region) <> (new_country, new_region)
  ), counted AS MATERIALIZED (
    SELECT organization_id, participant_id, quarter, sum(number) AS number FROM (
      SELECT c.organization_id, c.participant_id, quarter_of(time_of_uuid_v7(m.id)) AS quarter,
        cardinality(array_positions(m.to_participant_ids, c.participant_id)) AS number
      FROM changed AS c JOIN message_participants AS p USING (organization_id, participant_id)
        CROSS JOIN LATERAL (
          SELECT id, direction, to_participant_ids FROM messages
          WHERE organization_id = p.organization_id AND id = p.message_id OFFSET 0
        ) AS m
      WHERE m.direction = 'outbound'
      UNION ALL SELECT c.organization_id, c.participant_id, u.quarter,
        -u.number * cardinality(array_positions(u.participants, c.participant_id))
      FROM changed AS c JOIN message_party_changes AS u ON u.organization_id = c.organization_id AND u.is_outbound
        AND c.participant_id = ANY (u.participants)
    ) AS one GROUP BY 1, 2, 3
  ), places AS (
  INSERT INTO place_periods AS t (organization_id, span, starts_at, country, region, recipients)
  SELECT organization_id, s.span,
    CASE s.span WHEN 'quarter' THEN quarter ELSE date_trunc(s.span, quarter, 'UTC') END, country, region, sum(number)
  FROM (
    SELECT n.organization_id, n.quarter, v.country, v.region, v.sign * n.number AS number
    FROM counted AS n JOIN changed AS c USING (organization_id, participant_id)
      CROSS JOIN LATERAL (VALUES (old_country, old_region, -1), (new_country, new_region, 1))
        AS v(country, region, sign)) AS r CROSS JOIN (VALUES ('quarter'), ('hour'), ('day'), ('month')) AS s(span)
  GROUP BY 1, 2, 3, 4, 5 HAVING sum(number) <> 0 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (organization_id, span, starts_at, country, region) DO UPDATE SET recipients = t.recipients + excluded.recipients
  ), removed AS (
    DELETE FROM participant_places AS l USING changed AS c
    WHERE l.organization_id = c.organization_id AND l.participant_id = c.participant_id AND NOT ((new_country, new_region) <> ('', ''))
  ), stored AS (
    INSERT INTO participant_places (organization_id, participant_id, country, region)
    SELECT organization_id, participant_id, new_country, new_region FROM changed WHERE (new_country, new_region) <> ('', '')
    ON CONFLICT (organization_id, participant_id) DO UPDATE SET country = excluded.country, region = excluded.region
  )
  SELECT count(*) INTO moved FROM deleted;
  
  DELETE FROM participant_months WHERE days = '{}';
  DELETE FROM place_periods WHERE recipients = 0;
  RETURN moved;
END $$;
CREATE FUNCTION public.name_participant() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.is_named := true;
  RETURN NEW;
END $$;
CREATE FUNCTION public.new_uuid_v7(at timestamp with time zone DEFAULT clock_timestamp(), place bigint DEFAULT 0) RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    AS $$
  SELECT encode(substring(int8send(floor(extract(epoch FROM at) * 1000)::bigint) FROM 3)
    || substring(int4send(x'7000'::int + (extract(microseconds FROM at)::int % 1000) * 4) FROM 3)
    || substring(int4send(x'8000'::int + (place % 16384)::int) FROM 3)
    || substring(uuid_send(gen_random_uuid()) FROM 11), 'hex')::uuid
$$;
CREATE FUNCTION public.note_changed_parties() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO message_party_changes (organization_id, quarter, is_outbound, number, participants)
  SELECT m.organization_id, quarter_of(time_of_uuid_v7(m.id)), m.direction = 'outbound', m.number,
    parties_of(m.direction, m.from_participant_id, m.to_participant_ids)
  FROM (SELECT OLD.*, -1 AS number UNION ALL SELECT NEW.*, 1) AS m;
  RETURN NULL;
END $$;
CREATE FUNCTION public.note_conversation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.conversation_id IS NOT NULL THEN
    INSERT INTO conversation_changes
    VALUES (OLD.organization_id, OLD.conversation_id, quarter_of(time_of_uuid_v7(OLD.id)), -1);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.conversation_id IS NOT NULL THEN
    INSERT INTO conversation_changes
    VALUES (NEW.organization_id, NEW.conversation_id, quarter_of(time_of_uuid_v7(NEW.id)), 1);
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION public.note_parties() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO message_party_changes (organization_id, quarter, is_outbound, number, participants)
  SELECT organization_id, quarter_of(time_of_uuid_v7(id)), direction = 'outbound',
    CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END, array_agg(p)
  FROM changed CROSS JOIN LATERAL unnest(parties_of(direction, from_participant_id, to_participant_ids)) AS p
  GROUP BY 1, 2, 3;
  RETURN NULL;
END $$;
CREATE FUNCTION public.note_phone() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN INSERT INTO participant_place_changes VALUES (OLD.organization_id, OLD.participant_id); END IF;
  IF TG_OP <> 'DELETE' THEN INSERT INTO participant_place_changes VALUES (NEW.organization_id, NEW.participant_id); END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION public.note_place() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN INSERT INTO participant_place_changes VALUES (OLD.organization_id, OLD.id);
  ELSE INSERT INTO participant_place_changes VALUES (NEW.organization_id, NEW.id);
  END IF;
  RETURN NULL;
END $$;
CREATE TABLE public.whatsapp_service_windows (organization_id uuid NOT NULL, id uuid NOT NULL, participant_id uuid NOT NULL, expires_at timestamp with time zone NOT NULL, entry_point_source text, entry_point_expires_at timestamp with time zone, created_at timestamp with time zone NOT NULL);
CREATE FUNCTION public.open_service_window(organization uuid, participant uuid, new_id uuid, at timestamp with time zone) RETURNS SETOF public.whatsapp_service_windows
    LANGUAGE sql
    AS $$
  INSERT INTO whatsapp_service_windows AS w (organization_id, id, participant_id, expires_at, created_at)
  VALUES (organization, new_id, participant, at + interval '24 hours', at)
  ON CONFLICT (organization_id, participant_id) DO UPDATE SET expires_at = greatest(w.expires_at, excluded.expires_at)
  RETURNING w.*
$$;
CREATE FUNCTION public.open_window_of_sender() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM open_service_window(NEW.organization_id, NEW.from_participant_id, NEW.id, NEW.created_at);
  RETURN NULL;
END $$;
CREATE FUNCTION public.parties_of(direction text, sender uuid, recipients uuid[]) RETURNS uuid[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT CASE WHEN direction = 'inbound' THEN ARRAY[sender] ELSE recipients END
$$;
CREATE FUNCTION public.place_of(organization uuid, participant uuid) RETURNS TABLE(country text, region text)
    LANGUAGE sql STABLE
    AS $$
  SELECT coalesce(p.country, (
    SELECT a.country FROM participant_addresses AS a
    WHERE a.organization_id = organization AND a.participant_id = participant AND a.kind IN ('phone', 'whatsapp')
    ORDER BY a.kind, a.address LIMIT 1
  ), ''), coalesce(p.region, '')
  FROM participants AS p WHERE p.organization_id = organization AND p.id = participant
$$;
CREATE FUNCTION public.quarter_of(at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT date_bin('15 minutes', at, '2000-01-01 00:00:00+00')
$$;
CREATE FUNCTION public.queue_webhooks() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  -- The lock makes this transaction and one that resumes a paused endpoint wait for each other, because resuming queues
  -- the pending deliveries that it finds. A worker drops entries of endpoints that are no longer active.
  PERFORM FROM webhook_endpoints AS w WHERE w.organization_id IN (SELECT organization_id FROM new_events)
    AND w.status = 'paused' ORDER BY w.id FOR KEY SHARE;
  WITH wanted AS (
    INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, status, next_attempt_at,
      created_at)
    SELECT w.organization_id, webhook_delivery_id(e.id, w.id), w.id, e.id, e.type, 'pending',
      CASE WHEN w.status = 'active' THEN now() END, now()
    FROM new_events AS e JOIN webhook_endpoints AS w ON w.organization_id = e.organization_id
    WHERE w.status <> 'disabled' AND webhook_wants(w, e.type, e.subject_id, e.data)
    RETURNING organization_id, id, endpoint_id, next_attempt_at
  )
  INSERT INTO webhook_queue (organization_id, endpoint_id, id, ready_at)
  SELECT organization_id, endpoint_id, id, next_attempt_at FROM wanted WHERE next_attempt_at IS NOT NULL;
  IF FOUND THEN PERFORM pg_notify('switchboard_webhooks', ''); END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION public.rebuild_periods() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO period_builds (organization_id, built_from) VALUES (NEW.id, 'infinity')
  ON CONFLICT (organization_id) DO UPDATE SET built_from = 'infinity';
  RETURN NULL;
END $$;
CREATE FUNCTION public.redirect_postponed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO retention_rechecks (organization_id, kind, id, due_at)
  VALUES (NEW.organization_id, 'bodies', NEW.message_id, now()) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE FUNCTION public.remove_from_thread(m public.messages) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  s thread_sums;
BEGIN
  IF NOT lock_thread(m.organization_id, m.thread_id) THEN RETURN; END IF;
  PERFORM add_thread_participants(m.organization_id, m.thread_id, m.from_participant_id || m.to_participant_ids, -1);
  UPDATE thread_sums AS t SET messages = messages - 1, unread = unread - is_unread(m)::int,
    with_attachments = with_attachments - (m.attachment_count > 0)::int
  WHERE t.organization_id = m.organization_id AND t.thread_id = m.thread_id RETURNING * INTO s;
  IF NOT FOUND THEN RETURN; END IF;
  IF s.messages = 0 THEN
    DELETE FROM thread_sums AS t WHERE t.organization_id = m.organization_id AND t.thread_id = m.thread_id;
    PERFORM add_threads(s.organization_id, s.status, -1);
    PERFORM add_thread_quarter(s.organization_id, quarter_of(time_of_uuid_v7(s.thread_id)), -1);
  ELSIF m.id IN (s.first_id, s.last_id) THEN
    UPDATE thread_sums AS t SET first_id = f.id, first_at = f.created_at, last_id = l.id, last_at = l.created_at,
      last_direction = l.direction
    FROM (SELECT o.id, o.created_at FROM messages AS o
        WHERE o.organization_id = m.organization_id AND o.thread_id = m.thread_id ORDER BY o.id LIMIT 1) AS f,
      (SELECT o.id, o.created_at, o.direction FROM messages AS o
        WHERE o.organization_id = m.organization_id AND o.thread_id = m.thread_id ORDER BY o.id DESC LIMIT 1) AS l
    WHERE t.organization_id = m.organization_id AND t.thread_id = m.thread_id;
  END IF;
END $$;
CREATE FUNCTION public.retag_message() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM message_tags
  WHERE organization_id = OLD.organization_id AND tag = ANY (OLD.tags) AND message_id = OLD.id;
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO message_tags (organization_id, tag, message_id)
    SELECT DISTINCT NEW.organization_id, tag, NEW.id FROM unnest(NEW.tags) AS tag;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION public.rounded_latency(ms bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT CASE WHEN ms < 64 THEN greatest(ms, 0)
    ELSE (round(ms / 2 ^ (floor(ln(ms::float8) / ln(2::float8)) - 5)) * 2 ^ (floor(ln(ms::float8) / ln(2::float8)) - 5))::bigint
  END
$$;
CREATE FUNCTION public.search_key(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $_$ DECLARE key text := translate(value, E' \t\r\n!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~', repeat('Z', 36));
BEGIN IF octet_length(key) = length(key) THEN RETURN key;
  END IF;
  RETURN (SELECT string_agg(CASE WHEN ascii(c) < 128 THEN c ELSE chr(65 + ascii(c) % 26) END, '' ORDER BY n) FROM unnest(string_to_array(key, NULL)) WITH ORDINALITY AS u(c, n));
END $_$;
CREATE FUNCTION public.set_listed_status() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.listed_status := listed_status(NEW.status);
  RETURN NEW;
END $$;
CREATE FUNCTION public.skip_row() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RETURN NULL; END $$;
CREATE FUNCTION public.sum_older_threads(number integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  done thread_sums_progress;
  organizations uuid[];
  ids uuid[];
BEGIN
  SELECT * INTO done FROM thread_sums_progress FOR UPDATE;
  -- The locks make transactions that change these threads wait, or wait for them.
  SELECT array_agg(g.organization_id), array_agg(g.id) INTO organizations, ids FROM (
    SELECT t.organization_id, t.id FROM threads AS t
    WHERE (t.organization_id, t.id) > (done.organization_id, done.thread_id)
    ORDER BY t.organization_id, t.id LIMIT number FOR UPDATE
  ) AS g;
  IF ids IS NULL THEN RETURN 0; END IF;
  WITH older AS MATERIALIZED (
    SELECT t.*, thread_status(c.status) AS status FROM unnest(organizations, ids) AS g(organization_id, id)
      JOIN threads AS t ON t.organization_id = g.organization_id AND t.id = g.id
      JOIN conversations AS c ON c.organization_id = t.organization_id AND c.id = t.conversation_id
    WHERE NOT t.is_counted
  ), sums AS MATERIALIZED (
    INSERT INTO thread_sums (organization_id, thread_id, status, messages, unread, with_attachments, first_id, first_at,
      last_id, last_at, last_direction)
    SELECT o.organization_id, o.id, o.status, m.* FROM older AS o CROSS JOIN LATERAL (
      SELECT count(*), count(*) FILTER (WHERE direction = 'inbound' AND (o.read_up_to IS NULL OR id > o.read_up_to)),
        count(*) FILTER (WHERE attachment_count > 0), (array_agg(id ORDER BY id))[1],
        (array_agg(created_at ORDER BY id))[1], (array_agg(id ORDER BY id DESC))[1],
        (array_agg(created_at ORDER BY id DESC))[1], (array_agg(direction ORDER BY id DESC))[1]
      FROM messages WHERE organization_id = o.organization_id AND thread_id = o.id HAVING count(*) > 0
    ) AS m
    RETURNING organization_id, thread_id, status
  ), participants AS (
    INSERT INTO thread_participants (organization_id, participant_id, thread_id, status, messages)
    SELECT s.organization_id, p.id, s.thread_id, s.status, count(*) FROM sums AS s
      JOIN messages AS m ON m.organization_id = s.organization_id AND m.thread_id = s.thread_id
      CROSS JOIN LATERAL (SELECT DISTINCT unnest(m.from_participant_id || m.to_participant_ids) AS id) AS p
    GROUP BY 1, 2, 3, 4
  ), counted AS (
    SELECT add_threads(organization_id, status, count(*)) FROM sums GROUP BY organization_id, status
    ORDER BY organization_id, status
  ), quarters AS (
    SELECT add_thread_quarter(organization_id, quarter, count(*))
    FROM (SELECT organization_id, quarter_of(time_of_uuid_v7(thread_id)) AS quarter FROM sums) AS q
    GROUP BY organization_id, quarter ORDER BY organization_id, quarter
  )
  UPDATE thread_sums_progress SET organization_id = organizations[array_upper(ids, 1)],
    thread_id = ids[array_upper(ids, 1)]
  WHERE (SELECT count(*) FROM counted) + (SELECT count(*) FROM quarters) >= 0;
  RETURN array_length(ids, 1);
END $$;
CREATE FUNCTION public.sum_thread() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.thread_id = NEW.thread_id THEN
    PERFORM change_in_thread(OLD, NEW);
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' AND OLD.thread_id IS NOT NULL THEN PERFORM remove_from_thread(OLD); END IF;
  IF TG_OP <> 'DELETE' AND NEW.thread_id IS NOT NULL THEN PERFORM add_to_thread(NEW); END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION public.tag_messages() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO message_tags (organization_id, tag, message_id)
  SELECT DISTINCT organization_id, tag, id FROM added CROSS JOIN LATERAL unnest(tags) AS tag;
  RETURN NULL;
END $$;
CREATE FUNCTION public.tag_older_messages(number integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  done message_tags_progress;
  rows integer;
BEGIN
  SELECT * INTO done FROM message_tags_progress FOR UPDATE;
  WITH next AS MATERIALIZED (
    SELECT organization_id, id, tags <> '{}' AS is_tagged FROM messages
    WHERE (organization_id, id) > (done.organization_id, done.message_id)
    ORDER BY organization_id, id LIMIT number
  ), older AS MATERIALIZED (
    -- The lock makes a transaction that deletes a message or changes its tags wait, or waits for it.
    SELECT m.* FROM next AS n CROSS JOIN LATERAL (
      SELECT organization_id, id, tags FROM messages WHERE organization_id = n.organization_id AND id = n.id FOR SHARE
    ) AS m WHERE n.is_tagged
  ), tagged AS (
    INSERT INTO message_tags (organization_id, tag, message_id)
    SELECT DISTINCT organization_id, tag, id FROM older CROSS JOIN LATERAL unnest(tags) AS tag
    ON CONFLICT DO NOTHING
  ), last AS (
    UPDATE message_tags_progress AS p SET organization_id = o.organization_id, message_id = o.id
    FROM (SELECT organization_id, id FROM next ORDER BY organization_id DESC, id DESC LIMIT 1) AS o
  )
  SELECT count(*) INTO rows FROM next;
  RETURN rows;
END $$;
CREATE FUNCTION public.thread_status(conversation_status text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT CASE WHEN conversation_status IN ('resolved', 'archived') THEN conversation_status ELSE 'active' END
$$;
CREATE FUNCTION public.time_of_uuid_v7(id uuid) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
$$;
CREATE FUNCTION public.webhook_delivery_id(event uuid, endpoint uuid) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT (left(event::text, 26) || lpad(to_hex((('x' || right(event::text, 10))::bit(40)
    # ('x' || right(endpoint::text, 10))::bit(40))::bigint), 10, '0'))::uuid
$$;
CREATE TABLE public.webhook_endpoints (organization_id uuid NOT NULL, id uuid NOT NULL, name text NOT NULL, slug text NOT NULL, description text, url text NOT NULL, events text[] NOT NULL, headers bytea, filters jsonb NOT NULL, rate_limit jsonb NOT NULL, priority integer NOT NULL, status text NOT NULL, test_mode boolean NOT NULL, secret bytea NOT NULL, previous_secret bytea, previous_secret_until timestamp with time zone, created_at timestamp with time zone NOT NULL, updated_at timestamp with time zone NOT NULL, created_by uuid, last_modified_by uuid);
CREATE FUNCTION public.webhook_wants(endpoint public.webhook_endpoints, event_type text, subject uuid, event_data json) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  SELECT (event_type = ANY (endpoint.events) OR split_part(event_type, '.', 1) || '.*' = ANY (endpoint.events)
      OR '*' = ANY (endpoint.events))
    AND (event_type NOT LIKE 'message.%' OR (endpoint.filters = '{}' AND NOT endpoint.test_mode) OR EXISTS (
      SELECT 1 FROM (
        SELECT m.channel, m.tags, m.is_test FROM messages AS m
        WHERE m.organization_id = endpoint.organization_id AND m.id = subject
        UNION ALL
        SELECT event_data ->> 'channel', ARRAY(SELECT json_array_elements_text(event_data -> 'tags')),
          (event_data ->> 'isTest')::boolean WHERE event_type = 'message.deleted'
      ) AS about (channel, tags, is_test)
      WHERE (NOT endpoint.test_mode OR is_test)
        AND (endpoint.filters -> 'isTest' IS NULL OR is_test = (endpoint.filters ->> 'isTest')::boolean)
        AND (endpoint.filters -> 'channels' IS NULL OR endpoint.filters -> 'channels' ? channel)
        AND (endpoint.filters -> 'tags' IS NULL OR endpoint.filters -> 'tags' ?| tags)))
$$;
CREATE TABLE public.api_key_activity (organization_id uuid NOT NULL, api_key_id uuid NOT NULL, id uuid NOT NULL, method text NOT NULL, path text NOT NULL, route text NOT NULL, status integer NOT NULL, latency_ms integer NOT NULL, ip_address text NOT NULL, at timestamp with time zone NOT NULL) PARTITION BY RANGE (id);
CREATE TABLE public.api_key_activity_open (organization_id uuid NOT NULL, api_key_id uuid NOT NULL, id uuid NOT NULL, method text NOT NULL, path text NOT NULL, route text NOT NULL, status integer NOT NULL, latency_ms integer NOT NULL, ip_address text NOT NULL, at timestamp with time zone NOT NULL);
CREATE TABLE public.api_key_totals (organization_id uuid NOT NULL, api_key_id uuid NOT NULL, method text NOT NULL, route text NOT NULL, status integer NOT NULL, requests bigint NOT NULL) WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.api_key_usage (organization_id uuid NOT NULL, api_key_id uuid NOT NULL, hour timestamp with time zone NOT NULL, method text NOT NULL, route text NOT NULL, status integer NOT NULL, requests bigint NOT NULL) WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.api_keys (id uuid NOT NULL, organization_id uuid, name text NOT NULL, description text, role_name text, start text NOT NULL, hash text NOT NULL, permissions jsonb NOT NULL, is_active boolean DEFAULT true NOT NULL, expires_at timestamp with time zone, last_used_at timestamp with time zone, created_at timestamp with time zone NOT NULL, previous_hash text, previous_until timestamp with time zone, updated_at timestamp with time zone, removed_at timestamp with time zone);
CREATE TABLE public.attachments (organization_id uuid NOT NULL, id uuid NOT NULL, filename text NOT NULL, content_type text NOT NULL, size integer NOT NULL, expires_at timestamp with time zone, created_at timestamp with time zone NOT NULL);
CREATE TABLE public.catch_all_counts (organization_id uuid NOT NULL, domain_id uuid NOT NULL, hour timestamp with time zone NOT NULL, received bigint DEFAULT 0 NOT NULL, rejected bigint DEFAULT 0 NOT NULL, forwarded bigint DEFAULT 0 NOT NULL);
CREATE TABLE public.catch_alls (organization_id uuid NOT NULL, domain_id uuid NOT NULL, enabled boolean NOT NULL, forward_to text[] NOT NULL, exclude text[] NOT NULL, created_at timestamp with time zone NOT NULL, updated_at timestamp with time zone NOT NULL);
CREATE TABLE public.conversation_builds (organization_id uuid NOT NULL);
CREATE TABLE public.conversation_changes (organization_id uuid NOT NULL, conversation_id uuid NOT NULL, quarter timestamp with time zone NOT NULL, number integer NOT NULL) WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_analyze_scale_factor='0.02');
CREATE TABLE public.conversation_days (organization_id uuid NOT NULL, day date NOT NULL, last_days date[] NOT NULL, conversations integer[] NOT NULL) WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.conversation_gaps (organization_id uuid NOT NULL, last_at timestamp with time zone NOT NULL, next_at timestamp with time zone NOT NULL, conversations integer NOT NULL) WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.conversation_labels (organization_id uuid NOT NULL, label text NOT NULL, conversation_id uuid NOT NULL) WITH (autovacuum_vacuum_insert_scale_factor='0.02');
CREATE TABLE public.conversation_labels_progress (organization_id uuid NOT NULL, conversation_id uuid NOT NULL);
CREATE TABLE public.conversation_participants (organization_id uuid NOT NULL, conversation_id uuid NOT NULL, participant_id uuid NOT NULL, joined_at timestamp with time zone NOT NULL) WITH (autovacuum_vacuum_insert_scale_factor='0.02');
CREATE TABLE public.conversation_quarters (organization_id uuid NOT NULL, conversation_id uuid NOT NULL, quarter timestamp with time zone NOT NULL, messages integer NOT NULL) WITH (autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.conversations (organization_id uuid NOT NULL, id uuid NOT NULL, title text, description text, external_id text, parent_conversation_id uuid, channels text[] NOT NULL, primary_channel text, status text NOT NULL, status_reason text, priority integer NOT NULL, urgency text NOT NULL, complexity text NOT NULL, metadata text, context text, tags text[] NOT NULL, categories text[] NOT NULL, is_test boolean NOT NULL, is_internal boolean NOT NULL, is_private boolean NOT NULL, started_at timestamp with time zone NOT NULL, resolved_at timestamp with time zone, archived_at timestamp with time zone, resolved_by uuid, resolution_type text, resolution_notes text, created_by uuid, created_at timestamp with time zone NOT NULL, updated_at timestamp with time zone NOT NULL) WITH (autovacuum_vacuum_insert_scale_factor='0.02');
CREATE TABLE public.creation_keys (organization_id uuid NOT NULL, hash text NOT NULL, fingerprint text NOT NULL, resource_id uuid NOT NULL, created_at timestamp with time zone DEFAULT now() NOT NULL);
CREATE TABLE public.deleted_messages (organization_id uuid NOT NULL, id uuid NOT NULL, channel text, direction text, cost text, created_at timestamp with time zone, was_sent boolean);
CREATE TABLE public.delivery_pauses (channel text, organization_id uuid, paused_at timestamp with time zone DEFAULT now() NOT NULL, CONSTRAINT delivery_pauses_check CHECK ((num_nonnulls(channel, organization_id) = 1)));
CREATE TABLE public.draft_attachments (organization_id uuid NOT NULL, draft_id uuid NOT NULL, attachment_id uuid NOT NULL);
CREATE TABLE public.drafts (organization_id uuid NOT NULL, id uuid NOT NULL, channel text NOT NULL, recipients json NOT NULL, content json NOT NULL, title text, sent_message_id uuid, held_until timestamp with time zone, last_edited_at timestamp with time zone NOT NULL, created_at timestamp with time zone NOT NULL, created_by uuid);
CREATE TABLE public.earlier_key_values (api_key_id uuid NOT NULL, hash text NOT NULL, valid_until timestamp with time zone NOT NULL);
CREATE TABLE public.earlier_webhook_secrets (organization_id uuid NOT NULL, endpoint_id uuid NOT NULL, id uuid DEFAULT gen_random_uuid() NOT NULL, secret bytea NOT NULL, signs_until timestamp with time zone NOT NULL);
CREATE TABLE public.email_block_logs (organization_id uuid NOT NULL, id uuid NOT NULL, block_id uuid NOT NULL, email text NOT NULL, message_id uuid, action text NOT NULL, created_at timestamp with time zone NOT NULL, category text) WITH (autovacuum_vacuum_insert_scale_factor='0.02');
CREATE TABLE public.email_blocks (organization_id uuid NOT NULL, id uuid NOT NULL, type text NOT NULL, value text NOT NULL, reason text NOT NULL, source text NOT NULL, source_message_id uuid, hit_count integer DEFAULT 0 NOT NULL, last_hit_at timestamp with time zone, expires_at timestamp with time zone, created_at timestamp with time zone NOT NULL, updated_at timestamp with time zone NOT NULL, category text DEFAULT ''::text NOT NULL, CONSTRAINT email_blocks_all_mail CHECK ((category = ''::text)) NO INHERIT) WITH (autovacuum_vacuum_insert_scale_factor='0.02');
CREATE TABLE public.email_category_blocks (CONSTRAINT email_category_blocks_category_check CHECK ((category <> ''::text))) INHERITS (public.email_blocks) WITH (autovacuum_vacuum_insert_scale_factor='0.02');
CREATE TABLE public.email_domains (organization_id uuid NOT NULL, id uuid NOT NULL, domain text NOT NULL, status text NOT NULL, verification_token text NOT NULL, verified_at timestamp with time zone, failing_since timestamp with time zone, active_selector text NOT NULL, sm1_private_key bytea NOT NULL, sm1_public_key text NOT NULL, sm2_private_key bytea NOT NULL, sm2_public_key text NOT NULL, receiving boolean DEFAULT false NOT NULL, next_check_at timestamp with time zone NOT NULL, created_at timestamp with time zone NOT NULL, updated_at timestamp with time zone NOT NULL);
CREATE TABLE public.email_senders (organization_id uuid NOT NULL, id uuid NOT NULL, email text NOT NULL, name text NOT NULL, reply_to text, verification_status text NOT NULL, verified_at timestamp with time zone, is_default boolean DEFAULT false NOT NULL, is_active boolean DEFAULT true NOT NULL, created_at timestamp with time zone NOT NULL, updated_at timestamp with time zone NOT NULL, domain_id uuid, wants_default boolean DEFAULT false NOT NULL, confirmation_nonce uuid, confirmation_expires_at timestamp with time zone);
CREATE TABLE public.email_template_versions (organization_id uuid NOT NULL, template_id uuid NOT NULL, version integer NOT NULL, subject text NOT NULL, html text NOT NULL, text text, variables json NOT NULL, created_at timestamp with time zone NOT NULL);
CREATE TABLE public.email_templates (organization_id uuid NOT NULL, id uuid NOT NULL, name text NOT NULL, subject text NOT NULL, html text NOT NULL, text text, variables json NOT NULL, version integer NOT NULL, created_at timestamp with time zone NOT NULL, updated_at timestamp with time zone NOT NULL);
CREATE TABLE public.erasures (id text NOT NULL, started_at timestamp with time zone NOT NULL, "position" json, erased json DEFAULT '[]'::json NOT NULL, remaining json DEFAULT '[]'::json NOT NULL);
CREATE TABLE public.event_batches (organization_id uuid NOT NULL, "position" bigint NOT NULL, first_event uuid NOT NULL, events uuid[] NOT NULL);
CREATE TABLE public.event_positions (organization_id uuid NOT NULL, last bigint NOT NULL) WITH (fillfactor='50');
CREATE TABLE public.events (organization_id uuid NOT NULL, id uuid NOT NULL, type text NOT NULL, subject_id uuid NOT NULL, data json NOT NULL, created_at timestamp with time zone NOT NULL, xid xid8 DEFAULT pg_current_xact_id() NOT NULL) PARTITION BY RANGE (id);
CREATE TABLE public.events_open (organization_id uuid NOT NULL, id uuid NOT NULL, type text NOT NULL, subject_id uuid NOT NULL, data json NOT NULL, created_at timestamp with time zone NOT NULL, xid xid8 DEFAULT pg_current_xact_id() NOT NULL);
CREATE TABLE public.forwarding_queue (organization_id uuid NOT NULL, id uuid NOT NULL, ready_at timestamp with time zone NOT NULL, worker text, lease_until timestamp with time zone, takeovers integer DEFAULT 0 NOT NULL, begun_at timestamp with time zone, is_repeat boolean DEFAULT false NOT NULL) WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_analyze_scale_factor='0.02');
CREATE TABLE public.forwarding_rules (organization_id uuid NOT NULL, id uuid NOT NULL, name text NOT NULL, recipient text, sender text, subject_contains text, forward_to text[] NOT NULL, keep_copy boolean NOT NULL, priority integer NOT NULL, is_active boolean NOT NULL, match_count bigint DEFAULT 0 NOT NULL, last_matched_at timestamp with time zone, created_at timestamp with time zone NOT NULL, updated_at timestamp with time zone NOT NULL, rewrite_from boolean DEFAULT false NOT NULL);
CREATE TABLE public.forwarding_waiting (organization_id uuid NOT NULL, id uuid NOT NULL, due_at timestamp with time zone NOT NULL) WITH (autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.forwardings (organization_id uuid NOT NULL, id uuid NOT NULL, mail_id uuid NOT NULL, rule_id uuid, domain_id uuid, recipients text[] NOT NULL, keep_copy boolean NOT NULL, forward_to text NOT NULL, via_domain text NOT NULL, status text NOT NULL, error text, created_at timestamp with time zone NOT NULL, settled_at timestamp with time zone) WITH (autovacuum_vacuum_insert_scale_factor='0.02');
CREATE TABLE public.inbound_attachments (organization_id uuid NOT NULL, message_id uuid NOT NULL, "position" integer NOT NULL, id uuid NOT NULL, filename text NOT NULL, content_type text NOT NULL, content_id text, size integer NOT NULL, object_key text NOT NULL);
CREATE TABLE public.inbound_mails (organization_id uuid NOT NULL, id uuid NOT NULL, fingerprint text NOT NULL, mail_from text NOT NULL, recipients json NOT NULL, remote_address text NOT NULL, helo text NOT NULL, tls boolean NOT NULL, size integer NOT NULL, raw bytea, received_at timestamp with time zone NOT NULL, processed_at timestamp with time zone, parse_error text);
CREATE TABLE public.inbound_messages (organization_id uuid NOT NULL, message_id uuid NOT NULL, rfc_message_id text NOT NULL, in_reply_to text[] NOT NULL, refers_to text[] NOT NULL, headers json NOT NULL, size integer NOT NULL, authentication json);
CREATE TABLE public.inbound_queue (organization_id uuid NOT NULL, id uuid NOT NULL, ready_at timestamp with time zone NOT NULL, worker text, lease_until timestamp with time zone, takeovers integer DEFAULT 0 NOT NULL, begun_at timestamp with time zone, is_repeat boolean DEFAULT false NOT NULL) WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_analyze_scale_factor='0.02');
CREATE TABLE public.inbound_waiting (organization_id uuid NOT NULL, id uuid NOT NULL, due_at timestamp with time zone NOT NULL, takeovers integer DEFAULT 0 NOT NULL) WITH (autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.installation (single boolean DEFAULT true NOT NULL, key_mark text NOT NULL, held_at timestamp with time zone, ended_before timestamp with time zone, CONSTRAINT installation_single_check CHECK (single));
CREATE TABLE public.latency_histograms (organization_id uuid NOT NULL, span text NOT NULL, starts_at timestamp with time zone NOT NULL, buckets smallint[] NOT NULL, messages integer[] NOT NULL, p50 bigint GENERATED ALWAYS AS (CASE WHEN (span = ANY (ARRAY['hour'::text, 'day'::text])) THEN public.latency_within(buckets, messages, (0.5)::double precision) ELSE NULL::bigint END) STORED, p95 bigint GENERATED ALWAYS AS (CASE WHEN (span = ANY (ARRAY['hour'::text, 'day'::text])) THEN public.latency_within(buckets, messages, (0.95)::double precision) ELSE NULL::bigint END) STORED) WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.listed_states (organization_id uuid NOT NULL, message_id uuid NOT NULL);
CREATE TABLE public.login_tokens (hash text NOT NULL, organization_id uuid NOT NULL, api_key_id uuid NOT NULL, key_hash text NOT NULL, expires_at timestamp with time zone NOT NULL);
CREATE TABLE public.mailbox_mails (id uuid NOT NULL, organization_id uuid, message_id text NOT NULL, mail_from text NOT NULL, rcpt_to text[] NOT NULL, raw bytea NOT NULL, received_at timestamp with time zone NOT NULL);
CREATE TABLE public.message_attachments (organization_id uuid NOT NULL, message_id uuid NOT NULL, "position" integer NOT NULL, filename text NOT NULL, content_type text NOT NULL, content_id text, content bytea NOT NULL);
ALTER TABLE ONLY public.message_attachments ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE TABLE public.message_claims (organization_id uuid NOT NULL, key text NOT NULL, fingerprint text NOT NULL, message_id uuid NOT NULL, created_at timestamp with time zone DEFAULT now() NOT NULL);
CREATE TABLE public.message_contents (organization_id uuid NOT NULL, content_hash text NOT NULL, message_id uuid NOT NULL, accepted_at timestamp with time zone DEFAULT now() NOT NULL);
CREATE TABLE public.message_count_changes (organization_id uuid NOT NULL, quarter timestamp with time zone NOT NULL, channel text NOT NULL, accepted integer NOT NULL, sent integer NOT NULL, delivered integer NOT NULL, read integer NOT NULL, failed integer NOT NULL, bounced integer NOT NULL, refused integer NOT NULL, complained integer NOT NULL, received integer NOT NULL, cost numeric NOT NULL, responses integer NOT NULL, response_ms bigint NOT NULL, latencies bigint[]) WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_analyze_scale_factor='0.02');
CREATE TABLE public.message_counts (organization_id uuid NOT NULL, quarter timestamp with time zone NOT NULL, channel text NOT NULL, accepted bigint NOT NULL, sent bigint NOT NULL, delivered bigint NOT NULL, read bigint NOT NULL, failed bigint NOT NULL, bounced bigint NOT NULL, refused bigint NOT NULL, complained bigint NOT NULL, received bigint NOT NULL, cost numeric NOT NULL, responses bigint NOT NULL, response_ms bigint NOT NULL) WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.message_days (organization_id uuid NOT NULL, starts_at timestamp with time zone NOT NULL, p50 bigint, p95 bigint, hours timestamp with time zone[] NOT NULL, hour_p50 bigint[] NOT NULL, hour_p95 bigint[] NOT NULL, accepted integer[] NOT NULL, sent integer[] NOT NULL, delivered integer[] NOT NULL, failed integer[] NOT NULL, bounced integer[] NOT NULL, received integer[] NOT NULL) WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.message_latencies (organization_id uuid NOT NULL, quarter timestamp with time zone NOT NULL, ms bigint NOT NULL, messages bigint NOT NULL) WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.message_participants (organization_id uuid NOT NULL, participant_id uuid NOT NULL, message_id uuid NOT NULL) WITH (autovacuum_vacuum_insert_scale_factor='0.02');
CREATE TABLE public.message_party_changes (organization_id uuid NOT NULL, quarter timestamp with time zone NOT NULL, is_outbound boolean NOT NULL, number integer NOT NULL, participants uuid[] NOT NULL) WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_analyze_scale_factor='0.02');
CREATE TABLE public.message_periods (organization_id uuid NOT NULL, span text NOT NULL, starts_at timestamp with time zone NOT NULL, channel text NOT NULL, accepted bigint NOT NULL, sent bigint NOT NULL, delivered bigint NOT NULL, read bigint NOT NULL, failed bigint NOT NULL, bounced bigint NOT NULL, refused bigint NOT NULL, complained bigint NOT NULL, received bigint NOT NULL, cost numeric NOT NULL, responses bigint NOT NULL, response_ms bigint NOT NULL) WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.message_queue (organization_id uuid NOT NULL, id uuid NOT NULL, message_id uuid NOT NULL, ready_at timestamp with time zone NOT NULL, due_since timestamp with time zone NOT NULL, worker text, lease_until timestamp with time zone, takeovers integer DEFAULT 0 NOT NULL, begun_at timestamp with time zone, is_repeat boolean DEFAULT false NOT NULL, lane smallint DEFAULT 0 NOT NULL) WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_analyze_scale_factor='0.02');
CREATE TABLE public.message_states (organization_id uuid NOT NULL, message_id uuid NOT NULL, status text NOT NULL, status_history json NOT NULL, deliveries json NOT NULL, provider text, provider_message_id text, provider_status text, provider_response json, sent_at timestamp with time zone, delivered_at timestamp with time zone, read_at timestamp with time zone, failed_at timestamp with time zone, retry_count integer NOT NULL, max_retries integer NOT NULL, delivery_attempts integer NOT NULL, last_error text, error_details json, last_attempt_at timestamp with time zone, updated_at timestamp with time zone NOT NULL, listed_status text DEFAULT 'open'::text NOT NULL) WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_insert_scale_factor='0.02');
CREATE TABLE public.message_tags (organization_id uuid NOT NULL, tag text NOT NULL, message_id uuid NOT NULL) WITH (autovacuum_vacuum_insert_scale_factor='0.02');
CREATE TABLE public.message_tags_progress (organization_id uuid NOT NULL, message_id uuid NOT NULL);
CREATE TABLE public.message_total_changes (organization_id uuid NOT NULL, kind text NOT NULL, messages bigint NOT NULL) WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_analyze_scale_factor='0.02');
CREATE TABLE public.message_totals (organization_id uuid NOT NULL, kind text NOT NULL, messages bigint NOT NULL) WITH (fillfactor='50');
CREATE TABLE public.message_waiting (organization_id uuid NOT NULL, id uuid NOT NULL, message_id uuid NOT NULL, due_at timestamp with time zone NOT NULL, due_since timestamp with time zone NOT NULL, takeovers integer DEFAULT 0 NOT NULL, lane smallint DEFAULT 0 NOT NULL) WITH (autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.new_event_batches (organization_id uuid NOT NULL, number bigint NOT NULL, events uuid[] NOT NULL) WITH (autovacuum_vacuum_scale_factor='0.05');
ALTER TABLE public.new_event_batches ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME public.new_event_batches_number_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE public.object_removals (organization_id uuid NOT NULL, key text NOT NULL, due_at timestamp with time zone NOT NULL);
CREATE TABLE public.organization_count_changes (organization_id uuid NOT NULL, participants bigint DEFAULT 0 NOT NULL, conversations bigint DEFAULT 0 NOT NULL) WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_analyze_scale_factor='0.02');
CREATE TABLE public.organization_counts (organization_id uuid NOT NULL, participants bigint NOT NULL, conversations bigint NOT NULL) WITH (fillfactor='50');
CREATE TABLE public.organization_usage (organization_id uuid NOT NULL, month date NOT NULL, messages_used bigint DEFAULT 0 NOT NULL, messages_used_this_month bigint DEFAULT 0 NOT NULL, email_used bigint DEFAULT 0 NOT NULL, email_used_this_month bigint DEFAULT 0 NOT NULL, messages_kept bigint DEFAULT 0 NOT NULL, exceeded_month date, participants_removed bigint DEFAULT 0 NOT NULL) WITH (fillfactor='50');
CREATE TABLE public.organizations (id uuid NOT NULL, name text NOT NULL, slug text NOT NULL, logo text, payment_customer_id text, default_currency text DEFAULT 'USD'::text NOT NULL, country_code text, timezone text DEFAULT 'UTC'::text NOT NULL, billing_email text, plan text NOT NULL, is_active boolean DEFAULT true NOT NULL, metadata jsonb DEFAULT '{}'::jsonb NOT NULL, created_at timestamp with time zone NOT NULL, updated_at timestamp with time zone NOT NULL);
CREATE TABLE public.participant_addresses (organization_id uuid NOT NULL, kind text NOT NULL, address text NOT NULL, participant_id uuid NOT NULL, country text);
CREATE TABLE public.participant_months (organization_id uuid NOT NULL, participant_id uuid NOT NULL, month date NOT NULL, messages integer NOT NULL, days smallint[] NOT NULL, counts integer[] NOT NULL) WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_insert_scale_factor='0.02');
CREATE TABLE public.participant_place_changes (organization_id uuid NOT NULL, participant_id uuid NOT NULL);
CREATE TABLE public.participant_places (organization_id uuid NOT NULL, participant_id uuid NOT NULL, country text NOT NULL, region text NOT NULL);
CREATE TABLE public.participants (organization_id uuid NOT NULL, id uuid NOT NULL, name text NOT NULL, display_name text, type text NOT NULL, country text, region text, metadata jsonb, created_at timestamp with time zone NOT NULL, updated_at timestamp with time zone NOT NULL, is_given boolean DEFAULT false NOT NULL, is_named boolean DEFAULT true NOT NULL) WITH (autovacuum_vacuum_insert_scale_factor='0.02');
CREATE TABLE public.party_builds (organization_id uuid NOT NULL);
CREATE TABLE public.period_builds (organization_id uuid NOT NULL, built_from timestamp with time zone NOT NULL);
CREATE TABLE public.place_periods (organization_id uuid NOT NULL, span text NOT NULL, starts_at timestamp with time zone NOT NULL, country text NOT NULL, region text NOT NULL, recipients bigint NOT NULL) WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_insert_scale_factor='0.02');
CREATE TABLE public.receiving_addresses (organization_id uuid NOT NULL, domain_id uuid NOT NULL, address text NOT NULL, created_at timestamp with time zone NOT NULL);
CREATE TABLE public.relay_faults (relay text NOT NULL, out_of_order_at timestamp with time zone NOT NULL);
CREATE TABLE public.retention_marks (organization_id uuid NOT NULL, kind text NOT NULL, done_to uuid NOT NULL, next_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL);
CREATE TABLE public.retention_postponed (organization_id uuid NOT NULL, message_id uuid NOT NULL);
CREATE TABLE public.retention_rechecks (organization_id uuid NOT NULL, kind text NOT NULL, id uuid NOT NULL, due_at timestamp with time zone NOT NULL);
CREATE TABLE public.sender_builds (organization_id uuid NOT NULL);
CREATE TABLE public.sender_changes (organization_id uuid NOT NULL, sender_id uuid NOT NULL, day date NOT NULL, sent integer NOT NULL, bounced integer NOT NULL, complained integer NOT NULL) WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_analyze_scale_factor='0.02');
CREATE TABLE public.sender_days (organization_id uuid NOT NULL, sender_id uuid NOT NULL, day date NOT NULL, sent integer NOT NULL, bounced integer NOT NULL, complained integer NOT NULL) WITH (fillfactor='50');
CREATE TABLE public.sessions (hash text NOT NULL, organization_id uuid NOT NULL, api_key_id uuid NOT NULL, key_hash text NOT NULL, created_at timestamp with time zone NOT NULL, expires_at timestamp with time zone NOT NULL);
CREATE TABLE public.switchboard_migrations (id integer NOT NULL, name text NOT NULL, applied_at timestamp with time zone DEFAULT now() NOT NULL, requires integer DEFAULT 0 NOT NULL);
CREATE TABLE public.thread_counts (organization_id uuid NOT NULL, active bigint DEFAULT 0 NOT NULL, resolved bigint DEFAULT 0 NOT NULL, archived bigint DEFAULT 0 NOT NULL) WITH (fillfactor='50');
CREATE TABLE public.thread_participants (organization_id uuid NOT NULL, participant_id uuid NOT NULL, thread_id uuid NOT NULL, status text NOT NULL, messages integer NOT NULL) WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_insert_scale_factor='0.02');
CREATE TABLE public.thread_quarters (organization_id uuid NOT NULL, quarter timestamp with time zone NOT NULL, threads bigint NOT NULL) WITH (fillfactor='70');
CREATE TABLE public.thread_sums (organization_id uuid NOT NULL, thread_id uuid NOT NULL, status text NOT NULL, messages integer NOT NULL, unread integer NOT NULL, with_attachments integer NOT NULL, first_id uuid NOT NULL, first_at timestamp with time zone NOT NULL, last_id uuid NOT NULL, last_at timestamp with time zone NOT NULL, last_direction text NOT NULL) WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_insert_scale_factor='0.02');
CREATE TABLE public.thread_sums_progress (organization_id uuid NOT NULL, thread_id uuid NOT NULL);
CREATE TABLE public.threads (organization_id uuid NOT NULL, id uuid NOT NULL, conversation_id uuid NOT NULL, subject text NOT NULL, read_up_to uuid, created_at timestamp with time zone NOT NULL, updated_at timestamp with time zone NOT NULL, is_counted boolean DEFAULT true NOT NULL);
CREATE TABLE public.voice_agents (organization_id uuid NOT NULL, id uuid NOT NULL, name text NOT NULL, description text, system_prompt text, voice_id text, language text, transport text NOT NULL, webhook_url text, webhook_events text[], webhook_headers bytea, webhook_secret bytea, is_active boolean NOT NULL, created_at timestamp with time zone NOT NULL, updated_at timestamp with time zone NOT NULL);
CREATE TABLE public.voice_call_queue (organization_id uuid NOT NULL, id uuid NOT NULL, ready_at timestamp with time zone NOT NULL, worker text, lease_until timestamp with time zone, takeovers integer DEFAULT 0 NOT NULL, begun_at timestamp with time zone, is_repeat boolean DEFAULT false NOT NULL) WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_analyze_scale_factor='0.02');
CREATE TABLE public.voice_call_runs (organization_id uuid NOT NULL, call_id uuid NOT NULL, script json NOT NULL, api_key_id uuid NOT NULL, may_send_messages boolean NOT NULL, rung json, progress json) WITH (fillfactor='70');
CREATE TABLE public.voice_call_waiting (organization_id uuid NOT NULL, id uuid NOT NULL, due_at timestamp with time zone NOT NULL, takeovers integer DEFAULT 0 NOT NULL) WITH (autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.voice_calls (organization_id uuid NOT NULL, id uuid NOT NULL, voice_agent_id uuid NOT NULL, transport text NOT NULL, direction text NOT NULL, from_number text, to_number text NOT NULL, status text NOT NULL, call_control_id text, initiated_at timestamp with time zone, answered_at timestamp with time zone, ended_at timestamp with time zone, duration_ms integer, recording_key text, transcript_key text, metadata json NOT NULL, speed double precision NOT NULL, origin_at timestamp with time zone, until_ms integer NOT NULL, recorded json NOT NULL, hang_up_at timestamp with time zone, created_at timestamp with time zone NOT NULL, updated_at timestamp with time zone NOT NULL, session_id text, summary text) WITH (fillfactor='85');
CREATE TABLE public.voice_knowledge_bases (organization_id uuid NOT NULL, id uuid NOT NULL, name text NOT NULL, description text, document_count integer DEFAULT 0 NOT NULL, created_at timestamp with time zone NOT NULL, updated_at timestamp with time zone NOT NULL);
CREATE TABLE public.voice_knowledge_documents (organization_id uuid NOT NULL, knowledge_base_id uuid NOT NULL, id uuid NOT NULL, filename text NOT NULL, content_type text NOT NULL, content_length integer NOT NULL, storage_key text NOT NULL, status text NOT NULL, upload_expires_at timestamp with time zone NOT NULL, held_until timestamp with time zone, look_at timestamp with time zone NOT NULL, created_at timestamp with time zone NOT NULL);
CREATE TABLE public.voice_notice_queue (organization_id uuid NOT NULL, agent_id uuid NOT NULL, id uuid NOT NULL, event_id uuid NOT NULL, retries_used integer DEFAULT 0 NOT NULL, ready_at timestamp with time zone NOT NULL, worker text, lease_until timestamp with time zone, takeovers integer DEFAULT 0 NOT NULL, begun_at timestamp with time zone, is_repeat boolean DEFAULT false NOT NULL) WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_analyze_scale_factor='0.02');
CREATE TABLE public.voice_notice_waiting (organization_id uuid NOT NULL, agent_id uuid NOT NULL, id uuid NOT NULL, event_id uuid NOT NULL, retries_used integer NOT NULL, due_at timestamp with time zone NOT NULL, takeovers integer DEFAULT 0 NOT NULL) WITH (autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.voice_workflows (organization_id uuid NOT NULL, id uuid NOT NULL, voice_agent_id uuid, name text NOT NULL, description text, nodes json NOT NULL, edges json NOT NULL, viewport json, published_nodes json, published_edges json, published_viewport json, is_enabled boolean NOT NULL, version integer NOT NULL, published_at timestamp with time zone, created_at timestamp with time zone NOT NULL, updated_at timestamp with time zone NOT NULL);
CREATE TABLE public.webhook_attempts (organization_id uuid NOT NULL, delivery_id uuid NOT NULL, attempt integer NOT NULL, trigger text NOT NULL, at timestamp with time zone NOT NULL, response_status integer, response_body text, duration_ms integer NOT NULL, error text, request_headers json, response_headers json) PARTITION BY RANGE (delivery_id);
CREATE TABLE public.webhook_attempts_open (organization_id uuid NOT NULL, delivery_id uuid NOT NULL, attempt integer NOT NULL, trigger text NOT NULL, at timestamp with time zone NOT NULL, response_status integer, response_body text, duration_ms integer NOT NULL, error text, request_headers json, response_headers json);
CREATE TABLE public.webhook_bodies (organization_id uuid NOT NULL, delivery_id uuid NOT NULL, message_id uuid, body text NOT NULL) PARTITION BY RANGE (delivery_id);
CREATE TABLE public.webhook_bodies_open (organization_id uuid NOT NULL, delivery_id uuid NOT NULL, message_id uuid, body text NOT NULL) WITH (autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.webhook_deliveries (organization_id uuid NOT NULL, id uuid NOT NULL, endpoint_id uuid NOT NULL, event_id uuid NOT NULL, event_type text NOT NULL, status text NOT NULL, trigger text DEFAULT 'scheduled'::text NOT NULL, attempts integer DEFAULT 0 NOT NULL, retries_used integer DEFAULT 0 NOT NULL, next_attempt_at timestamp with time zone, created_at timestamp with time zone NOT NULL) PARTITION BY RANGE (id);
CREATE TABLE public.webhook_deliveries_open (organization_id uuid NOT NULL, id uuid NOT NULL, endpoint_id uuid NOT NULL, event_id uuid NOT NULL, event_type text NOT NULL, status text NOT NULL, trigger text DEFAULT 'scheduled'::text NOT NULL, attempts integer DEFAULT 0 NOT NULL, retries_used integer DEFAULT 0 NOT NULL, next_attempt_at timestamp with time zone, created_at timestamp with time zone NOT NULL) WITH (fillfactor='85');
CREATE TABLE public.webhook_endpoint_health (organization_id uuid NOT NULL, endpoint_id uuid NOT NULL, failing_since timestamp with time zone, delivered bigint DEFAULT 0 NOT NULL, failed bigint DEFAULT 0 NOT NULL, attempts_succeeded bigint DEFAULT 0 NOT NULL, latency_ms_sum bigint DEFAULT 0 NOT NULL, last_success_at timestamp with time zone, last_failure_at timestamp with time zone, attempts_failed bigint DEFAULT 0 NOT NULL) WITH (fillfactor='50');
CREATE TABLE public.webhook_queue (organization_id uuid NOT NULL, endpoint_id uuid NOT NULL, id uuid NOT NULL, ready_at timestamp with time zone NOT NULL, worker text, lease_until timestamp with time zone, takeovers integer DEFAULT 0 NOT NULL, begun_at timestamp with time zone, is_repeat boolean DEFAULT false NOT NULL) WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_analyze_scale_factor='0.02');
CREATE TABLE public.webhook_waiting (organization_id uuid NOT NULL, endpoint_id uuid NOT NULL, id uuid NOT NULL, due_at timestamp with time zone NOT NULL, takeovers integer DEFAULT 0 NOT NULL) WITH (autovacuum_vacuum_scale_factor='0.05');
ALTER TABLE ONLY public.api_key_activity ATTACH PARTITION public.api_key_activity_open FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_open FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
ALTER TABLE ONLY public.webhook_attempts ATTACH PARTITION public.webhook_attempts_open FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
ALTER TABLE ONLY public.webhook_bodies ATTACH PARTITION public.webhook_bodies_open FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
ALTER TABLE ONLY public.webhook_deliveries ATTACH PARTITION public.webhook_deliveries_open FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
ALTER TABLE ONLY public.email_category_blocks ALTER COLUMN hit_count SET DEFAULT 0;
ALTER TABLE ONLY public.email_category_blocks ALTER COLUMN category SET DEFAULT ''::text;
ALTER TABLE ONLY public.api_key_activity ADD CONSTRAINT api_key_activity_partitioned_pkey PRIMARY KEY (organization_id, api_key_id, id);
ALTER TABLE ONLY public.api_key_activity_open ADD CONSTRAINT api_key_activity_pkey PRIMARY KEY (organization_id, api_key_id, id);
ALTER TABLE ONLY public.api_key_totals ADD CONSTRAINT api_key_totals_pkey PRIMARY KEY (organization_id, api_key_id, method, route, status);
ALTER TABLE ONLY public.api_key_usage ADD CONSTRAINT api_key_usage_pkey PRIMARY KEY (organization_id, api_key_id, hour, method, route, status);
ALTER TABLE ONLY public.api_keys ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.api_keys ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.api_keys ADD CONSTRAINT api_keys_previous_hash_key UNIQUE (previous_hash);
ALTER TABLE ONLY public.attachments ADD CONSTRAINT attachments_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.catch_all_counts ADD CONSTRAINT catch_all_counts_pkey PRIMARY KEY (organization_id, domain_id, hour);
ALTER TABLE ONLY public.catch_alls ADD CONSTRAINT catch_alls_pkey PRIMARY KEY (organization_id, domain_id);
ALTER TABLE ONLY public.conversation_builds ADD CONSTRAINT conversation_builds_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY public.conversation_days ADD CONSTRAINT conversation_days_pkey PRIMARY KEY (organization_id, day);
ALTER TABLE ONLY public.conversation_gaps ADD CONSTRAINT conversation_gaps_pkey PRIMARY KEY (organization_id, last_at, next_at);
ALTER TABLE ONLY public.conversation_labels ADD CONSTRAINT conversation_labels_pkey PRIMARY KEY (organization_id, label, conversation_id);
ALTER TABLE ONLY public.conversation_participants ADD CONSTRAINT conversation_participants_pkey PRIMARY KEY (organization_id, conversation_id, participant_id);
ALTER TABLE ONLY public.conversation_quarters ADD CONSTRAINT conversation_quarters_pkey PRIMARY KEY (organization_id, conversation_id, quarter);
ALTER TABLE ONLY public.conversations ADD CONSTRAINT conversations_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.creation_keys ADD CONSTRAINT creation_keys_pkey PRIMARY KEY (organization_id, hash);
ALTER TABLE ONLY public.deleted_messages ADD CONSTRAINT deleted_messages_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.delivery_pauses ADD CONSTRAINT delivery_pauses_channel_key UNIQUE (channel);
ALTER TABLE ONLY public.delivery_pauses ADD CONSTRAINT delivery_pauses_organization_id_key UNIQUE (organization_id);
ALTER TABLE ONLY public.draft_attachments ADD CONSTRAINT draft_attachments_pkey PRIMARY KEY (organization_id, draft_id, attachment_id);
ALTER TABLE ONLY public.drafts ADD CONSTRAINT drafts_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.earlier_key_values ADD CONSTRAINT earlier_key_values_pkey PRIMARY KEY (api_key_id, hash);
ALTER TABLE ONLY public.earlier_webhook_secrets ADD CONSTRAINT earlier_webhook_secrets_pkey PRIMARY KEY (organization_id, endpoint_id, id);
ALTER TABLE ONLY public.email_block_logs ADD CONSTRAINT email_block_logs_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.email_blocks ADD CONSTRAINT email_blocks_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.email_category_blocks ADD CONSTRAINT email_category_blocks_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.email_domains ADD CONSTRAINT email_domains_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.email_senders ADD CONSTRAINT email_senders_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.email_template_versions ADD CONSTRAINT email_template_versions_pkey PRIMARY KEY (organization_id, template_id, version);
ALTER TABLE ONLY public.email_templates ADD CONSTRAINT email_templates_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.erasures ADD CONSTRAINT erasures_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.event_batches ADD CONSTRAINT event_batches_pkey PRIMARY KEY (organization_id, "position");
ALTER TABLE ONLY public.event_positions ADD CONSTRAINT event_positions_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY public.events ADD CONSTRAINT events_partitioned_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.events_open ADD CONSTRAINT events_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.forwarding_queue ADD CONSTRAINT forwarding_queue_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.forwarding_rules ADD CONSTRAINT forwarding_rules_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.forwarding_waiting ADD CONSTRAINT forwarding_waiting_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.forwardings ADD CONSTRAINT forwardings_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.inbound_attachments ADD CONSTRAINT inbound_attachments_pkey PRIMARY KEY (organization_id, message_id, "position");
ALTER TABLE ONLY public.inbound_mails ADD CONSTRAINT inbound_mails_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.inbound_messages ADD CONSTRAINT inbound_messages_pkey PRIMARY KEY (organization_id, message_id);
ALTER TABLE ONLY public.inbound_queue ADD CONSTRAINT inbound_queue_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.inbound_waiting ADD CONSTRAINT inbound_waiting_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.installation ADD CONSTRAINT installation_pkey PRIMARY KEY (single);
ALTER TABLE ONLY public.latency_histograms ADD CONSTRAINT latency_histograms_pkey PRIMARY KEY (organization_id, span, starts_at);
ALTER TABLE ONLY public.login_tokens ADD CONSTRAINT login_tokens_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.mailbox_mails ADD CONSTRAINT mailbox_mails_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.message_attachments ADD CONSTRAINT message_attachments_pkey PRIMARY KEY (organization_id, message_id, "position");
ALTER TABLE ONLY public.message_claims ADD CONSTRAINT message_claims_pkey PRIMARY KEY (organization_id, key);
ALTER TABLE ONLY public.message_contents ADD CONSTRAINT message_contents_pkey PRIMARY KEY (organization_id, content_hash);
ALTER TABLE ONLY public.message_counts ADD CONSTRAINT message_counts_pkey PRIMARY KEY (organization_id, quarter, channel);
ALTER TABLE ONLY public.message_days ADD CONSTRAINT message_days_pkey PRIMARY KEY (organization_id, starts_at);
ALTER TABLE ONLY public.message_latencies ADD CONSTRAINT message_latencies_pkey PRIMARY KEY (organization_id, quarter, ms);
ALTER TABLE ONLY public.message_participants ADD CONSTRAINT message_participants_pkey PRIMARY KEY (organization_id, participant_id, message_id);
ALTER TABLE ONLY public.message_periods ADD CONSTRAINT message_periods_pkey PRIMARY KEY (organization_id, span, starts_at, channel);
ALTER TABLE ONLY public.message_queue ADD CONSTRAINT message_queue_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.message_states ADD CONSTRAINT message_states_pkey PRIMARY KEY (organization_id, message_id);
ALTER TABLE ONLY public.message_tags ADD CONSTRAINT message_tags_pkey PRIMARY KEY (organization_id, tag, message_id);
ALTER TABLE ONLY public.message_totals ADD CONSTRAINT message_totals_pkey PRIMARY KEY (organization_id, kind);
ALTER TABLE ONLY public.message_waiting ADD CONSTRAINT message_waiting_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.messages ADD CONSTRAINT messages_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.new_event_batches ADD CONSTRAINT new_event_batches_pkey PRIMARY KEY (organization_id, number);
ALTER TABLE ONLY public.object_removals ADD CONSTRAINT object_removals_pkey PRIMARY KEY (organization_id, key);
ALTER TABLE ONLY public.organization_counts ADD CONSTRAINT organization_counts_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY public.organization_usage ADD CONSTRAINT organization_usage_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY public.organizations ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.organizations ADD CONSTRAINT organizations_slug_key UNIQUE (slug);
ALTER TABLE ONLY public.participant_addresses ADD CONSTRAINT participant_addresses_pkey PRIMARY KEY (organization_id, kind, address);
ALTER TABLE ONLY public.participant_months ADD CONSTRAINT participant_months_pkey PRIMARY KEY (organization_id, participant_id, month) INCLUDE (messages);
ALTER TABLE ONLY public.participant_places ADD CONSTRAINT participant_places_pkey PRIMARY KEY (organization_id, participant_id);
ALTER TABLE ONLY public.participants ADD CONSTRAINT participants_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.party_builds ADD CONSTRAINT party_builds_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY public.period_builds ADD CONSTRAINT period_builds_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY public.place_periods ADD CONSTRAINT place_periods_pkey PRIMARY KEY (organization_id, span, starts_at, country, region) INCLUDE (recipients);
ALTER TABLE ONLY public.receiving_addresses ADD CONSTRAINT receiving_addresses_pkey PRIMARY KEY (organization_id, domain_id, address);
ALTER TABLE ONLY public.relay_faults ADD CONSTRAINT relay_faults_pkey PRIMARY KEY (relay);
ALTER TABLE ONLY public.retention_marks ADD CONSTRAINT retention_marks_pkey PRIMARY KEY (organization_id, kind);
ALTER TABLE ONLY public.retention_postponed ADD CONSTRAINT retention_postponed_pkey PRIMARY KEY (organization_id, message_id);
ALTER TABLE ONLY public.retention_rechecks ADD CONSTRAINT retention_rechecks_pkey PRIMARY KEY (organization_id, kind, id);
ALTER TABLE ONLY public.sender_builds ADD CONSTRAINT sender_builds_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY public.sender_days ADD CONSTRAINT sender_days_pkey PRIMARY KEY (organization_id, sender_id, day);
ALTER TABLE ONLY public.sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.switchboard_migrations ADD CONSTRAINT switchboard_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.thread_counts ADD CONSTRAINT thread_counts_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY public.thread_participants ADD CONSTRAINT thread_participants_pkey PRIMARY KEY (organization_id, participant_id, thread_id);
ALTER TABLE ONLY public.thread_quarters ADD CONSTRAINT thread_quarters_pkey PRIMARY KEY (organization_id, quarter);
ALTER TABLE ONLY public.thread_sums ADD CONSTRAINT thread_sums_pkey PRIMARY KEY (organization_id, thread_id);
ALTER TABLE ONLY public.threads ADD CONSTRAINT threads_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.voice_agents ADD CONSTRAINT voice_agents_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.voice_call_queue ADD CONSTRAINT voice_call_queue_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.voice_call_runs ADD CONSTRAINT voice_call_runs_pkey PRIMARY KEY (organization_id, call_id);
ALTER TABLE ONLY public.voice_call_waiting ADD CONSTRAINT voice_call_waiting_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.voice_calls ADD CONSTRAINT voice_calls_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.voice_knowledge_bases ADD CONSTRAINT voice_knowledge_bases_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.voice_knowledge_documents ADD CONSTRAINT voice_knowledge_documents_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.voice_notice_queue ADD CONSTRAINT voice_notice_queue_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.voice_notice_waiting ADD CONSTRAINT voice_notice_waiting_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.voice_workflows ADD CONSTRAINT voice_workflows_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.webhook_attempts ADD CONSTRAINT webhook_attempts_partitioned_pkey PRIMARY KEY (organization_id, delivery_id, attempt);
ALTER TABLE ONLY public.webhook_attempts_open ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (organization_id, delivery_id, attempt);
ALTER TABLE ONLY public.webhook_bodies ADD CONSTRAINT webhook_bodies_partitioned_pkey PRIMARY KEY (organization_id, delivery_id);
ALTER TABLE ONLY public.webhook_bodies_open ADD CONSTRAINT webhook_bodies_pkey PRIMARY KEY (organization_id, delivery_id);
ALTER TABLE ONLY public.webhook_deliveries ADD CONSTRAINT webhook_deliveries_partitioned_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.webhook_deliveries_open ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.webhook_endpoint_health ADD CONSTRAINT webhook_endpoint_health_pkey PRIMARY KEY (organization_id, endpoint_id);
ALTER TABLE ONLY public.webhook_endpoints ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.webhook_queue ADD CONSTRAINT webhook_queue_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.webhook_waiting ADD CONSTRAINT webhook_waiting_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY public.whatsapp_service_windows ADD CONSTRAINT whatsapp_service_windows_pkey PRIMARY KEY (organization_id, id);
CREATE INDEX api_key_activity_partitioned_at_idx ON ONLY public.api_key_activity USING brin (at);
CREATE INDEX api_key_activity_at ON public.api_key_activity_open USING brin (at);
CREATE INDEX api_key_usage_hour ON public.api_key_usage USING btree (hour);
CREATE INDEX api_keys_organization ON public.api_keys USING btree (organization_id, id) WHERE (removed_at IS NULL);
CREATE INDEX attachments_expiring ON public.attachments USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX conversation_changes_organization ON public.conversation_changes USING btree (organization_id, quarter);
CREATE INDEX conversation_gaps_next ON public.conversation_gaps USING btree (organization_id, next_at, last_at);
CREATE INDEX conversation_participants_conversations ON public.conversation_participants USING btree (organization_id, participant_id, conversation_id);
CREATE INDEX conversations_priority ON public.conversations USING btree (organization_id, priority, id);
CREATE INDEX conversations_search_keys ON public.conversations USING gin (public.search_key(public.fold_case(title)) public.gin_trgm_ops, public.search_key(public.fold_case(description)) public.gin_trgm_ops, organization_id);
CREATE INDEX conversations_status ON public.conversations USING btree (organization_id, status, id);
CREATE INDEX creation_keys_created ON public.creation_keys USING btree (created_at);
CREATE INDEX draft_attachments_attachment ON public.draft_attachments USING btree (organization_id, attachment_id);
CREATE INDEX drafts_held ON public.drafts USING btree (held_until) WHERE (held_until IS NOT NULL);
CREATE INDEX earlier_key_values_hash ON public.earlier_key_values USING btree (hash);
CREATE INDEX email_blocks_reason ON public.email_blocks USING btree (organization_id, reason, id);
CREATE INDEX email_blocks_search_keys ON public.email_blocks USING gin (public.search_key(public.fold_case(value)) public.gin_trgm_ops, organization_id);
CREATE UNIQUE INDEX email_blocks_value_key ON public.email_blocks USING btree (organization_id, type, value);
CREATE INDEX email_category_blocks_reason ON public.email_category_blocks USING btree (organization_id, reason, id);
CREATE INDEX email_category_blocks_search_keys ON public.email_category_blocks USING gin (public.search_key(public.fold_case(value)) public.gin_trgm_ops, organization_id);
CREATE UNIQUE INDEX email_category_blocks_value_key ON public.email_category_blocks USING btree (organization_id, type, value, category);
CREATE INDEX email_domains_check ON public.email_domains USING btree (next_check_at);
CREATE UNIQUE INDEX email_domains_domain_key ON public.email_domains USING btree (organization_id, domain);
CREATE UNIQUE INDEX email_domains_verified_key ON public.email_domains USING btree (domain) WHERE (status = ANY (ARRAY['verified'::text, 'degraded'::text]));
CREATE UNIQUE INDEX email_senders_default_key ON public.email_senders USING btree (organization_id) WHERE is_default;
CREATE INDEX email_senders_domain ON public.email_senders USING btree (organization_id, domain_id) WHERE (domain_id IS NOT NULL);
CREATE UNIQUE INDEX email_senders_email_key ON public.email_senders USING btree (organization_id, lower(email));
CREATE UNIQUE INDEX email_templates_name_key ON public.email_templates USING btree (organization_id, name);
CREATE INDEX event_batches_first_event ON public.event_batches USING btree (organization_id, first_event);
CREATE INDEX forwarding_queue_leases ON public.forwarding_queue USING btree (lease_until) WHERE (lease_until IS NOT NULL);
CREATE INDEX forwarding_queue_ready ON public.forwarding_queue USING btree (organization_id, ready_at, id) WHERE (lease_until IS NULL);
CREATE INDEX forwarding_waiting_due ON public.forwarding_waiting USING btree (due_at);
CREATE INDEX forwardings_catch_all ON public.forwardings USING btree (organization_id, domain_id) WHERE (domain_id IS NOT NULL);
CREATE INDEX forwardings_mail ON public.forwardings USING btree (organization_id, mail_id);
CREATE INDEX forwardings_settled ON public.forwardings USING btree (organization_id, id) WHERE (status <> 'waiting'::text);
CREATE UNIQUE INDEX inbound_mails_fingerprint_key ON public.inbound_mails USING btree (organization_id, fingerprint);
CREATE INDEX inbound_mails_received ON public.inbound_mails USING brin (received_at);
CREATE INDEX inbound_messages_rfc_id ON public.inbound_messages USING btree (organization_id, rfc_message_id);
CREATE INDEX inbound_queue_leases ON public.inbound_queue USING btree (lease_until) WHERE (lease_until IS NOT NULL);
CREATE INDEX inbound_queue_ready ON public.inbound_queue USING btree (organization_id, ready_at, id) WHERE (lease_until IS NULL);
CREATE INDEX inbound_waiting_due ON public.inbound_waiting USING btree (due_at);
CREATE INDEX mailbox_mails_organization ON public.mailbox_mails USING btree (organization_id, id);
CREATE INDEX message_claims_created ON public.message_claims USING btree (created_at);
CREATE INDEX message_contents_accepted ON public.message_contents USING btree (accepted_at);
CREATE INDEX message_count_changes_organization ON public.message_count_changes USING btree (organization_id, quarter);
CREATE INDEX message_party_changes_organization ON public.message_party_changes USING btree (organization_id, quarter);
CREATE INDEX message_queue_age ON public.message_queue USING btree (due_since) WHERE ((lease_until IS NULL) AND (takeovers >= 0));
CREATE INDEX message_queue_lanes ON public.message_queue USING btree (organization_id, lane, ready_at, id) WHERE (lease_until IS NULL);
CREATE INDEX message_queue_leases ON public.message_queue USING btree (lease_until) WHERE (lease_until IS NOT NULL);
CREATE INDEX message_states_listed ON public.message_states USING btree (organization_id, listed_status, message_id);
CREATE INDEX message_total_changes_organization ON public.message_total_changes USING btree (organization_id);
CREATE INDEX message_waiting_due ON public.message_waiting USING btree (due_at);
CREATE INDEX messages_channel ON public.messages USING btree (organization_id, channel, id);
CREATE INDEX messages_conversation ON public.messages USING btree (organization_id, conversation_id, id) WHERE (conversation_id IS NOT NULL);
CREATE INDEX messages_external_id ON public.messages USING btree (organization_id, external_id, id) WHERE (external_id IS NOT NULL);
CREATE INDEX messages_parties ON public.messages USING btree (organization_id, id) INCLUDE (direction, conversation_id, from_participant_id, to_participant_ids);
CREATE INDEX messages_reference_id ON public.messages USING btree (organization_id, reference_id, id) WHERE (reference_id IS NOT NULL);
CREATE INDEX messages_search_keys ON public.messages USING gin (public.search_key(public.fold_case(public.message_texts(subject_line, content, addressing, external_id, reference_id, direction))) public.gin_trgm_ops, organization_id);
CREATE INDEX messages_thread ON public.messages USING btree (organization_id, thread_id, id) WHERE (thread_id IS NOT NULL);
CREATE INDEX object_removals_due ON public.object_removals USING btree (due_at);
CREATE INDEX organization_count_changes_organization ON public.organization_count_changes USING btree (organization_id);
CREATE INDEX participant_addresses_participant ON public.participant_addresses USING btree (organization_id, participant_id);
CREATE INDEX participant_addresses_search_keys ON public.participant_addresses USING gin (public.search_key(public.fold_case(address)) public.gin_trgm_ops, organization_id);
CREATE INDEX participant_addresses_unnamed ON public.participant_addresses USING btree (organization_id) WHERE ((kind = ANY (ARRAY['phone'::text, 'whatsapp'::text])) AND (country IS NULL));
CREATE INDEX participant_months_empty ON public.participant_months USING btree (organization_id) WHERE (days = '{}'::smallint[]);
CREATE INDEX participant_months_most ON public.participant_months USING btree (organization_id, month, messages DESC, participant_id DESC);
CREATE INDEX participants_search_keys ON public.participants USING gin (public.search_key(public.fold_case(name)) public.gin_trgm_ops, public.search_key(public.fold_case(display_name)) public.gin_trgm_ops, organization_id) WHERE is_named;
CREATE INDEX participants_type ON public.participants USING btree (organization_id, type, id);
CREATE INDEX place_periods_empty ON public.place_periods USING btree (organization_id) WHERE (recipients = 0);
CREATE INDEX retention_marks_next ON public.retention_marks USING btree (kind, next_id);
CREATE INDEX retention_rechecks_due ON public.retention_rechecks USING btree (kind, due_at);
CREATE INDEX sender_changes_sender ON public.sender_changes USING btree (organization_id, sender_id, day);
CREATE INDEX sessions_expires ON public.sessions USING btree (expires_at);
CREATE INDEX thread_participants_status ON public.thread_participants USING btree (organization_id, participant_id, status, thread_id);
CREATE INDEX thread_participants_thread ON public.thread_participants USING btree (organization_id, thread_id);
CREATE INDEX thread_sums_status ON public.thread_sums USING btree (organization_id, status, thread_id);
CREATE INDEX threads_conversation ON public.threads USING btree (organization_id, conversation_id);
CREATE INDEX threads_search_keys ON public.threads USING gin (public.search_key(public.fold_case(subject)) public.gin_trgm_ops, organization_id);
CREATE INDEX voice_call_queue_leases ON public.voice_call_queue USING btree (lease_until) WHERE (lease_until IS NOT NULL);
CREATE INDEX voice_call_queue_ready ON public.voice_call_queue USING btree (organization_id, ready_at, id) WHERE (lease_until IS NULL);
CREATE INDEX voice_call_waiting_due ON public.voice_call_waiting USING btree (due_at);
CREATE INDEX voice_calls_agent ON public.voice_calls USING btree (organization_id, voice_agent_id, id);
CREATE INDEX voice_calls_status ON public.voice_calls USING btree (organization_id, status, id);
CREATE INDEX voice_knowledge_documents_base ON public.voice_knowledge_documents USING btree (organization_id, knowledge_base_id, id);
CREATE INDEX voice_knowledge_documents_look ON public.voice_knowledge_documents USING btree (look_at) WHERE (status = 'pending_upload'::text);
CREATE INDEX voice_notice_queue_leases ON public.voice_notice_queue USING btree (lease_until) WHERE (lease_until IS NOT NULL);
CREATE INDEX voice_notice_queue_ready ON public.voice_notice_queue USING btree (agent_id, ready_at, id) WHERE (lease_until IS NULL);
CREATE INDEX voice_notice_waiting_due ON public.voice_notice_waiting USING btree (due_at);
CREATE UNIQUE INDEX voice_workflows_agent_key ON public.voice_workflows USING btree (organization_id, voice_agent_id) WHERE (voice_agent_id IS NOT NULL);
CREATE INDEX webhook_attempts_partitioned_at_idx ON ONLY public.webhook_attempts USING brin (at);
CREATE INDEX webhook_attempts_at ON public.webhook_attempts_open USING brin (at);
CREATE INDEX webhook_bodies_partitioned_organization_id_message_id_idx ON ONLY public.webhook_bodies USING btree (organization_id, message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX webhook_bodies_message ON public.webhook_bodies_open USING btree (organization_id, message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX webhook_deliveries_partitioned_created_at_idx ON ONLY public.webhook_deliveries USING brin (created_at);
CREATE INDEX webhook_deliveries_created ON public.webhook_deliveries_open USING brin (created_at);
CREATE INDEX webhook_deliveries_partitione_organization_id_endpoint_id_i_idx ON ONLY public.webhook_deliveries USING btree (organization_id, endpoint_id, id);
CREATE INDEX webhook_deliveries_endpoint ON public.webhook_deliveries_open USING btree (organization_id, endpoint_id, id);
CREATE UNIQUE INDEX webhook_deliveries_event_key ON public.webhook_deliveries_open USING btree (organization_id, endpoint_id, event_id);
CREATE INDEX webhook_deliveries_partitione_organization_id_endpoint_id_e_idx ON ONLY public.webhook_deliveries USING btree (organization_id, endpoint_id, event_type, id);
CREATE INDEX webhook_deliveries_partitione_organization_id_endpoint_id_s_idx ON ONLY public.webhook_deliveries USING btree (organization_id, endpoint_id, status, id);
CREATE INDEX webhook_deliveries_status ON public.webhook_deliveries_open USING btree (organization_id, endpoint_id, status, id);
CREATE INDEX webhook_deliveries_type ON public.webhook_deliveries_open USING btree (organization_id, endpoint_id, event_type, id);
CREATE INDEX webhook_endpoints_id ON public.webhook_endpoints USING btree (id);
CREATE UNIQUE INDEX webhook_endpoints_slug_key ON public.webhook_endpoints USING btree (organization_id, slug);
CREATE INDEX webhook_queue_leases ON public.webhook_queue USING btree (lease_until) WHERE (lease_until IS NOT NULL);
CREATE INDEX webhook_queue_ready ON public.webhook_queue USING btree (endpoint_id, ready_at, id) WHERE (lease_until IS NULL);
CREATE INDEX webhook_waiting_due ON public.webhook_waiting USING btree (due_at);
CREATE INDEX webhook_waiting_endpoint ON public.webhook_waiting USING btree (organization_id, endpoint_id);
CREATE UNIQUE INDEX whatsapp_service_windows_participant_key ON public.whatsapp_service_windows USING btree (organization_id, participant_id);
ALTER INDEX public.api_key_activity_partitioned_at_idx ATTACH PARTITION public.api_key_activity_at;
ALTER INDEX public.api_key_activity_partitioned_pkey ATTACH PARTITION public.api_key_activity_pkey;
ALTER INDEX public.events_partitioned_pkey ATTACH PARTITION public.events_pkey;
ALTER INDEX public.webhook_attempts_partitioned_at_idx ATTACH PARTITION public.webhook_attempts_at;
ALTER INDEX public.webhook_attempts_partitioned_pkey ATTACH PARTITION public.webhook_attempts_pkey;
ALTER INDEX public.webhook_bodies_partitioned_organization_id_message_id_idx ATTACH PARTITION public.webhook_bodies_message;
ALTER INDEX public.webhook_bodies_partitioned_pkey ATTACH PARTITION public.webhook_bodies_pkey;
ALTER INDEX public.webhook_deliveries_partitioned_created_at_idx ATTACH PARTITION public.webhook_deliveries_created;
ALTER INDEX public.webhook_deliveries_partitione_organization_id_endpoint_id_i_idx ATTACH PARTITION public.webhook_deliveries_endpoint;
ALTER INDEX public.webhook_deliveries_partitioned_pkey ATTACH PARTITION public.webhook_deliveries_pkey;
ALTER INDEX public.webhook_deliveries_partitione_organization_id_endpoint_id_s_idx ATTACH PARTITION public.webhook_deliveries_status;
ALTER INDEX public.webhook_deliveries_partitione_organization_id_endpoint_id_e_idx ATTACH PARTITION public.webhook_deliveries_type;
CREATE TRIGGER api_key_activity_by_ctid BEFORE DELETE ON public.api_key_activity FOR EACH ROW WHEN ((current_query() ~~ '%DELETE FROM api_key_activity WHERE ctid%'::text)) EXECUTE FUNCTION public.skip_row();
CREATE TRIGGER api_key_usage_totals AFTER INSERT OR UPDATE ON public.api_key_usage FOR EACH ROW EXECUTE FUNCTION public.add_to_key_totals();
CREATE TRIGGER conversations_count_delete AFTER DELETE ON public.conversations REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_delete_conversations();
CREATE TRIGGER conversations_count_insert AFTER INSERT ON public.conversations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_insert_conversations();
CREATE TRIGGER conversations_labelled AFTER INSERT ON public.conversations FOR EACH ROW EXECUTE FUNCTION public.label_conversation();
CREATE TRIGGER conversations_relabelled AFTER UPDATE OF channels, tags ON public.conversations FOR EACH ROW WHEN (((old.channels <> new.channels) OR (old.tags <> new.tags))) EXECUTE FUNCTION public.label_conversation();
CREATE CONSTRAINT TRIGGER conversations_thread_status AFTER UPDATE OF status ON public.conversations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION public.change_thread_status();
CREATE TRIGGER events_batches AFTER INSERT ON public.events REFERENCING NEW TABLE AS new_events FOR EACH STATEMENT EXECUTE FUNCTION public.batch_events();
CREATE TRIGGER events_counts AFTER INSERT ON public.events REFERENCING NEW TABLE AS new_events FOR EACH STATEMENT EXECUTE FUNCTION public.count_messages();
CREATE TRIGGER events_webhooks AFTER INSERT ON public.events REFERENCING NEW TABLE AS new_events FOR EACH STATEMENT EXECUTE FUNCTION public.queue_webhooks();
CREATE TRIGGER message_count_changes_merged AFTER DELETE ON public.message_count_changes REFERENCING OLD TABLE AS old_changes FOR EACH STATEMENT EXECUTE FUNCTION public.merge_message_counts();
CREATE TRIGGER message_counts_merged_before BEFORE INSERT ON public.message_counts FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION public.ignore_row();
CREATE TRIGGER message_latencies_merged_before BEFORE INSERT ON public.message_latencies FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION public.ignore_row();
CREATE TRIGGER message_states_deleted AFTER DELETE ON public.message_states REFERENCING OLD TABLE AS old_states FOR EACH STATEMENT EXECUTE FUNCTION public.keep_deleted_states();
CREATE TRIGGER message_states_deleted_totals AFTER DELETE ON public.message_states REFERENCING OLD TABLE AS old_states FOR EACH STATEMENT EXECUTE FUNCTION public.count_deleted_states();
CREATE TRIGGER message_states_inserted_totals AFTER INSERT ON public.message_states REFERENCING NEW TABLE AS new_states FOR EACH STATEMENT EXECUTE FUNCTION public.count_inserted_states();
CREATE TRIGGER message_states_listed BEFORE INSERT OR UPDATE ON public.message_states FOR EACH ROW WHEN ((new.listed_status <> public.listed_status(new.status))) EXECUTE FUNCTION public.set_listed_status();
CREATE TRIGGER message_states_outcomes AFTER UPDATE ON public.message_states REFERENCING OLD TABLE AS old_states NEW TABLE AS new_states FOR EACH STATEMENT EXECUTE FUNCTION public.count_outcomes();
CREATE TRIGGER message_states_updated_totals AFTER UPDATE ON public.message_states REFERENCING OLD TABLE AS old_states NEW TABLE AS new_states FOR EACH STATEMENT EXECUTE FUNCTION public.count_updated_states();
CREATE TRIGGER messages_conversation_added AFTER INSERT ON public.messages FOR EACH ROW WHEN ((new.conversation_id IS NOT NULL)) EXECUTE FUNCTION public.note_conversation();
CREATE TRIGGER messages_conversation_changed AFTER UPDATE OF conversation_id ON public.messages FOR EACH ROW WHEN ((old.conversation_id IS DISTINCT FROM new.conversation_id)) EXECUTE FUNCTION public.note_conversation();
CREATE TRIGGER messages_conversation_removed AFTER DELETE ON public.messages FOR EACH ROW WHEN ((old.conversation_id IS NOT NULL)) EXECUTE FUNCTION public.note_conversation();
CREATE TRIGGER messages_deleted AFTER DELETE ON public.messages REFERENCING OLD TABLE AS old_messages FOR EACH STATEMENT EXECUTE FUNCTION public.keep_deleted_messages();
CREATE TRIGGER messages_deleted_totals AFTER DELETE ON public.messages FOR EACH ROW WHEN ((old.channel <> 'email'::text)) EXECUTE FUNCTION public.count_channel();
CREATE TRIGGER messages_inserted_totals AFTER INSERT ON public.messages FOR EACH ROW WHEN ((new.channel <> 'email'::text)) EXECUTE FUNCTION public.count_channel();
CREATE TRIGGER messages_parties_added AFTER INSERT ON public.messages REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.note_parties();
CREATE TRIGGER messages_parties_changed AFTER UPDATE OF direction, from_participant_id, to_participant_ids ON public.messages FOR EACH ROW WHEN ((((old.direction IS DISTINCT FROM new.direction) OR (old.from_participant_id IS DISTINCT FROM new.from_participant_id)) OR (old.to_participant_ids IS DISTINCT FROM new.to_participant_ids))) EXECUTE FUNCTION public.note_changed_parties();
CREATE TRIGGER messages_parties_removed AFTER DELETE ON public.messages REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.note_parties();
CREATE TRIGGER messages_retagged AFTER UPDATE OF tags ON public.messages FOR EACH ROW WHEN ((old.tags <> new.tags)) EXECUTE FUNCTION public.retag_message();
CREATE TRIGGER messages_service_window AFTER INSERT ON public.messages FOR EACH ROW WHEN (((new.channel = 'whatsapp'::text) AND (new.direction = 'inbound'::text))) EXECUTE FUNCTION public.open_window_of_sender();
CREATE TRIGGER messages_tagged AFTER INSERT ON public.messages REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.tag_messages();
CREATE CONSTRAINT TRIGGER messages_thread_added AFTER INSERT ON public.messages DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.thread_id IS NOT NULL)) EXECUTE FUNCTION public.sum_thread();
CREATE CONSTRAINT TRIGGER messages_thread_changed AFTER UPDATE OF thread_id, attachment_count, from_participant_id, to_participant_ids ON public.messages DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.thread_id IS DISTINCT FROM new.thread_id) OR ((new.thread_id IS NOT NULL) AND (((old.attachment_count > 0) <> (new.attachment_count > 0)) OR (old.from_participant_id <> new.from_participant_id) OR (old.to_participant_ids <> new.to_participant_ids))))) EXECUTE FUNCTION public.sum_thread();
CREATE CONSTRAINT TRIGGER messages_thread_removed AFTER DELETE ON public.messages DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.thread_id IS NOT NULL)) EXECUTE FUNCTION public.sum_thread();
CREATE TRIGGER messages_untagged AFTER DELETE ON public.messages FOR EACH ROW WHEN ((old.tags <> '{}'::text[])) EXECUTE FUNCTION public.retag_message();
CREATE TRIGGER messages_webhook_bodies AFTER DELETE ON public.messages FOR EACH ROW EXECUTE FUNCTION public.delete_message_bodies();
CREATE TRIGGER organizations_retention AFTER INSERT ON public.organizations REFERENCING NEW TABLE AS new_organizations FOR EACH STATEMENT EXECUTE FUNCTION public.begin_retention();
CREATE TRIGGER organizations_timezone AFTER UPDATE OF timezone ON public.organizations FOR EACH ROW WHEN ((old.timezone <> new.timezone)) EXECUTE FUNCTION public.rebuild_periods();
CREATE TRIGGER participant_addresses_added AFTER INSERT ON public.participant_addresses FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['phone'::text, 'whatsapp'::text]))) EXECUTE FUNCTION public.note_phone();
CREATE TRIGGER participant_addresses_changed AFTER UPDATE ON public.participant_addresses FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['phone'::text, 'whatsapp'::text]))) EXECUTE FUNCTION public.note_phone();
CREATE TRIGGER participant_addresses_removed AFTER DELETE ON public.participant_addresses FOR EACH ROW WHEN ((old.kind = ANY (ARRAY['phone'::text, 'whatsapp'::text]))) EXECUTE FUNCTION public.note_phone();
CREATE TRIGGER participants_count_delete AFTER DELETE ON public.participants REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_delete_participants();
CREATE TRIGGER participants_count_insert AFTER INSERT ON public.participants REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_insert_participants();
CREATE TRIGGER participants_named BEFORE UPDATE OF name, display_name ON public.participants FOR EACH ROW WHEN ((NOT new.is_named)) EXECUTE FUNCTION public.name_participant();
CREATE TRIGGER participants_place_added AFTER INSERT ON public.participants FOR EACH ROW WHEN (((new.country IS NOT NULL) OR (new.region IS NOT NULL))) EXECUTE FUNCTION public.note_place();
CREATE TRIGGER participants_place_changed AFTER UPDATE OF country, region ON public.participants FOR EACH ROW WHEN (((old.country IS DISTINCT FROM new.country) OR (old.region IS DISTINCT FROM new.region))) EXECUTE FUNCTION public.note_place();
CREATE TRIGGER participants_place_removed AFTER DELETE ON public.participants FOR EACH ROW WHEN (((old.country IS NOT NULL) OR (old.region IS NOT NULL))) EXECUTE FUNCTION public.note_place();
CREATE TRIGGER retention_postponed_redirect BEFORE INSERT ON public.retention_postponed FOR EACH ROW EXECUTE FUNCTION public.redirect_postponed();
CREATE CONSTRAINT TRIGGER threads_read AFTER UPDATE OF read_up_to ON public.threads DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.read_up_to IS DISTINCT FROM new.read_up_to)) EXECUTE FUNCTION public.count_unread();
CREATE TRIGGER webhook_attempts_by_ctid BEFORE DELETE ON public.webhook_attempts FOR EACH ROW WHEN ((current_query() ~~ '%DELETE FROM webhook_attempts WHERE ctid%'::text)) EXECUTE FUNCTION public.skip_row();
CREATE TRIGGER webhook_deliveries_body AFTER DELETE ON public.webhook_deliveries FOR EACH ROW EXECUTE FUNCTION public.delete_delivery_body();
CREATE TRIGGER webhook_deliveries_by_ctid BEFORE DELETE ON public.webhook_deliveries FOR EACH ROW WHEN ((current_query() ~~ '%DELETE FROM webhook_deliveries WHERE ctid%'::text)) EXECUTE FUNCTION public.skip_row();
ALTER TABLE ONLY public.api_keys ADD CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.attachments ADD CONSTRAINT attachments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.catch_alls ADD CONSTRAINT catch_alls_organization_id_domain_id_fkey FOREIGN KEY (organization_id, domain_id) REFERENCES public.email_domains(organization_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.conversation_participants ADD CONSTRAINT conversation_participants_organization_id_conversation_id_fkey FOREIGN KEY (organization_id, conversation_id) REFERENCES public.conversations(organization_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.conversation_participants ADD CONSTRAINT conversation_participants_organization_id_participant_id_fkey FOREIGN KEY (organization_id, participant_id) REFERENCES public.participants(organization_id, id);
ALTER TABLE ONLY public.conversations ADD CONSTRAINT conversations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.conversations ADD CONSTRAINT conversations_organization_id_parent_conversation_id_fkey FOREIGN KEY (organization_id, parent_conversation_id) REFERENCES public.conversations(organization_id, id);
ALTER TABLE ONLY public.delivery_pauses ADD CONSTRAINT delivery_pauses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.draft_attachments ADD CONSTRAINT draft_attachments_organization_id_attachment_id_fkey FOREIGN KEY (organization_id, attachment_id) REFERENCES public.attachments(organization_id, id);
ALTER TABLE ONLY public.draft_attachments ADD CONSTRAINT draft_attachments_organization_id_draft_id_fkey FOREIGN KEY (organization_id, draft_id) REFERENCES public.drafts(organization_id, id);
ALTER TABLE ONLY public.drafts ADD CONSTRAINT drafts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.earlier_key_values ADD CONSTRAINT earlier_key_values_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.earlier_webhook_secrets ADD CONSTRAINT earlier_webhook_secrets_organization_id_endpoint_id_fkey FOREIGN KEY (organization_id, endpoint_id) REFERENCES public.webhook_endpoints(organization_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.email_blocks ADD CONSTRAINT email_blocks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.email_category_blocks ADD CONSTRAINT email_category_blocks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.email_domains ADD CONSTRAINT email_domains_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.email_senders ADD CONSTRAINT email_senders_domain_fkey FOREIGN KEY (organization_id, domain_id) REFERENCES public.email_domains(organization_id, id);
ALTER TABLE ONLY public.email_senders ADD CONSTRAINT email_senders_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.email_templates ADD CONSTRAINT email_templates_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.forwarding_rules ADD CONSTRAINT forwarding_rules_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.login_tokens ADD CONSTRAINT login_tokens_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_usage ADD CONSTRAINT organization_usage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.receiving_addresses ADD CONSTRAINT receiving_addresses_organization_id_domain_id_fkey FOREIGN KEY (organization_id, domain_id) REFERENCES public.email_domains(organization_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions ADD CONSTRAINT sessions_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.threads ADD CONSTRAINT threads_organization_id_conversation_id_fkey FOREIGN KEY (organization_id, conversation_id) REFERENCES public.conversations(organization_id, id);
ALTER TABLE ONLY public.voice_agents ADD CONSTRAINT voice_agents_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.voice_call_runs ADD CONSTRAINT voice_call_runs_organization_id_call_id_fkey FOREIGN KEY (organization_id, call_id) REFERENCES public.voice_calls(organization_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.voice_calls ADD CONSTRAINT voice_calls_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.voice_knowledge_bases ADD CONSTRAINT voice_knowledge_bases_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.voice_knowledge_documents ADD CONSTRAINT voice_knowledge_documents_base_fkey FOREIGN KEY (organization_id, knowledge_base_id) REFERENCES public.voice_knowledge_bases(organization_id, id);
ALTER TABLE ONLY public.voice_workflows ADD CONSTRAINT voice_workflows_agent_fkey FOREIGN KEY (organization_id, voice_agent_id) REFERENCES public.voice_agents(organization_id, id);
ALTER TABLE ONLY public.voice_workflows ADD CONSTRAINT voice_workflows_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.webhook_endpoints ADD CONSTRAINT webhook_endpoints_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.whatsapp_service_windows ADD CONSTRAINT whatsapp_service_windows_participant_fkey FOREIGN KEY (organization_id, participant_id) REFERENCES public.participants(organization_id, id) ON DELETE CASCADE;
INSERT INTO public.switchboard_migrations (id, name, requires) VALUES
(1, 'messages', 0),
  (2, 'queue age', 0),
  (3, 'keys', 0),
  (4, 'webhooks', 0),
  (5, 'email', 0),
  (6, 'receiving', 0),
  (7, 'voice', 0),
  (8, 'open tracking', 0),
  (9, 'knowledge bases', 0),
  (10, 'message counts', 0),
  (11, 'forwarding', 0),
  (12, 'voice calls', 0),
  (13, 'drafts', 0),
  (14, 'retention', 0),
  (15, 'service windows', 0),
  (16, 'call summaries', 0),
  (17, 'catch-all totals', 0),
  (18, 'removed participants', 0),
  (19, 'installation', 0),
  (20, 'begun attempts', 0),
  (21, 'block scopes', 0),
  (22, 'webhook bodies', 0),
  (23, 'rewritten senders', 0),
  (24, 'waiting forwardings', 0),
  (25, 'event positions', 0),
  (26, 'older events', 0),
  (27, 'message lanes', 0),
  (28, 'lane index', 0),
  (29, 'event partitions', 0),
  (30, 'activity partitions', 0),
  (31, 'attempt partitions', 0),
  (33, 'message periods', 0),
  (34, 'thread tables', 0),
  (35, 'listed statuses', 0),
  (36, 'older states', 0),
  (37, 'list indexes', 0),
  (38, 'search indexes', 0),
  (39, 'thread sums', 0),
  (40, 'older threads', 0),
  (41, 'conversation labels', 0),
  (42, 'list indexes', 0),
  (43, 'retention work list', 0),
  (44, 'erasures', 0),
  (45, 'organization counts', 0),
  (46, 'older organization counts', 0),
  (47, 'creation keys', 0),
  (48, 'login tokens', 0),
  (49, 'restored copies', 0),
  (50, 'delivery pauses', 0),
  (51, 'message parties', 0),
  (52, 'older parties', 0),
  (54, 'conversation gaps', 0),
  (55, 'older conversations', 0),
  (56, 'sender days', 0),
  (57, 'older outcomes', 0),
  (58, 'webhook partitions', 0),
  (59, 'message tags', 0),
  (60, 'older tags', 0),
  (61, 'search order', 0),
  (62, 'entries by id', 0),
  (63, 'named participants', 0),
  (64, 'name search', 0),
  (65, 'message tags', 0),
  (66, 'fill of states', 0),
  (67, 'subject lines', 0),
  (68, 'search of subjects', 0),
  (69, 'vacuum of lists', 0),
  (70, 'key totals', 0),
  (71, 'relay faults', 0),
  (72, 'earlier secrets', 0),
  (73, 'search keys', 0),
  (74, 'search key indexes', 0),
  (75, 'logged exchanges', 0),
  (76, 'attachment storage', 0);
INSERT INTO public.conversation_labels_progress VALUES ('00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');
INSERT INTO public.listed_states VALUES ('00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');
INSERT INTO public.message_tags_progress VALUES ('00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');
INSERT INTO public.thread_sums_progress VALUES ('00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');
RESET check_function_bodies;

/* The SQL by which migration 51 adds to the kept counts of participants and places. Like a migration, it never changes. */

/** Adds numbers of messages (organization_id, quarter, participant_id, number) to the months of participants. */
export const addMonths = (parties: string) => `
  INSERT INTO participant_months AS m (organization_id, participant_id, month, messages, days, counts)
  SELECT organization_id, participant_id, month, sum(number), array_agg(day ORDER BY day), array_agg(number ORDER BY day)
  FROM (
    SELECT organization_id, participant_id, date_trunc('month', quarter AT TIME ZONE 'UTC')::date AS month,
      extract(day FROM quarter AT TIME ZONE 'UTC')::smallint AS day, sum(number)::integer AS number
    FROM (${parties}) AS p GROUP BY 1, 2, 3, 4 HAVING sum(number) <> 0
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
    )`

/** The columns of a place. */
export const place = "country, region"

/** Adds numbers of recipients (organization_id, quarter, country, region, number) to the periods of places. */
export const addPlaces = (recipients: string) => `
  INSERT INTO place_periods AS t (organization_id, span, starts_at, ${place}, recipients)
  SELECT organization_id, s.span,
    CASE s.span WHEN 'quarter' THEN quarter ELSE date_trunc(s.span, quarter, 'UTC') END, ${place}, sum(number)
  FROM (${recipients}) AS r CROSS JOIN (VALUES ('quarter'), ('hour'), ('day'), ('month')) AS s(span)
  GROUP BY 1, 2, 3, 4, 5 HAVING sum(number) <> 0 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (organization_id, span, starts_at, ${place}) DO UPDATE SET recipients = t.recipients + excluded.recipients`

/** Recipients (`parties`) with the place by which they are counted. */
export const placed = (parties: string) => `
    SELECT p.organization_id, p.quarter, coalesce(l.country, '') AS country, coalesce(l.region, '') AS region,
      p.number
    FROM ${parties} AS p LEFT JOIN participant_places AS l USING (organization_id, participant_id) WHERE p.is_outbound`

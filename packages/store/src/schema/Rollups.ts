/** Figures that a worker folds from events. All times are UTC. */
export const Rollups = /* sql */ `
-- Messages by quarter hour of their events and channel. Readers: analytics, statistics of e-mail and WhatsApp.
CREATE TABLE rollup_messages (
  organization_id uuid NOT NULL,
  -- The start of a quarter hour: time zones differ by multiples of them.
  quarter timestamptz NOT NULL,
  channel text NOT NULL,
  accepted integer NOT NULL,
  sent integer NOT NULL,
  delivered integer NOT NULL,
  read integer NOT NULL,
  failed integer NOT NULL,
  bounced integer NOT NULL,
  -- Bounced messages that were never sent.
  refused integer NOT NULL,
  complained integer NOT NULL,
  received integer NOT NULL,
  -- Of accepted messages.
  cost numeric NOT NULL,
  -- Inbound messages, counted at the first reply, and the sum of their response times in milliseconds.
  responses integer NOT NULL,
  response_ms bigint NOT NULL,
  -- Ascending buckets of the latency from acceptance to the status sent, and the messages of each.
  latency_buckets smallint[] NOT NULL,
  latency_messages integer[] NOT NULL,
  -- Messages with a click, counted at the first one.
  clicked integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, quarter, channel)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- The present outcomes of outbound messages by sender and day of acceptance. Reader: the reputation of senders.
CREATE TABLE rollup_senders (
  organization_id uuid NOT NULL,
  -- The participant of the address.
  sender_id uuid NOT NULL,
  day date NOT NULL,
  -- Messages that were sent, including the ones that bounced or complained later.
  sent integer NOT NULL,
  bounced integer NOT NULL,
  complained integer NOT NULL,
  PRIMARY KEY (organization_id, sender_id, day)
) WITH (fillfactor = 50);

-- The present outcomes of mails by domain of the sender and the quarter hour in which they were sent, without tests and
-- for two days. Reader: the pause of domains.
CREATE TABLE rollup_domains (
  organization_id uuid NOT NULL,
  -- Lower case, A-labels.
  domain text NOT NULL,
  -- The start of a quarter hour.
  quarter timestamptz NOT NULL,
  -- Messages that were sent or refused, including the ones that bounced or complained later.
  sent integer NOT NULL,
  bounced integer NOT NULL,
  complained integer NOT NULL,
  PRIMARY KEY (organization_id, domain, quarter)
) WITH (fillfactor = 50);
-- Expired rows.
CREATE INDEX rollup_domains_quarter ON rollup_domains (quarter);
-- The domains that may exceed a bound.
CREATE INDEX rollup_domains_returned ON rollup_domains (quarter) WHERE bounced > 0 OR complained > 0;

-- Messages by kind: a listed status other than 'open', or a channel other than 'email'. Reader: totals of lists above
-- 10,000.
CREATE TABLE rollup_totals (
  organization_id uuid NOT NULL,
  kind text NOT NULL,
  messages bigint NOT NULL,
  PRIMARY KEY (organization_id, kind)
) WITH (fillfactor = 50);

-- Stored messages from or to a participant by the month and day of their creation. Reader: top participants.
CREATE TABLE rollup_participants (
  organization_id uuid NOT NULL,
  -- The first day of a month.
  month date NOT NULL,
  participant_id uuid NOT NULL,
  messages integer NOT NULL,
  -- Ascending days of the month from 1, and the messages of each.
  days smallint[] NOT NULL,
  day_messages integer[] NOT NULL,
  -- Complete months are summed in the index.
  PRIMARY KEY (organization_id, month, participant_id) INCLUDE (messages)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.02);

-- Recipients of accepted messages by their place at acceptance. Reader: the geographic distribution.
CREATE TABLE rollup_places (
  organization_id uuid NOT NULL,
  -- quarter (of an hour) or day.
  span text NOT NULL,
  starts_at timestamptz NOT NULL,
  -- Empty if unknown.
  country text NOT NULL,
  region text NOT NULL,
  recipients bigint NOT NULL,
  PRIMARY KEY (organization_id, span, starts_at, country, region) INCLUDE (recipients)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.02);
`

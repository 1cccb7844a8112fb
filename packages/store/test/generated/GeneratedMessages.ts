import { days, organizationOf, type Shape } from "./GeneratedOrganizations.js"

/** The tables with a row or more for each message. */
export const messageTables = [
  "messages",
  "message_states",
  "message_participants",
  "message_tags",
  "inbound_messages",
  "threads",
  "conversations",
  "conversation_participants",
  "events",
  "event_batches",
  "webhook_deliveries",
  "webhook_attempts",
  "webhook_bodies",
  "api_key_activity",
  "api_key_usage"
]

/** The messages of a page, with everything that their rows consist of. */
export const messagesTable = /* sql */ `
CREATE TEMP TABLE generated_messages (n bigint, organization_id uuid, key_id uuid, endpoint_id uuid, sender_id uuid,
  contact_id uuid, contact text, id uuid, queue_id uuid, status text, is_inbound boolean, is_test boolean,
  thread_id uuid, conversation_id uuid, tail text, at timestamptz, at_hex text, at_iso text, tried_at timestamptz,
  tried_hex text, tried_iso text, done_at timestamptz, done_hex text, done_iso text, read_at timestamptz, read_hex text,
  read_iso text)`

/** A thread has the threaded messages of an organization among this number of consecutive ones. */
const threadSpan = 50

/** The newest 0.2 % are pending. A few of the others are scheduled, sent, failed, bounced or read. */
const status = ({ messages }: Shape) => `CASE WHEN threaded AND n % 2 = 1 THEN 'delivered'
  WHEN n > ${messages - Math.max(2, Math.floor(messages / 500))} THEN 'pending' WHEN chance < 0.005 THEN 'scheduled'
  WHEN chance < 0.035 THEN 'failed' WHEN chance < 0.05 THEN 'bounced' WHEN chance < 0.07 THEN 'sent'
  WHEN chance < 0.12 THEN 'read' ELSE 'delivered' END`

const generate = (shape: Shape, first: number, last: number) => {
  const until = `'${shape.until.toISOString()}'::timestamptz`
  // A fraction of the time span: the product of all messages and the span would exceed an interval.
  const timeOf = (n: string) =>
    `date_trunc('milliseconds', ${until} - interval '10 s'
      - (${shape.messages} - ${n})::float8 / ${shape.messages} * interval '${days} days')`
  return /* sql */ `
TRUNCATE generated_messages;
INSERT INTO generated_messages
SELECT n, organization_id, key_id, endpoint_id, sender_id, pg_temp.id_of(hex, '003', pg_temp.tail(place || ' ' || contact)),
  'person' || contact || '@example' || contact % 50 || '.com', pg_temp.id_of(at_hex, '000', tail),
  pg_temp.id_of(at_hex, '001', tail), status, is_inbound, pg_temp.chance(n, 9) < 0.01,
  CASE WHEN threaded THEN pg_temp.id_of(begun_hex, '006', pg_temp.tail(place || ' ' || (n - 1) / ${threadSpan})) END,
  CASE WHEN threaded THEN pg_temp.id_of(begun_hex, '007', pg_temp.tail(place || ' ' || (n - 1) / ${threadSpan})) END,
  tail, at, at_hex, pg_temp.iso(at), tried_at, pg_temp.hex(tried_at), pg_temp.iso(tried_at), done_at, pg_temp.hex(done_at),
  pg_temp.iso(done_at), read_at, pg_temp.hex(read_at), CASE WHEN status = 'read' THEN pg_temp.iso(read_at) END
FROM (SELECT *, ${status(shape)} AS status, threaded AND n % 2 = 1 AS is_inbound, pg_temp.hex(at) AS at_hex,
  pg_temp.tail(n::text) AS tail FROM (
  SELECT n, place, threaded, pg_temp.chance(n, 4) AS chance, id AS organization_id, key_id, endpoint_id, sender_id, hex, begun_hex,
    1 + floor((participants - 1) ^ pg_temp.chance(CASE WHEN threaded THEN (n - 1) / ${threadSpan} ELSE n END, 5))::int
      % (participants - 1) AS contact,
    at, date_trunc('milliseconds', at + pg_temp.chance(n, 6) * interval '400 ms') AS tried_at,
    date_trunc('milliseconds', at + interval '450 ms' + pg_temp.chance(n, 7) ^ 4 * interval '5 s') AS done_at,
    date_trunc('milliseconds', least(${until}, at + interval '6 s' + pg_temp.chance(n, 8) * interval '12 hours')) AS read_at
  FROM (
    SELECT n, pg_temp.chance(n, 3) < 0.1 AS threaded, ${organizationOf(shape, 1)} AS place,
      ${timeOf("n")} AS at, pg_temp.hex(${timeOf(`((n - 1) / ${threadSpan} * ${threadSpan} + 1)`)}) AS begun_hex
    FROM generate_series(${first}::bigint, ${last}::bigint) AS n
  ) AS numbers JOIN generated_organizations AS o USING (place)
) AS timed OFFSET 0) AS named ORDER BY n;`
}

const text = `'this is the message ' || n || ' about your account. It has the length of a short notification with an address '
  || 'and a footer, and nothing else that is worth reading. If you did not expect it, write to us.'`

const subject = `(ARRAY['Invoice','Your order','Welcome','Reminder','Password','Report','Newsletter','Ticket'])[1 + n % 8]
  || ' ' || n`

const messages = /* sql */ `
INSERT INTO messages (organization_id, id, conversation_id, thread_id, from_participant_id, to_participant_ids, channel,
  direction, subject_line, content, addressing, scheduled_at, cost, currency, max_retries, queue_message_id, tags, categories, is_test,
  is_internal, is_automated, external_id, reference_id, api_key_id, http_method, api_request_metadata, created_at)
SELECT organization_id, id, conversation_id, thread_id, CASE WHEN is_inbound THEN contact_id ELSE sender_id END,
  ARRAY[CASE WHEN is_inbound THEN sender_id ELSE contact_id END], 'email',
  CASE WHEN is_inbound THEN 'inbound' ELSE 'outbound' END,
  ${subject}, ('{"subject":"' || ${subject} || '","html":"<p>' || ${text} || '</p>","text":"' || ${text} || '","from":"'
    || CASE WHEN is_inbound THEN contact ELSE 'Hello <hello@localhost.test>' END || '","replyTo":[],"attachments":[]}')::json,
  ('{"messageId":"<' || id || CASE WHEN is_inbound THEN '@example.com>","to":["hello@localhost.test"' ELSE
    '@localhost.test>","to":["' || contact || '"' END || '],"cc":[],"bcc":[],"headers":{},"tags":[]}')::json,
  CASE WHEN status = 'scheduled' THEN at + interval '400 days' END, '0', 'USD', CASE WHEN is_inbound THEN 0 ELSE 8 END,
  CASE WHEN NOT is_inbound THEN queue_id END,
  CASE WHEN NOT is_inbound AND n % 3 = 0 THEN ARRAY['campaign-' || floor(30 ^ pg_temp.chance(n, 10))] ELSE '{}' END,
  CASE WHEN NOT is_inbound AND n % 3 = 0 THEN '{marketing}'::text[] ELSE '{}' END, is_test, false, false,
  CASE WHEN NOT is_inbound AND n % 10 = 0 THEN 'order-' || n END,
  CASE WHEN NOT is_inbound AND n % 10 = 0 THEN 'customer-' || n % 1000 END,
  CASE WHEN NOT is_inbound THEN key_id END, CASE WHEN NOT is_inbound THEN 'POST' END,
  CASE WHEN NOT is_inbound THEN '{"method":"POST","endpoint":"/v1/messages","ipAddress":"192.0.2.10","userAgent":"example/1.0","headers":{"host":"mail.example.com","user-agent":"example/1.0","content-type":"application/json","content-length":"480"},"query":{}}'::json END,
  at FROM generated_messages;

INSERT INTO message_states (organization_id, message_id, status, status_history, deliveries, provider, provider_status,
  provider_response, sent_at, delivered_at, read_at, failed_at, retry_count, max_retries, delivery_attempts, last_error,
  error_details, last_attempt_at, updated_at)
SELECT organization_id, id, status,
  ('[{"status":"' || CASE WHEN is_inbound OR status = 'scheduled' THEN status ELSE 'pending' END || '","timestamp":"' || at_iso
    || '"}' || CASE WHEN is_inbound OR status IN ('pending', 'scheduled') THEN '' ELSE
    ',{"status":"processing","timestamp":"' || tried_iso || '"}' || CASE WHEN succeeded THEN
      ',{"status":"sent","timestamp":"' || done_iso || '"}' || CASE WHEN status = 'sent' THEN '' ELSE
      ',{"status":"delivered","timestamp":"' || done_iso || '"}' END || CASE WHEN status = 'read' THEN
      ',{"status":"read","timestamp":"' || read_iso || '"}' ELSE '' END
    ELSE ',{"status":"' || status || '","timestamp":"' || done_iso || '","reason":"recipient_refused"}' END END || ']')::json,
  ('[{"recipient":"' || CASE WHEN is_inbound THEN 'hello@localhost.test' ELSE contact END || '","status":"'
    || CASE status WHEN 'scheduled' THEN 'pending' WHEN 'read' THEN 'delivered' ELSE status END
    || CASE WHEN succeeded THEN '","smtpCode":250,"response":"250 OK: message queued'
      WHEN failed THEN '","smtpCode":550,"response":"550 5.1.1 No such mailbox here' ELSE '' END
    || '","at":"' || CASE WHEN succeeded OR failed THEN done_iso ELSE at_iso END || '"}]')::json,
  CASE WHEN succeeded OR failed THEN 'smtp' END, CASE WHEN succeeded THEN 'accepted' END,
  CASE WHEN succeeded THEN '{"response":"250 OK: message queued"}'::json END, CASE WHEN succeeded THEN done_at END,
  CASE WHEN is_inbound THEN at WHEN succeeded AND status <> 'sent' THEN done_at END,
  CASE WHEN status = 'read' THEN read_at END, CASE WHEN failed THEN done_at END, 0, CASE WHEN is_inbound THEN 0 ELSE 8 END,
  (succeeded OR failed)::int, CASE WHEN failed THEN '550 5.1.1 No such mailbox here' END,
  CASE WHEN failed THEN '{"code":"recipient_refused","message":"550 5.1.1 No such mailbox here","details":{"smtpCode":550},"retryable":false}'::json END,
  CASE WHEN succeeded OR failed THEN tried_at END,
  CASE WHEN status = 'read' THEN read_at WHEN succeeded OR failed THEN done_at ELSE at END
FROM (SELECT *, NOT is_inbound AND status IN ('sent', 'delivered', 'read') AS succeeded,
  status IN ('failed', 'bounced') AS failed FROM generated_messages) AS g;

INSERT INTO message_participants (organization_id, participant_id, message_id, thread_id)
SELECT organization_id, p, id, thread_id FROM generated_messages CROSS JOIN unnest(ARRAY[sender_id, contact_id]) AS p;

INSERT INTO message_tags (organization_id, tag, message_id)
SELECT g.organization_id, tag, g.id FROM generated_messages AS g
  JOIN messages AS m ON m.organization_id = g.organization_id AND m.id = g.id CROSS JOIN LATERAL unnest(m.tags) AS tag;

INSERT INTO message_queue (organization_id, id, message_id, ready_at, due_since)
SELECT organization_id, queue_id, id, at, at FROM generated_messages WHERE status = 'pending';
INSERT INTO message_waiting (organization_id, id, message_id, due_at, due_since)
SELECT organization_id, queue_id, id, at + interval '400 days', at + interval '400 days' FROM generated_messages
WHERE status = 'scheduled';

UPDATE organization_usage AS u SET messages_kept = messages_kept + g.kept, messages_used = messages_used + g.used,
  email_used = email_used + g.used, messages_used_this_month = messages_used_this_month + g.recent,
  email_used_this_month = email_used_this_month + g.recent
FROM (SELECT organization_id, count(*) AS kept, count(*) FILTER (WHERE counted) AS used,
    count(*) FILTER (WHERE counted AND at >= date_trunc('month', now(), 'UTC')) AS recent
  FROM (SELECT *, NOT is_inbound AND NOT is_test AS counted FROM generated_messages) AS c GROUP BY 1) AS g
WHERE u.organization_id = g.organization_id;`

const threads = /* sql */ `
INSERT INTO inbound_messages (organization_id, message_id, rfc_message_id, in_reply_to, refers_to, headers, size,
  authentication)
SELECT organization_id, id, '<' || id || '@example.com>', '{}', '{}', ('[{"name":"from","value":"' || contact
  || '"},{"name":"to","value":"hello@localhost.test"},{"name":"subject","value":"A message"},{"name":"mime-version","value":"1.0"}]')::json,
  542, '{"spf":"none","dkim":"none","dmarc":"none"}' FROM generated_messages WHERE is_inbound;

INSERT INTO conversations (organization_id, id, title, channels, primary_channel, status, priority, urgency, complexity,
  tags, categories, is_test, is_internal, is_private, started_at, created_at, updated_at)
SELECT DISTINCT ON (organization_id, conversation_id) organization_id, conversation_id, 'Ticket ' || n, '{email}', 'email',
  'active', 2, 'low', 'simple', '{}'::text[], '{}'::text[], false, false, false, at, at, at
FROM generated_messages WHERE thread_id IS NOT NULL ORDER BY organization_id, conversation_id, n;

INSERT INTO threads (organization_id, id, conversation_id, subject, status, created_at, updated_at)
SELECT DISTINCT ON (organization_id, thread_id) organization_id, thread_id, conversation_id, 'Ticket ' || n, 'active', at, at
FROM generated_messages WHERE thread_id IS NOT NULL ORDER BY organization_id, thread_id, n;

INSERT INTO conversation_labels (organization_id, label, conversation_id)
SELECT DISTINCT organization_id, 'channel:email', conversation_id FROM generated_messages WHERE thread_id IS NOT NULL;

INSERT INTO conversation_participants (organization_id, conversation_id, participant_id, joined_at)
SELECT DISTINCT ON (1, 2, 3) organization_id, conversation_id, p, at
FROM generated_messages CROSS JOIN unnest(ARRAY[sender_id, contact_id]) AS p
WHERE conversation_id IS NOT NULL ORDER BY 1, 2, 3, n;

UPDATE organization_usage AS u SET active_threads = (
  SELECT count(*) FROM threads AS t WHERE t.organization_id = u.organization_id);`

/** Statements that insert the messages from `first` to `last` and everything about them. */
export const messageStatements = (shape: Shape, first: number, last: number) =>
  `${generate(shape, first, last)}${messages}${threads}`

/** Text messages: numbers, opt-outs, the events of providers, and the local handset. */
export const Texts = /* sql */ `
-- Numbers and sender ids. Each belongs to one organization. The first one of a channel is the default sender.
CREATE TABLE numbers (
  number text PRIMARY KEY, organization_id uuid NOT NULL REFERENCES organizations (id), channels text[] NOT NULL,
  created_at timestamptz NOT NULL, id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The agent that answers its calls. NULL: the oldest active one.
  voice_agent_id uuid
);
-- The numbers of an organization, oldest first.
CREATE INDEX numbers_organization ON numbers (organization_id, created_at);

-- Phones that opted out of the texts from a number, and phones that opted in again.
CREATE TABLE sms_opt_outs (
  organization_id uuid NOT NULL REFERENCES organizations (id), number text NOT NULL, phone text NOT NULL,
  -- UUIDv7: lists are in its order.
  id uuid NOT NULL,
  -- recipient: the phone sent STOP; api: a request.
  source text NOT NULL,
  created_at timestamptz NOT NULL,
  -- False after START or a removal: the row stays, so that an older STOP that is processed late changes nothing.
  is_active boolean NOT NULL,
  -- UUIDv7 of the arrival of the word, or of the time of the request, that decided last.
  decided_by uuid NOT NULL,
  PRIMARY KEY (organization_id, number, phone)
);
-- Lists of opt-outs, newest first.
CREATE UNIQUE INDEX sms_opt_outs_id ON sms_opt_outs (organization_id, id) WHERE is_active;

-- The provider's ids of sent segments, by which receipts find their message.
CREATE TABLE provider_messages (
  channel text NOT NULL, provider_message_id text NOT NULL, organization_id uuid NOT NULL, message_id uuid NOT NULL,
  recipient text NOT NULL,
  -- Whether a receipt confirmed the segment: a text is delivered when all of its segments are.
  is_delivered boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (channel, provider_message_id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
-- The segments of a message.
CREATE INDEX provider_messages_message ON provider_messages (organization_id, message_id, recipient);
-- Finds ids beyond their retention time.
CREATE INDEX provider_messages_created ON provider_messages USING brin (created_at);

-- Receipts and received texts, stored before the provider gets an acknowledgement; deleted when processed. The
-- organization of a receipt is 00000000-0000-7000-8000-000000000000: only its message has one.
CREATE TABLE provider_events (
  organization_id uuid NOT NULL,
  -- Also the id of the received message, if there is one.
  id uuid NOT NULL, event json NOT NULL,
  -- Channel, phone, number and reference of a part of a concatenated text.
  part_of text,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
-- The parts of a concatenated text.
CREATE INDEX provider_events_part_of ON provider_events (organization_id, part_of) WHERE part_of IS NOT NULL;

-- Texts and WhatsApp messages of the local handset.
CREATE TABLE handset_texts (
  -- Also the provider's id of a text; of a WhatsApp message with the prefix "wamid.".
  id uuid PRIMARY KEY, channel text NOT NULL,
  -- That of the sending number; NULL if no organization has it.
  organization_id uuid, sender text NOT NULL, phone text NOT NULL, text text NOT NULL, encoding text,
  segments integer,
  -- The request that sent a WhatsApp message.
  request json, received_at timestamptz NOT NULL
);
-- An organization's texts, newest first.
CREATE INDEX handset_texts_organization ON handset_texts (organization_id, id);
`

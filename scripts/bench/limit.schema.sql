CREATE TABLE limit_messages (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  channel smallint NOT NULL,
  status smallint NOT NULL DEFAULT 0,
  sender jsonb NOT NULL,
  recipients jsonb NOT NULL,
  subject text,
  html text,
  body text,
  headers jsonb,
  tags text[],
  metadata jsonb,
  reference text,
  idempotency_key text,
  api_key_id uuid,
  provider_message_id text,
  batch_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON limit_messages (organization_id, created_at DESC);
CREATE INDEX ON limit_messages (organization_id, status);
CREATE UNIQUE INDEX ON limit_messages (organization_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX ON limit_messages (organization_id, reference);
CREATE INDEX ON limit_messages (provider_message_id) WHERE provider_message_id IS NOT NULL;
CREATE INDEX ON limit_messages (batch_id, id);

/** Stores the bodies of webhook deliveries. */
export const M0022WebhookBodies = /* sql */ `
-- The body of a delivery's first attempt, which every later attempt repeats. Deleted with the delivery, and with the
-- message that it is about.
CREATE TABLE webhook_bodies (
  organization_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  -- NULL if the body is not about a message, or reports its deletion.
  message_id uuid,
  body text NOT NULL,
  PRIMARY KEY (organization_id, delivery_id),
  FOREIGN KEY (organization_id, delivery_id) REFERENCES webhook_deliveries (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, message_id) REFERENCES messages (organization_id, id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor = 0.05);
-- The bodies that are deleted with a message.
CREATE INDEX webhook_bodies_message ON webhook_bodies (organization_id, message_id) WHERE message_id IS NOT NULL;
`

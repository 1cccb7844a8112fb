/** What an operator has paused. */
export const M0050DeliveryPauses = /* sql */ `
CREATE TABLE delivery_pauses (
  -- A channel, or an organization.
  channel text UNIQUE,
  organization_id uuid UNIQUE REFERENCES organizations ON DELETE CASCADE,
  paused_at timestamptz NOT NULL DEFAULT now(),
  CHECK (num_nonnulls(channel, organization_id) = 1)
);
`

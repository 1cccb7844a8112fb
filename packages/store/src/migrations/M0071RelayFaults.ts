/** The relays that replied out of order, by host and port. */
export const M0071RelayFaults = /* sql */ `
CREATE TABLE relay_faults (
  relay text PRIMARY KEY,
  out_of_order_at timestamptz NOT NULL
);
`

/** Clicks in mail: the tracking of messages and domains, the clicks, and their count. */
export const M0082Clicks = /* sql */ `
ALTER TABLE messages ADD COLUMN track_clicks boolean NOT NULL DEFAULT false;
ALTER TABLE message_states ADD COLUMN clicks json;
-- The upgrade from 0.2.0 makes the table with the column.
ALTER TABLE rollup_messages ADD COLUMN IF NOT EXISTS clicked integer NOT NULL DEFAULT 0;
ALTER TABLE email_domains ADD COLUMN track_opens boolean NOT NULL DEFAULT false,
  ADD COLUMN track_clicks boolean NOT NULL DEFAULT false, ADD COLUMN tracking_domain text,
  ADD COLUMN is_tracking_verified boolean NOT NULL DEFAULT false;
`

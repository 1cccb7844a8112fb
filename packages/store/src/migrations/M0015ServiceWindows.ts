/** WhatsApp customer service windows. */
export const M0015ServiceWindows = /* sql */ `
CREATE TABLE whatsapp_service_windows (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  participant_id uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  -- The free entry point that was activated last.
  entry_point_source text,
  entry_point_expires_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT whatsapp_service_windows_participant_fkey
    FOREIGN KEY (organization_id, participant_id) REFERENCES participants (organization_id, id) ON DELETE CASCADE
);
-- A participant has one window.
CREATE UNIQUE INDEX whatsapp_service_windows_participant_key
  ON whatsapp_service_windows (organization_id, participant_id);

-- Opens or extends a window by 24 hours; it never becomes shorter.
CREATE FUNCTION open_service_window(organization uuid, participant uuid, new_id uuid, at timestamptz)
RETURNS SETOF whatsapp_service_windows LANGUAGE sql AS $$
  INSERT INTO whatsapp_service_windows AS w (organization_id, id, participant_id, expires_at, created_at)
  VALUES (organization, new_id, participant, at + interval '24 hours', at)
  ON CONFLICT (organization_id, participant_id) DO UPDATE SET expires_at = greatest(w.expires_at, excluded.expires_at)
  RETURNING w.*
$$;

-- Storing an inbound WhatsApp message opens the window of its sender in the same transaction. A new window has the
-- message's id, and so sorts by the same time.
CREATE FUNCTION open_window_of_sender() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM open_service_window(NEW.organization_id, NEW.from_participant_id, NEW.id, NEW.created_at);
  RETURN NULL;
END $$;
CREATE TRIGGER messages_service_window AFTER INSERT ON messages FOR EACH ROW
  WHEN (NEW.channel = 'whatsapp' AND NEW.direction = 'inbound') EXECUTE FUNCTION open_window_of_sender();
`

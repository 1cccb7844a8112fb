/**
 * The requests of keys by operation and status, in all hours: a total does not sum the hours. A trigger maintains them,
 * since processes of an earlier release count requests too.
 */
export const M0070KeyTotals = /* sql */ `
CREATE TABLE api_key_totals (
  organization_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  status integer NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (organization_id, api_key_id, method, route, status)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

CREATE FUNCTION add_to_key_totals() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change bigint := NEW.requests - coalesce(OLD.requests, 0);
BEGIN
  INSERT INTO api_key_totals AS t (organization_id, api_key_id, method, route, status, requests)
  VALUES (NEW.organization_id, NEW.api_key_id, NEW.method, NEW.route, NEW.status, change)
  ON CONFLICT (organization_id, api_key_id, method, route, status)
    DO UPDATE SET requests = t.requests + excluded.requests;
  IF change < 0 THEN
    DELETE FROM api_key_totals WHERE organization_id = NEW.organization_id AND api_key_id = NEW.api_key_id
      AND method = NEW.method AND route = NEW.route AND status = NEW.status AND requests = 0;
  END IF;
  RETURN NULL;
END $$;
-- For each row: a statement that inserts some hours and updates others locks the totals in the order of its rows. With
-- triggers for statements it would lock those of inserted rows first.
CREATE TRIGGER api_key_usage_totals AFTER INSERT OR UPDATE ON api_key_usage
  FOR EACH ROW EXECUTE FUNCTION add_to_key_totals();

INSERT INTO api_key_totals
SELECT organization_id, api_key_id, method, route, status, sum(requests) FROM api_key_usage
GROUP BY 1, 2, 3, 4, 5 HAVING sum(requests) > 0;
`

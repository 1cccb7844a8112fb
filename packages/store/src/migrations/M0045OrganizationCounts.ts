const tables = ["participants", "conversations"]

/** Counts the rows of a table that a statement inserts or deletes. */
const trigger = (table: string, event: "INSERT" | "DELETE") => /* sql */ `
CREATE FUNCTION count_${event.toLowerCase()}_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO organization_count_changes (organization_id, ${table})
  SELECT organization_id, ${event === "INSERT" ? "" : "-"}count(*) FROM changed GROUP BY organization_id;
  RETURN NULL;
END $$;
CREATE TRIGGER ${table}_count_${event.toLowerCase()} AFTER ${event} ON ${table}
  REFERENCING ${event === "INSERT" ? "NEW" : "OLD"} TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_${event.toLowerCase()}_${table}();
`

/** The numbers of participants and conversations of each organization. */
export const M0045OrganizationCounts = /* sql */ `
CREATE TABLE organization_counts (
  organization_id uuid PRIMARY KEY,
  participants bigint NOT NULL,
  conversations bigint NOT NULL
) WITH (fillfactor = 50);

-- The newest changes of the counts. Every statement inserts its own row, so that no transaction waits for another. A job
-- merges them into the counts every few seconds. Narrow, with a high turnover: vacuumed early.
CREATE TABLE organization_count_changes (
  organization_id uuid NOT NULL,
  participants bigint NOT NULL DEFAULT 0,
  conversations bigint NOT NULL DEFAULT 0
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
-- Reads of an organization's counts include the changes that are not merged yet.
CREATE INDEX organization_count_changes_organization ON organization_count_changes (organization_id);
${tables.flatMap((table) => [trigger(table, "INSERT"), trigger(table, "DELETE")]).join("")}`

/** PL/pgSQL: locks tables for a change of the catalog. Statements wait for each lock at most 100 ms at a time. */
export const lockTables = (...tables: ReadonlyArray<string>) => /* sql */ `
  LOOP
    BEGIN
      SET LOCAL lock_timeout = '100ms';
      LOCK TABLE ${tables.join(", ")} IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      PERFORM pg_sleep(0.5);
    END;
  END LOOP;
  SET LOCAL lock_timeout = 0;`

/**
 * Makes a table a partition, for all ids, of a partitioned table with its name and triggers, and with the columns and
 * indexes of `form`. Changes only the catalog: no row is read or moved.
 */
export const partitionById = (table: string, id: string, form = table) => /* sql */ `
DO $$
DECLARE
  definitions text[];
  definition text;
  trigger_name name;
BEGIN${lockTables(table)}
  definitions := ARRAY(SELECT pg_get_triggerdef(oid) FROM pg_trigger
    WHERE tgrelid = '${table}'::regclass AND NOT tgisinternal ORDER BY tgname);
  FOR trigger_name IN SELECT tgname FROM pg_trigger WHERE tgrelid = '${table}'::regclass AND NOT tgisinternal LOOP
    EXECUTE format('DROP TRIGGER %I ON ${table}', trigger_name);
  END LOOP;
  CREATE TABLE ${table}_partitioned (LIKE ${form} INCLUDING ALL) PARTITION BY RANGE (${id});
  ALTER TABLE ${table} RENAME TO ${table}_open;
  ALTER TABLE ${table}_partitioned RENAME TO ${table};
  ALTER TABLE ${table} ATTACH PARTITION ${table}_open FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
  FOREACH definition IN ARRAY definitions LOOP
    EXECUTE definition;
  END LOOP;
END $$;
`

/**
 * Skips the deletions of expired rows by the previous release, which finds them by `ctid`: it is unique only in a
 * partition, so they would delete other rows. Requires the function `skip_row`.
 */
export const skipDeletionsByCtid = (table: string) => /* sql */ `
CREATE TRIGGER ${table}_by_ctid BEFORE DELETE ON ${table} FOR EACH ROW
  WHEN (current_query() LIKE '%DELETE FROM ${table} WHERE ctid%') EXECUTE FUNCTION skip_row();
`

/** Rows that one statement merges. */
export const mergeBatch = 2_000

/** Stored sums per key, and the table with their newest changes, which has the same columns. */
interface StoredSums {
  readonly table: string
  readonly changes: string
  readonly key: ReadonlyArray<string>
  readonly sums: ReadonlyArray<string>
}

/**
 * Merges the newest changes into stored sums. Every transaction inserts its own changes, so that no row is changed by
 * all. Rows that another worker has locked are skipped.
 */
export const mergeStatement = ({ changes, key, sums, table }: StoredSums) => /* sql */ `
WITH deleted AS (
  DELETE FROM ${changes} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${changes} LIMIT ${mergeBatch} FOR UPDATE SKIP LOCKED
  )) RETURNING *
), merged AS (
  INSERT INTO ${table} AS t (${[...key, ...sums].join(", ")})
  SELECT ${[...key, ...sums.map((column) => `sum(${column})`)].join(", ")} FROM deleted
  -- The same lock order in all workers: no deadlock.
  GROUP BY ${key.join(", ")} ORDER BY ${key.join(", ")}
  ON CONFLICT (${key.join(", ")}) DO UPDATE SET
    ${sums.map((column) => `${column} = t.${column} + excluded.${column}`).join(", ")}
)
SELECT count(*)::int AS count FROM deleted`

import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { IncompatibleSchemaError } from "@switchboard/store/migrations/ApplyMigrations"
import { migrate, schemaState } from "@switchboard/store/migrations/Migrations"
import { Effect } from "effect"
import { OwnDatabase } from "../TestDatabase.js"
import { restore020 } from "./Fixtures.js"

/** SQL: a text without comments, and with spaces alone between its words. */
const words = (text: string) => `regexp_replace(regexp_replace(${text}, '--[^\\n]*', '', 'g'), '\\s+', ' ', 'g')`

/**
 * SQL: a line for each object of the schema, without the order of columns and the indexes of partitions, which have other
 * names. A database that was upgraded keeps indexes of its first partitions.
 */
const schemaLines = /* sql */ `
WITH tables AS (
  SELECT * FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
)
SELECT line FROM (
  SELECT concat_ws(' ', relkind, relname, pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid),
    (SELECT string_agg(option, ' ' ORDER BY option) FROM unnest(reloptions) AS option),
    (SELECT inhparent::regclass FROM pg_inherits WHERE inhrelid = tables.oid)) FROM tables
  UNION ALL SELECT concat_ws(' ', relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
    attgenerated, attstorage, pg_get_expr(adbin, adrelid))
  FROM tables JOIN pg_attribute ON attrelid = tables.oid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attnum > 0 AND NOT attisdropped
  UNION ALL SELECT concat_ws(' ', relname, conname, pg_get_constraintdef(c.oid))
  FROM tables JOIN pg_constraint AS c ON conrelid = tables.oid WHERE NOT relispartition AND contype <> 'n'
  UNION ALL SELECT concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid)
  FROM tables JOIN pg_index ON indrelid = tables.oid WHERE NOT relispartition
  UNION ALL SELECT pg_get_triggerdef(t.oid) FROM tables JOIN pg_trigger AS t ON tgrelid = tables.oid WHERE tgparentid = 0
    AND NOT tgisinternal
  UNION ALL SELECT ${words("pg_get_functiondef(p.oid)")} FROM pg_proc AS p
  WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e')
  UNION ALL SELECT concat_ws(' ', relkind, relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace
    AND relkind NOT IN ('r', 'p', 'i', 'I')
  UNION ALL SELECT concat_ws(' ', 'extension', extname) FROM pg_extension
) AS lines (line) ORDER BY line COLLATE "C"`

const readSchema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql.unsafe<{ line: string }>(schemaLines)).map(({ line }) => line)
})

layer(OwnDatabase, { excludeTestServices: true })("Upgrades", (it) => {
  it.effect("from 0.2.0 make the schema that an empty database gets", () =>
    Effect.gen(function* () {
      const baseline = yield* readSchema
      assert.isAbove(baseline.length, 1000)
      yield* restore020
      assert.notDeepEqual(yield* readSchema, baseline)
      assert.deepStrictEqual(yield* migrate, ["0.3.0"])
      assert.deepStrictEqual(yield* readSchema, baseline)
      assert.deepStrictEqual(yield* schemaState, { pending: [], refusal: null, isEmpty: false })
      assert.deepStrictEqual(yield* migrate, [])
    })
  )

  it.effect("from releases before 0.2.0 are refused", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* restore020
      yield* sql`DELETE FROM switchboard_migrations WHERE id > 75`
      const before = yield* readSchema
      const error = yield* Effect.flip(migrate)
      assert.instanceOf(error, IncompatibleSchemaError)
      assert.strictEqual(error.message, "Upgrade to 0.2.0 first: the database has migration 75, which is older than 76")
      assert.strictEqual((yield* schemaState).refusal, error.message)
      assert.deepStrictEqual(yield* readSchema, before)
    })
  )
})

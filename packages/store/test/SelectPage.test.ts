import { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { assert, layer } from "@effect/vitest"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Cursor, maxCounted, type Page, pageRequest } from "@switchboard/domain/Page"
import { newUuid } from "@switchboard/services/NewId"
import { RequestDeadline, requestDeadline, requestTimeout } from "@switchboard/services/RequestDeadline"
import { containsText, findsText, searchKey } from "@switchboard/store/ContainsText"
import { alsoMatches, everyMessage, messageConditions } from "@switchboard/store/messages/MessageFilters"
import { searched } from "@switchboard/store/SearchIds"
import { selectPage, type Tests } from "@switchboard/store/SelectPage"
import { Effect, Fiber, TestClock } from "effect"
import { explainReads } from "./lists/ExplainReads.js"
import { SharedDatabase } from "./TestDatabase.js"

const Live = SharedDatabase

interface NumberRow {
  readonly id: string
  readonly number: number
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => newUuid(1_700_000_000_000 + index))

const insert = Effect.fnUntraced(function* (rows: ReadonlyArray<string>, group = "a") {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE IF NOT EXISTS numbers (place int GENERATED ALWAYS AS IDENTITY, id uuid PRIMARY KEY, owner text)`
  yield* sql`INSERT INTO numbers (id, owner) SELECT id, ${group} FROM unnest(${rows}::uuid[]) AS id`
})

const list = Effect.fnUntraced(function* (params: Parameters<typeof pageRequest>[0], oldestFirst = false, group = "a") {
  const sql = yield* SqlClient.SqlClient
  return yield* selectPage(sql, pageRequest(params), {
    columns: "n.id, n.place AS number",
    tables: "numbers AS n",
    where: [sql`n.owner = ${group}`],
    id: "n.id",
    oldestFirst,
    read: ({ id }: NumberRow) => id
  })
})

/** The items of all pages from a cursor on; calls `between` before each next page. */
const walk = Effect.fnUntraced(function* (
  oldestFirst: boolean,
  between: Effect.Effect<void, unknown, SqlClient.SqlClient>
) {
  const found: Array<string> = []
  let after: Cursor | undefined
  let page: Page<string>
  do {
    page = yield* list({ limit: 3, after }, oldestFirst)
    found.push(...page.items)
    after = page.next ?? undefined
    yield* between
  } while (page.next !== null)
  return found
})

/** Inserts 24,500 rows. Returns the first and the last one of the list, and those around the end of the first window. */
const insertMany = Effect.fnUntraced(function* (group: string) {
  const rows = ids(24_500)
  yield* insert(rows, group)
  return [24_499, 23_500, 23_499, 0].map((index) => rows[index] ?? "")
})

/** A list of a group's rows, of which only some pass a test. */
const tested = Effect.fnUntraced(function* (
  matches: ReadonlyArray<string>,
  params: Parameters<typeof pageRequest>[0],
  group: string
) {
  const sql = yield* SqlClient.SqlClient
  return yield* selectPage(sql, pageRequest(params), {
    columns: "n.id",
    tables: "numbers AS n",
    where: [sql`n.owner = ${group}`],
    tests: { where: [sql`n.id = ANY (${matches}::uuid[])`] },
    id: "n.id",
    read: ({ id }: { readonly id: string }) => id
  })
})

layer(Live)("selectPage", (it) => {
  it.effect("continues after the last item while rows are inserted", () =>
    Effect.gen(function* () {
      const first = ids(10)
      yield* insert(first)
      const newest = first.toReversed()
      const insertNewest = Effect.suspend(() => insert([newUuid(1_800_000_000_000)]))
      assert.deepStrictEqual(yield* walk(false, insertNewest), newest)
      assert.deepStrictEqual((yield* walk(true, Effect.void)).slice(0, 10), first)
    })
  )

  it.effect("finds the same items by page number and by cursor", () =>
    Effect.gen(function* () {
      yield* insert(ids(7), "b")
      const page = (params: Parameters<typeof pageRequest>[0]) => list(params, false, "b")
      const first = yield* page({ limit: 3 })
      assert.deepStrictEqual(first.pagination, { page: 1, limit: 3, total: 7, totalPages: 3 })
      assert.deepStrictEqual(
        yield* page({ limit: 3, after: first.next ?? undefined }),
        yield* page({ limit: 3, page: 2 })
      )
      const last = yield* page({ limit: 3, page: 3 })
      assert.deepStrictEqual([last.items.length, last.next], [1, null])
      assert.isNull((yield* page({ limit: 7 })).next)
      assert.deepInclude(yield* page({ limit: 3, page: 4 }), { items: [], next: null })
      assert.deepInclude(yield* list({}, false, "none"), { items: [], next: null, isTotalEstimated: false })
    })
  )

  it.effect("estimates the total above the maximum that is counted", () =>
    Effect.gen(function* () {
      const totals = (params: Parameters<typeof pageRequest>[0]) =>
        Effect.map(list(params, false, "c"), ({ isTotalEstimated, items, pagination }) => [
          items.length,
          pagination.total,
          isTotalEstimated
        ])
      yield* insert(ids(maxCounted), "c")
      assert.deepStrictEqual(yield* totals({}), [20, maxCounted, false])
      yield* insert(ids(150), "c")
      assert.deepStrictEqual(yield* totals({}), [20, maxCounted, true])
      assert.deepStrictEqual(yield* totals({ page: 101, limit: 100 }), [100, maxCounted + 101, true])
      assert.deepStrictEqual(yield* totals({ page: 102, limit: 100 }), [50, maxCounted + 150, false])
    })
  )

  it.effect("reads a stored total with the page", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* insert(ids(3), "d")
      const stored = (params: Parameters<typeof pageRequest>[0], group: string) =>
        selectPage(sql, pageRequest(params), {
          columns: "n.id, n.place AS number",
          tables: "numbers AS n",
          where: [sql`n.owner = ${group}`],
          id: "n.id",
          read: ({ id }: NumberRow) => id,
          total: sql`${maxCounted + 5}::int`
        })
      const first = yield* stored({ limit: 2 }, "d")
      assert.deepStrictEqual(
        [first.items.length, first.pagination.total, first.isTotalEstimated],
        [2, maxCounted + 5, false]
      )
      assert.strictEqual((yield* stored({ limit: 2, after: first.next ?? undefined }, "d")).items.length, 1)
      assert.strictEqual((yield* stored({ limit: 2, page: 9 }, "d")).pagination.total, maxCounted + 5)
      // The rows of a list that ends here are its total.
      assert.strictEqual((yield* stored({ limit: 3 }, "d")).pagination.total, 3)
      assert.strictEqual((yield* stored({}, "none")).pagination.total, 0)
    })
  )

  it.effect("tests rows until the page is complete", () =>
    Effect.gen(function* () {
      const matches = yield* insertMany("e")
      const page = (params: Parameters<typeof pageRequest>[0]) => tested(matches, params, "e")
      const first = yield* page({ limit: 2 })
      assert.deepStrictEqual(first.items, matches.slice(0, 2))
      assert.deepStrictEqual([first.pagination.total, first.isTotalEstimated], [4, false])
      const second = yield* page({ limit: 2, after: first.next ?? undefined })
      assert.deepStrictEqual([second.items, second.next], [matches.slice(2), null])
      assert.deepStrictEqual((yield* page({ limit: 2, page: 2 })).items, matches.slice(2))
      assert.deepInclude(yield* page({ limit: 5 }), { items: matches, next: null, isTotalEstimated: false })
      assert.deepInclude(yield* page({ limit: 2, page: 3 }), { items: [], next: null })
    })
  )

  it.effect("tests a text in the order of the list, without its index, and other conditions with theirs", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE words (id uuid PRIMARY KEY, word text)`
      yield* sql`INSERT INTO words SELECT id, 'word ' || number
        FROM unnest(${ids(20_000)}::uuid[]) WITH ORDINALITY AS r(id, number)`
      yield* sql`CREATE INDEX words_searched ON words USING gin (${sql.literal(searchKey("word"))} gin_trgm_ops)`
      yield* sql`VACUUM (ANALYZE) words`
      const plans = (tests: { readonly where: ReadonlyArray<Fragment>; readonly tests?: Tests }) =>
        Effect.map(
          explainReads(
            selectPage(sql, pageRequest({}), {
              columns: "w.id",
              tables: "words AS w",
              id: "w.id",
              read: ({ id }: { readonly id: string }) => id,
              ...tests
            })
          ),
          (statements) => statements.map(({ plan }) => plan).join("\n")
        )
      const found = [findsText(sql, "word 19500", ["w.word"])]
      assert.include(yield* plans({ where: found }), "words_searched")
      const tested = [containsText(sql, "word 19500", ["w.word"])]
      assert.notInclude(yield* plans({ where: [], tests: { where: tested } }), "words_searched")
      assert.include(yield* plans({ where: [], tests: { where: found } }), "words_searched")
    })
  )

  it.effect("tests a search with many matches without its index", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organization = OrganizationId.make(newUuid(1_700_000_000_000))
      const test = containsText(sql, "word", ["w.word"])
      const select = sql`SELECT id FROM (SELECT 'word ' || n AS word, gen_random_uuid() AS id
        FROM generate_series(1, ${maxCounted + 1}) AS n) AS w WHERE ${test}`
      const { tests } = yield* searched(sql, "w.id", { select, tests: { where: [test] } })
      const subjects = messageConditions(sql, organization, { search: "word" }).map((condition) =>
        alsoMatches(sql, organization, condition, everyMessage(sql), [])
      )
      const texts = [...(tests?.where ?? []), ...subjects].map((condition) => sql`${condition}`.compile()[0])
      assert.lengthOf(texts, 2)
      for (const text of texts) assert.notInclude(text, "search_key")
    })
  )

  it.effect("ends a page after some time, and continues behind the rows that are tested", () =>
    Effect.gen(function* () {
      const matches = yield* insertMany("f")
      const pages: Array<Page<string>> = []
      do {
        const after = pages.at(-1)?.next ?? undefined
        pages.push(
          yield* tested(matches, { limit: 3, after }, "f").pipe(Effect.locally(requestDeadline, new RequestDeadline(0)))
        )
      } while (pages.at(-1)?.next !== null)
      // The time is over after the first window of each page, of 1,000 rows.
      assert.deepStrictEqual([pages.length, pages.flatMap(({ items }) => items)], [25, matches])
      const [first] = pages
      assert.deepStrictEqual([first?.items.length, first?.pagination.total], [2, maxCounted])
      assert.deepStrictEqual([first?.isTotalEstimated, pages.at(-1)?.items.length], [true, 1])
    })
  )

  it.effect("fails if the page is too far, and points to the Link header", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const request = Effect.fork(
        selectPage(
          sql,
          { page: 101, limit: 100 },
          {
            columns: "n.id, n.place AS number",
            tables: "numbers AS n",
            where: [sql`pg_sleep(600) IS NOT NULL`],
            id: "n.id",
            read: ({ id }: NumberRow) => id
          }
        )
      )
      const fiber = yield* request
      yield* TestClock.adjust(requestTimeout)
      const error = yield* Effect.flip(Fiber.join(fiber))
      assert.strictEqual(error._tag, "BadRequestError")
      assert.include(error.message, "Link")
    })
  )
})

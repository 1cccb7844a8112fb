import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { type Cursor, maxCounted, type Page, pageRequest } from "@switchboard/domain/Page"
import { newUuid } from "@switchboard/services/NewId"
import { RequestDeadline, requestDeadline, requestTimeout } from "@switchboard/services/RequestDeadline"
import { containsText, findsText, searchKey } from "@switchboard/store/Filters"
import { selectPage } from "@switchboard/store/Lists"
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
  yield* sql`CREATE TABLE IF NOT EXISTS listed (place int GENERATED ALWAYS AS IDENTITY, id uuid PRIMARY KEY, owner text)`
  yield* sql`INSERT INTO listed (id, owner) SELECT id, ${group} FROM unnest(${rows}::uuid[]) AS id`
})

const list = Effect.fnUntraced(function* (params: Parameters<typeof pageRequest>[0], oldestFirst = false, group = "a") {
  const sql = yield* SqlClient.SqlClient
  return yield* selectPage(sql, pageRequest(params), {
    columns: "n.id, n.place AS number",
    tables: "listed AS n",
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

/** A list of a group's rows, of which only some pass a test. With `isFrequent`, an index finds more than are counted. */
const tested = Effect.fnUntraced(function* (
  matches: ReadonlyArray<string>,
  params: Parameters<typeof pageRequest>[0],
  group: string,
  isFrequent = false
) {
  const sql = yield* SqlClient.SqlClient
  return yield* selectPage(sql, pageRequest(params), {
    columns: "n.id",
    tables: "listed AS n",
    where: [sql`n.owner = ${group}`],
    tests: { where: [sql`n.id = ANY (${matches}::uuid[])`], indexed: isFrequent ? [sql`true`] : undefined },
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
          tables: "listed AS n",
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

  it.effect("finds the matches of tests, or tests rows until the page is complete", () =>
    Effect.gen(function* () {
      const matches = yield* insertMany("e")
      const page = (params: Parameters<typeof pageRequest>[0]) => tested(matches, params, "e")
      const frequent = (params: Parameters<typeof pageRequest>[0]) => tested(matches, params, "e", true)
      const first = yield* page({ limit: 2 })
      assert.deepStrictEqual(first.items, matches.slice(0, 2))
      assert.deepStrictEqual([first.pagination.total, first.isTotalEstimated], [4, false])
      const second = yield* page({ limit: 2, after: first.next ?? undefined })
      assert.deepStrictEqual([second.items, second.next], [matches.slice(2), null])
      assert.deepStrictEqual((yield* page({ limit: 2, page: 2 })).items, matches.slice(2))
      assert.deepInclude(yield* page({ limit: 5 }), { items: matches, next: null, isTotalEstimated: false })
      assert.deepInclude(yield* page({ limit: 2, page: 3 }), { items: [], next: null })
      const estimated = yield* frequent({ limit: 2 })
      assert.deepStrictEqual([estimated.items, estimated.next], [first.items, first.next])
      assert.deepStrictEqual([estimated.pagination.total, estimated.isTotalEstimated], [maxCounted, true])
      assert.deepStrictEqual((yield* frequent({ limit: 2, page: 2 })).items, matches.slice(2))
      assert.deepStrictEqual(yield* frequent({ limit: 5 }), yield* page({ limit: 5 }))
      assert.deepInclude(yield* frequent({ limit: 2, page: 3 }), { items: [], next: null })
    })
  )

  it.effect("finds a text by its index, and tests it without the index if it has many matches", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE words (id uuid PRIMARY KEY, word text)`
      yield* sql`INSERT INTO words SELECT id, 'word ' || number
        FROM unnest(${ids(20_000)}::uuid[]) WITH ORDINALITY AS r(id, number)`
      yield* sql`CREATE INDEX words_searched ON words USING gin (${sql.literal(searchKey("word"))} gin_trgm_ops)`
      yield* sql`VACUUM (ANALYZE) words`
      const plans = (search: string) =>
        Effect.map(
          explainReads(
            selectPage(sql, pageRequest({}), {
              columns: "w.id",
              tables: "words AS w",
              where: [sql`true`],
              tests: {
                where: [containsText(sql, search, ["w.word"])],
                indexed: [findsText(sql, search, ["w.word"])]
              },
              id: "w.id",
              read: ({ id }: { readonly id: string }) => id
            })
          ),
          (statements) => statements.map(({ plan }) => plan)
        )
      const [search, page, ...others] = yield* plans("word 19500")
      assert.include(search, "words_searched")
      assert.include(page, "words_pkey")
      assert.isEmpty(others)
      const [, ...tests] = yield* plans("word")
      assert.isNotEmpty(tests)
      assert.notInclude(tests.join(), "words_searched")
    })
  )

  it.effect("ends a page after some time, and continues behind the rows that are tested", () =>
    Effect.gen(function* () {
      const matches = yield* insertMany("f")
      const pages: Array<Page<string>> = []
      do {
        const after = pages.at(-1)?.next ?? undefined
        pages.push(
          yield* tested(matches, { limit: 3, after }, "f", true).pipe(
            Effect.locally(requestDeadline, new RequestDeadline(0))
          )
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
            tables: "listed AS n",
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

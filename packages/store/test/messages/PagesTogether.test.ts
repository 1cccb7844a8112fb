import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { pageRequest } from "@switchboard/domain/Page"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Array, Effect } from "effect"
import { StoreLive } from "../StoreLive.js"
import { makeOrganization } from "./Fixtures.js"
import { accept } from "./QueueFixtures.js"

layer(StoreLive, { excludeTestServices: true })("Pages that are read together", (it) => {
  it.effect("are those of each request, of its own organization", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const sql = yield* SqlClient.SqlClient
      const organizations = yield* Effect.replicateEffect(makeOrganization(), 2)
      yield* Effect.forEach(organizations, (one) => accept(one, 45))
      const requests = [
        ...Array.makeBy(6, (index) => ({ page: index + 1, limit: 10 })),
        ...Array.makeBy(4, (index) => ({ page: index + 1, limit: 15 })),
        { limit: 1 },
        { limit: 45 },
        { limit: 100 }
      ]
      for (const organization of organizations) {
        const stored = (yield* sql<{ id: string }>`SELECT id FROM messages WHERE organization_id = ${organization}
          ORDER BY id DESC`).map(({ id }) => id)
        const pages = yield* Effect.forEach(
          [...requests, ...Array.makeBy(44, (index) => ({ limit: 4, after: { id: stored[index] ?? "", page: 2 } }))],
          (params) => Effect.map(repo.list(organization, {}, pageRequest(params)), (found) => ({ params, found })),
          { concurrency: "unbounded" }
        )
        for (const { found, params } of pages) {
          const { after, limit, page } = pageRequest(params)
          const start = after === undefined ? (page - 1) * limit : stored.indexOf(after) + 1
          const shown = stored.slice(start, start + limit)
          assert.deepStrictEqual(
            found.items.map(({ id }) => String(id)),
            shown
          )
          assert.deepStrictEqual(found.pagination, { page, limit, total: 45, totalPages: Math.ceil(45 / limit) })
          const next = start + limit < 45 ? { id: shown.at(-1), page: page + 1 } : null
          assert.deepStrictEqual<unknown>(found.next, next)
          assert.isFalse(found.isTotalEstimated)
        }
      }
    })
  )

  it.effect("of an organization without messages are empty", () =>
    Effect.gen(function* () {
      const { items, next, pagination } = yield* (yield* MessageRepo).list(
        yield* makeOrganization(),
        {},
        pageRequest({})
      )
      assert.deepStrictEqual([items, next, pagination.total], [[], null, 0])
    })
  )
})

import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { findReplays } from "@switchboard/store/messages/accept/FindReplays"
import { allMessages, readPages } from "@switchboard/store/messages/MessageLists"
import { Effect } from "effect"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"
import { accept, OwnLive } from "../messages/QueueFixtures.js"
import { explainReads } from "./ExplainReads.js"

/** An organization with 500 messages. */
const withMessages = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE messages SET (autovacuum_enabled = off)`
  yield* sql`ALTER TABLE message_states SET (autovacuum_enabled = off)`
  const own = yield* makeOrganization()
  yield* accept(own, 500)
  return own
})

layer(OwnLive, { excludeTestServices: true })("Before the first ANALYZE of its tables", (it) => {
  it.effect("a list joins only the rows of its page", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* withMessages
      const [page] = yield* explainReads(
        readPages(sql, allMessages)(own)([{ key: own, request: { page: 1, limit: 20 } }])
      )
      // A list that joins all messages reads about 1,100.
      assert.isAtMost(page?.buffers ?? Number.POSITIVE_INFINITY, 700, page?.plan)
    })
  )

  it.effect("the search for an earlier message reads no others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* withMessages
      const { identity } = yield* newMessage(own, { key: "once" })
      const [search] = yield* explainReads(findReplays(sql)([{ identity, organization: own }]))
      assert.isAtMost(search?.buffers ?? Number.POSITIVE_INFINITY, 30, search?.plan)
    })
  )
})

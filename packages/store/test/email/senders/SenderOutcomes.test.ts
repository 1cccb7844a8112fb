import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { SenderOutcomes } from "@switchboard/domain/email/senders/Reputation"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { senderOutcomes } from "@switchboard/store/email/senders/SenderOutcomes"
import { Array, DateTime, Effect, Schema } from "effect"
import { receive } from "../../analytics/RandomEvents.js"
import { makeOrganization } from "../../messages/Fixtures.js"
import { accept } from "../../messages/QueueFixtures.js"
import { OwnStoreLive } from "../../StoreLive.js"

const statuses = ["queued", "failed", "sent", "delivered", "read", "bounced", "complained"]

/**
 * Gives each message of an organization another status, by its id and the round. Locks the messages in the order of
 * their ids, since concurrent statements would otherwise end in a deadlock.
 */
const changeStatuses = (organization: OrganizationId, round: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE message_states AS s
      SET status = (${statuses}::text[])[1 + (get_byte(uuid_send(s.message_id), 15) + ${round}) % ${statuses.length}]
      FROM (SELECT message_id FROM message_states WHERE organization_id = ${organization}
        ORDER BY message_id FOR UPDATE) AS locked
      WHERE s.organization_id = ${organization} AND s.message_id = locked.message_id`
  )

/** Compares the outcomes of the sender of an organization with a recount. */
const assertRecount = (organization: OrganizationId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ address: string }>`SELECT address FROM participant_addresses AS a
      JOIN messages AS m ON m.organization_id = a.organization_id AND m.from_participant_id = a.participant_id
      WHERE m.organization_id = ${organization} AND m.direction = 'outbound' LIMIT 1`
    const address = Schema.decodeUnknownSync(EmailAddress)(row?.address)
    const since = DateTime.subtract(yield* DateTime.now, { days: 30 })
    const outcomes = yield* senderOutcomes(sql, organization, [address], since)
    const [counted] = yield* sql<SenderOutcomes>`SELECT
        count(*) FILTER (WHERE status IN ('sent', 'delivered', 'read', 'bounced', 'complained'))::float8 AS sent,
        count(*) FILTER (WHERE status = 'bounced')::float8 AS bounced,
        count(*) FILTER (WHERE status = 'complained')::float8 AS complained
      FROM messages AS m JOIN message_states AS s ON s.organization_id = m.organization_id AND s.message_id = m.id
      WHERE m.organization_id = ${organization} AND m.direction = 'outbound'`
    assert.deepStrictEqual(outcomes.get(address), counted)
  })

layer(OwnStoreLive, { excludeTestServices: true })("The outcomes of a sender's messages", (it) => {
  it.effect("equal a recount while statuses change and counts are merged", () =>
    Effect.gen(function* () {
      const { mergeCounts } = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      yield* accept(own, 40)
      yield* receive(own, null)
      for (const round of [0, 1, 2]) {
        yield* changeStatuses(own, round)
        yield* assertRecount(own)
        yield* mergeCounts
        yield* assertRecount(own)
      }
      yield* Effect.all(Array.makeBy(10, (round) => [changeStatuses(own, round), mergeCounts]).flat(), {
        concurrency: 4
      })
      yield* assertRecount(own)
    })
  )
})

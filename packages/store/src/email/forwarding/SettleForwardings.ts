import type { SqlClient } from "@effect/sql"
import type { ForwardOutcome, TakenForwarding } from "@switchboard/services/email/forwarding/ForwardingQueue"
import { Duration, Effect } from "effect"
import { settledLease } from "../../queues/Leases.js"
import { countHits } from "../blocks/CountHits.js"
import { failForwardings } from "./FailForwardings.js"
import { forwardingLeases } from "./ForwardingLeases.js"

/** When it is tried again to tell of a failure, while somebody looks at the mail. */
const untilLookedAt = Duration.seconds(1)

const forwardedStatement = /* sql */ `
UPDATE forwardings AS f SET status = 'forwarded', settled_at = now()
FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid)
WHERE f.organization_id = g.organization_id AND f.id = g.id AND f.status = 'waiting'`

const goneStatement = /* sql */ `
DELETE FROM forwarding_queue AS q USING json_to_recordset($1::json) AS g(organization_id uuid, id uuid)
WHERE q.organization_id = g.organization_id AND q.id = g.id`

/** Not leased until it is tried again. */
const laterStatement = /* sql */ `
UPDATE forwarding_queue AS q SET ${settledLease}, lease_until = now() + make_interval(secs => g.seconds)
FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid, seconds float8)
WHERE q.organization_id = g.organization_id AND q.id = g.id`

/** Stores how attempts ended. To be run in a transaction. */
export const settleForwardings = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  worker: string,
  ended: ReadonlyArray<{ readonly taken: TakenForwarding; readonly outcome: ForwardOutcome }>
) {
  const keyOf = ({ id, organizationId }: TakenForwarding) => ({ organization_id: organizationId, id })
  const write = (statement: string, rows: ReadonlyArray<object>) =>
    rows.length === 0 ? Effect.void : sql.unsafe(statement, [JSON.stringify(rows)])

  const held = yield* forwardingLeases.lock(
    sql,
    worker,
    ended.map(({ taken }) => taken)
  )
  const own = ended.filter(({ taken }) => held.has(taken.id))
  const forwarded = own.flatMap(({ outcome, taken }) => (outcome._tag === "Forwarded" ? [keyOf(taken)] : []))
  const failures = own.flatMap(({ outcome, taken }) =>
    outcome._tag === "Failed" || outcome._tag === "Blocked" ? [{ ...keyOf(taken), error: outcome.error }] : []
  )
  const stored = failures.length === 0 ? new Set<string>() : yield* failForwardings(sql, failures)
  const hits = own.flatMap(({ outcome, taken: { forwardTo: email, id, mailId: messageId, organizationId } }) =>
    outcome._tag === "Blocked" && stored.has(id)
      ? [{ organizationId, blockId: outcome.blockId, category: undefined, email, messageId }]
      : []
  )
  yield* countHits(sql, hits)
  yield* write(forwardedStatement, forwarded)
  yield* write(goneStatement, [...forwarded, ...failures.filter(({ id }) => stored.has(id))])
  yield* write(laterStatement, [
    ...own.flatMap(({ outcome, taken }) =>
      outcome._tag === "Later" ? [{ ...keyOf(taken), seconds: Duration.toSeconds(outcome.wait) }] : []
    ),
    ...failures
      .filter(({ id }) => !stored.has(id))
      .map(({ id, organization_id }) => ({ organization_id, id, seconds: Duration.toSeconds(untilLookedAt) }))
  ])
})

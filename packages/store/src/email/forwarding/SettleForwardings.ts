import type { SqlClient } from "@effect/sql"
import type { EndedForwarding, TakenForwarding } from "@switchboard/services/email/forwarding/ForwardingQueue"
import { DateTime, Duration, Effect } from "effect"
import type { Hold } from "../../queues/WorkQueue.js"
import { countHits } from "../blocks/CountHits.js"
import { failForwardings } from "./FailForwardings.js"

/** When a failure is stored again that can't be while its mail is looked at. */
const untilLookedAt = Duration.seconds(1)

const forwardedStatement = /* sql */ `
UPDATE forwardings AS f SET status = 'forwarded', settled_at = now()
FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid)
WHERE f.organization_id = g.organization_id AND f.id = g.id AND f.status = 'waiting'`

/** Stores how attempts ended of what the worker still holds. To be run in a transaction. */
export const settleForwardings = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  ended: ReadonlyArray<EndedForwarding>,
  hold: Hold
) {
  const keyOf = ({ id, organizationId }: TakenForwarding) => ({ organization_id: organizationId, id })
  const held = yield* hold(ended.map(({ taken }) => taken))
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
  if (forwarded.length > 0) yield* sql.unsafe(forwardedStatement, [JSON.stringify(forwarded)])
  const now = yield* DateTime.now
  return own.map(({ outcome, taken: { id, organizationId } }) => {
    const isOver = outcome._tag === "Forwarded" || stored.has(id)
    const wait = outcome._tag === "Later" ? outcome.wait : untilLookedAt
    return { organizationId, id, retryAt: isOver ? null : DateTime.addDuration(now, wait) }
  })
})

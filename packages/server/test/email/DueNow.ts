import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { LiveService } from "../LiveService.js"

/** Makes the scheduled messages and retries of the organization due. */
export const dueNow = Effect.gen(function* () {
  const { organizationId } = yield* LiveService
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE message_waiting SET due_at = now() WHERE organization_id = ${organizationId}`
})

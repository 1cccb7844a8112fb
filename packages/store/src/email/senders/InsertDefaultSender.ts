import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { VerifiedSender } from "@switchboard/services/email/senders/SenderRepo"
import { Effect } from "effect"

/** Stores a verified sender as the organization's default. */
export const insertDefaultSender = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { email, name, replyTo }: VerifiedSender
) =>
  Effect.asVoid(sql`INSERT INTO email_senders (organization_id, id, email, name, reply_to, verification_status,
      verified_at, is_default, created_at, updated_at)
    VALUES (${organization}, new_uuid_v7(), ${email}, ${name}, ${replyTo}, 'verified', now(), true, now(), now())`)

import { SqlClient } from "@effect/sql"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { SenderRepo } from "@switchboard/services/email/senders/SenderRepo"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { forCaller, orUnavailable } from "../../database/Unavailable.js"
import { confirmedSince } from "./SenderRows.js"

const sender = Schema.decodeUnknownSync(
  Schema.Struct({ email: EmailAddress, name: Schema.String, replyTo: Schema.NullOr(EmailAddress) })
)

const owner = Schema.decodeUnknownSync(Schema.Struct({ id: OrganizationId }))

const first = ([row]: ReadonlyArray<object>) => Option.map(Option.fromNullable(row), (found) => sender(found))

/** Senders in the table `email_senders`. */
export const SenderRepoSql = Layer.effect(
  SenderRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // A domain that was never verified has not failed: its senders were confirmed by mail.
    const usable = (organization: OrganizationId, degradedSince: DateTime.Utc) =>
      sql`SELECT s.email, s.name, s.reply_to AS "replyTo" FROM email_senders AS s
        WHERE s.organization_id = ${organization} AND s.verification_status = 'verified' AND s.is_active
          AND (s.domain_id IS NULL OR EXISTS (
            SELECT FROM email_domains AS d WHERE d.organization_id = s.organization_id AND d.id = s.domain_id
              AND (d.status IN ('pending', 'verified') OR ${sql.literal(confirmedSince)}
                OR d.status = 'degraded' AND d.failing_since > ${DateTime.toDateUtc(degradedSince)})))`
    return {
      findVerified: (organization, email, degradedSince) =>
        forCaller(Effect.map(sql`${usable(organization, degradedSince)} AND lower(s.email) = lower(${email})`, first)),
      findDefault: (organization, degradedSince) =>
        forCaller(Effect.map(sql`${usable(organization, degradedSince)} AND s.is_default`, first)),
      findFirstOwner: (email) =>
        sql`SELECT o.id FROM email_senders AS s JOIN organizations AS o ON o.id = s.organization_id
          WHERE lower(s.email) = lower(${email}) AND s.verification_status = 'verified' AND s.is_active
          ORDER BY o.created_at, o.id LIMIT 1`.pipe(
          Effect.map(([row]) => Option.map(Option.fromNullable(row), (found) => owner(found).id)),
          orUnavailable
        )
    }
  })
)

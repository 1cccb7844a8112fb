import { SqlClient } from "@effect/sql"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { SenderRepo } from "@switchboard/services/email/senders/SenderRepo"
import { Effect, Layer, Option, Schema } from "effect"
import { forCaller, orUnavailable } from "../../Unavailable.js"

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
    const usable = sql`SELECT email, name, reply_to AS "replyTo" FROM email_senders
      WHERE verification_status = 'verified' AND is_active`
    return {
      findVerified: (organization, email) =>
        forCaller(
          Effect.map(sql`${usable} AND organization_id = ${organization} AND lower(email) = lower(${email})`, first)
        ),
      findDefault: (organization) =>
        forCaller(Effect.map(sql`${usable} AND organization_id = ${organization} AND is_default`, first)),
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

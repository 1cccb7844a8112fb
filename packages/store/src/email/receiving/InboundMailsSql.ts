import { SqlClient } from "@effect/sql"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type ArrivedMail, type InboundMail, InboundMails } from "@switchboard/services/email/receiving/InboundMail"
import { DateTime, Effect, Layer, Schema } from "effect"
import { orUnavailable, retryConflicts } from "../../database/Unavailable.js"
import { notify, queueTables } from "../../queues/QueueTables.js"

/** A recipient in JSON: the address, and how it was resolved when the mail arrived. */
const Recipient = Schema.Struct({
  address: Schema.typeSchema(EmailAddress),
  kind: Schema.Union(
    Schema.TaggedStruct("Address", { domainId: EmailDomainId, isForReports: Schema.optional(Schema.Boolean) }),
    Schema.TaggedStruct("CatchAll", { domainId: EmailDomainId }),
    Schema.TaggedStruct("Reply", { messageId: MessageId }),
    Schema.TaggedStruct("Bounce", { messageId: MessageId }),
    Schema.TaggedStruct("Forwarded", { forwardingId: ForwardingId })
  )
})

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    id: MessageId,
    organizationId: OrganizationId,
    mailFrom: Schema.String,
    recipients: Schema.Array(Recipient),
    remoteAddress: Schema.String,
    helo: Schema.String,
    tls: Schema.Boolean,
    raw: Schema.Uint8ArrayFromSelf,
    receivedAt: Schema.DateTimeUtcFromDate
  })
)

/** The columns of `inbound_mails AS m` that `mailFromRow` decodes. */
export const mailColumns = `m.id, m.organization_id AS "organizationId", m.mail_from AS "mailFrom", m.recipients,
  m.remote_address AS "remoteAddress", m.helo, m.tls, m.raw, m.received_at AS "receivedAt"`

/** Decodes a row with `mailColumns`. */
export const mailFromRow = (row: object): InboundMail => decode(row)

/** The record of a mail for `json_to_recordset`, without its octets. */
const mailRow = (mail: ArrivedMail) => ({
  organization_id: mail.organizationId,
  id: mail.id,
  fingerprint: mail.fingerprint,
  mail_from: mail.mailFrom,
  recipients: mail.recipients,
  remote_address: mail.remoteAddress,
  helo: mail.helo,
  tls: mail.tls,
  received_at: DateTime.formatIso(mail.receivedAt)
})

/**
 * Stores one mail for several organizations; its octets are sent to the database once. A repeated mail changes nothing
 * and is neither queued nor counted again. One statement is one transaction.
 */
const storeStatement = /* sql */ `
WITH stored AS (
  INSERT INTO inbound_mails (organization_id, id, fingerprint, mail_from, recipients, remote_address, helo, tls, size,
    raw, received_at)
  SELECT organization_id, id, fingerprint, mail_from, recipients, remote_address, helo, tls, length($2::bytea), $2,
    received_at
  FROM json_to_recordset($1::json) AS m(organization_id uuid, id uuid, fingerprint text, mail_from text,
    recipients json, remote_address text, helo text, tls boolean, received_at timestamptz)
  ORDER BY organization_id
  ON CONFLICT (organization_id, fingerprint) DO NOTHING
  RETURNING organization_id, id, recipients
), caught AS (
  INSERT INTO catch_all_counts AS c (organization_id, domain_id, hour, received)
  SELECT DISTINCT s.organization_id, (r->'kind'->>'domainId')::uuid, date_trunc('hour', now(), 'UTC'), 1
  FROM stored AS s CROSS JOIN json_array_elements(s.recipients) AS r
  WHERE r->'kind'->>'_tag' = 'CatchAll' ORDER BY 1, 2
  ON CONFLICT (organization_id, domain_id, hour) DO UPDATE SET received = c.received + 1
), queued AS (
  INSERT INTO inbound_queue (organization_id, id, ready_at) SELECT organization_id, id, now() FROM stored RETURNING 1
)
SELECT ${notify(queueTables.inbound)} WHERE EXISTS (SELECT 1 FROM queued)`

/** Inbound mail in the table `inbound_mails`. */
export const InboundMailsSql = Layer.effect(
  InboundMails,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    store: (mails) => {
      const [first] = mails
      if (first === undefined) return Effect.void
      const { buffer, byteLength, byteOffset } = first.raw
      return sql
        .unsafe(storeStatement, [JSON.stringify(mails.map(mailRow)), Buffer.from(buffer, byteOffset, byteLength)])
        .pipe(Effect.asVoid, retryConflicts, orUnavailable)
    }
  }))
)

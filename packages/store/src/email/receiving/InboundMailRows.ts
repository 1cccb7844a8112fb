import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingLog"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { InboundMail } from "@switchboard/services/email/receiving/InboundMail"
import type { ArrivedMail } from "@switchboard/services/email/receiving/InboundMails"
import { DateTime, Schema } from "effect"

/** A recipient in JSON: the address, and how it was resolved when the mail arrived. */
const Recipient = Schema.Struct({
  address: Schema.typeSchema(EmailAddress),
  kind: Schema.Union(
    Schema.TaggedStruct("Address", { domainId: EmailDomainId }),
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
export const mailRow = (mail: ArrivedMail) => ({
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

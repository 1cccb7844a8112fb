import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { EmailSenderId, SenderVerification } from "@switchboard/domain/email/senders/EmailSender"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { StoredSender } from "@switchboard/services/email/senders/ManagedSenderRepo"
import { DateTime, Schema } from "effect"

const Instant = Schema.DateTimeUtcFromDate

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    id: EmailSenderId,
    organizationId: OrganizationId,
    domainId: Schema.NullOr(EmailDomainId),
    email: EmailAddress,
    name: Schema.String,
    replyTo: Schema.NullOr(EmailAddress),
    verificationStatus: SenderVerification,
    verifiedAt: Schema.NullOr(Instant),
    isDefault: Schema.Boolean,
    wantsDefault: Schema.Boolean,
    isActive: Schema.Boolean,
    nonce: Schema.NullOr(Schema.String),
    expiresAt: Schema.NullOr(Instant),
    domainFailed: Schema.Boolean,
    createdAt: Instant,
    updatedAt: Instant
  })
)

/**
 * A condition: the sender's address was confirmed by mail after its domain `d` failed. Such a sender stays verified; an
 * earlier confirmation does not count, since the domain may have a new owner.
 */
export const confirmedSince = "(s.confirmation_nonce IS NOT NULL AND coalesce(s.verified_at > d.failing_since, false))"

/** Whether the sender's domain has failed since the sender was verified. */
export const domainFailed = `EXISTS (SELECT FROM email_domains AS d
  WHERE d.organization_id = s.organization_id AND d.id = s.domain_id AND d.status = 'failed' AND NOT ${confirmedSince})`

/** All columns of a sender. */
export const senderColumns = `s.id, s.organization_id AS "organizationId", s.domain_id AS "domainId", s.email, s.name,
  s.reply_to AS "replyTo", s.verification_status AS "verificationStatus", s.verified_at AS "verifiedAt",
  s.is_default AS "isDefault", s.wants_default AS "wantsDefault", s.is_active AS "isActive",
  s.confirmation_nonce AS nonce, s.confirmation_expires_at AS "expiresAt",
  ${domainFailed} AS "domainFailed", s.created_at AS "createdAt",
  s.updated_at AS "updatedAt"`

/** Decodes a sender. */
export const senderFromRow = (row: object): StoredSender => {
  const { expiresAt, nonce, ...stored } = decode(row)
  return { ...stored, confirmation: nonce === null || expiresAt === null ? null : { nonce, expiresAt } }
}

/** The columns that can change, with their values. */
export const changedSenderColumns = (sender: StoredSender) => ({
  name: sender.name,
  reply_to: sender.replyTo,
  verification_status: sender.verificationStatus,
  verified_at: sender.verifiedAt === null ? null : DateTime.toDateUtc(sender.verifiedAt),
  is_default: sender.isDefault,
  wants_default: sender.wantsDefault,
  is_active: sender.isActive,
  confirmation_nonce: sender.confirmation?.nonce ?? null,
  confirmation_expires_at: sender.confirmation === null ? null : DateTime.toDateUtc(sender.confirmation.expiresAt),
  updated_at: DateTime.toDateUtc(sender.updatedAt)
})

/** The columns of a new sender, with their values. */
export const newSenderColumns = (sender: StoredSender) => ({
  organization_id: sender.organizationId,
  id: sender.id,
  domain_id: sender.domainId,
  email: sender.email,
  created_at: DateTime.toDateUtc(sender.createdAt),
  ...changedSenderColumns(sender)
})

import { PauseReason } from "@switchboard/domain/email/domains/DomainPause"
import { dkimSelectors } from "@switchboard/domain/email/domains/DomainRecords"
import { EmailDomainId, EmailDomainStatus } from "@switchboard/domain/email/domains/EmailDomain"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { StoredDomain } from "@switchboard/services/email/domains/DomainRepo"
import { DateTime, Schema } from "effect"

const Instant = Schema.DateTimeUtcFromDate
const Selector = Schema.Literal(...dkimSelectors)

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    id: EmailDomainId,
    organizationId: OrganizationId,
    domain: Schema.String,
    status: EmailDomainStatus,
    verificationToken: Schema.String,
    verifiedAt: Schema.NullOr(Instant),
    failingSince: Schema.NullOr(Instant),
    activeSelector: Selector,
    sm1: Schema.String,
    sm2: Schema.String,
    receiving: Schema.Boolean,
    trackOpens: Schema.Boolean,
    trackClicks: Schema.Boolean,
    trackingDomain: Schema.NullOr(Schema.String),
    isTrackingVerified: Schema.Boolean,
    pausedAt: Schema.NullOr(Instant),
    pauseReason: Schema.NullOr(PauseReason),
    pauseRate: Schema.NullOr(Schema.Number),
    pauseBound: Schema.NullOr(Schema.Number),
    pauseMessages: Schema.NullOr(Schema.Number),
    resumedAt: Schema.NullOr(Instant),
    nextCheckAt: Instant,
    createdAt: Instant,
    updatedAt: Instant
  })
)

/** The columns of a domain. */
export const domainColumns = `d.id, d.organization_id AS "organizationId", d.domain, d.status,
  d.verification_token AS "verificationToken", d.verified_at AS "verifiedAt", d.failing_since AS "failingSince",
  d.active_selector AS "activeSelector", d.sm1_public_key AS sm1, d.sm2_public_key AS sm2, d.receiving,
  d.track_opens AS "trackOpens", d.track_clicks AS "trackClicks", d.tracking_domain AS "trackingDomain",
  d.is_tracking_verified AS "isTrackingVerified", d.paused_at AS "pausedAt", d.pause_reason AS "pauseReason",
  d.pause_rate AS "pauseRate", d.pause_bound AS "pauseBound", d.pause_messages AS "pauseMessages",
  d.resumed_at AS "resumedAt",
  d.next_check_at AS "nextCheckAt", d.created_at AS "createdAt", d.updated_at AS "updatedAt"`

/** Decodes a domain. */
export const domainFromRow = (row: object): StoredDomain => {
  const { pauseBound, pauseMessages, pauseRate, pauseReason, pausedAt, sm1, sm2, ...stored } = decode(row)
  const pause =
    pausedAt === null || pauseReason === null
      ? null
      : {
          reason: pauseReason,
          ...(pauseRate === null ? {} : { rate: pauseRate }),
          ...(pauseBound === null ? {} : { bound: pauseBound }),
          ...(pauseMessages === null ? {} : { messages: pauseMessages }),
          pausedAt
        }
  return { ...stored, pause, publicKeys: { sm1, sm2 } }
}

const decodeKey = Schema.decodeUnknownSync(
  Schema.Struct({
    id: EmailDomainId,
    selector: Selector,
    sealed: Schema.Uint8ArrayFromSelf,
    isVerified: Schema.Boolean,
    receives: Schema.Boolean,
    trackOpens: Schema.Boolean,
    trackClicks: Schema.Boolean,
    trackingDomain: Schema.NullOr(Schema.String)
  })
)

/** Decodes a signing key. */
export const signingKeyFromRow = (row: object) => decodeKey(row)

const time = (at: DateTime.Utc | null) => (at === null ? null : DateTime.toDateUtc(at))

/** The columns that can change, with their values. */
export const changedColumns = (domain: StoredDomain) => ({
  status: domain.status,
  verified_at: time(domain.verifiedAt),
  failing_since: time(domain.failingSince),
  active_selector: domain.activeSelector,
  sm1_public_key: domain.publicKeys.sm1,
  sm2_public_key: domain.publicKeys.sm2,
  receiving: domain.receiving,
  track_opens: domain.trackOpens,
  track_clicks: domain.trackClicks,
  tracking_domain: domain.trackingDomain,
  is_tracking_verified: domain.isTrackingVerified,
  paused_at: time(domain.pause?.pausedAt ?? null),
  pause_reason: domain.pause?.reason ?? null,
  pause_rate: domain.pause?.rate ?? null,
  pause_bound: domain.pause?.bound ?? null,
  pause_messages: domain.pause?.messages ?? null,
  resumed_at: time(domain.resumedAt),
  next_check_at: DateTime.toDateUtc(domain.nextCheckAt),
  updated_at: DateTime.toDateUtc(domain.updatedAt)
})

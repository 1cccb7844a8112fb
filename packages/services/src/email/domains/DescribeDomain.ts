import {
  type DomainFacts,
  dkimSelectors,
  dnsRecord,
  expectedRecords,
  type MailRoute
} from "@switchboard/domain/email/domains/DomainRecords"
import { EmailDomain } from "@switchboard/domain/email/domains/EmailDomain"
import type { EventType } from "@switchboard/domain/events/EventType"
import { newEvent } from "../../events/NewEvent.js"
import type { StoredDomain } from "./DomainRepo.js"

/** The fields of a stored domain that its required records depend on. */
export const factsOf = (stored: StoredDomain): DomainFacts => ({ ...stored, wasVerified: stored.verifiedAt !== null })

/** The wire form of a domain, in responses and events. */
export const describeDomain = (stored: StoredDomain, route: MailRoute): EmailDomain =>
  new EmailDomain(
    {
      id: stored.id,
      domain: stored.domain,
      status: stored.status,
      ...(stored.verifiedAt === null ? {} : { verifiedAt: stored.verifiedAt }),
      dnsRecords: expectedRecords(factsOf(stored), route).map(dnsRecord),
      dkimTokens: dkimSelectors.map((selector) => stored.publicKeys[selector]),
      verificationToken: stored.verificationToken,
      createdAt: stored.createdAt,
      updatedAt: stored.updatedAt
    },
    { disableValidation: true }
  )

/** The event of a change to a domain. */
export const domainEvent = (
  type: Extract<EventType, `email_domain.${string}`>,
  stored: StoredDomain,
  route: MailRoute
) => newEvent(type, stored.organizationId, stored.id, describeDomain(stored, route))

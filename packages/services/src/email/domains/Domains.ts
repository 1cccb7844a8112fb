import { randomBytes } from "node:crypto"
import { ConflictError, ValidationError } from "@switchboard/domain/Errors"
import { DetectedRegistrar, dnsProviderOf } from "@switchboard/domain/email/domains/DnsProviders"
import {
  hostnameAdvice,
  isLocalDomain,
  isPublicHostname,
  isRecordName,
  localDomain,
  otherSelector
} from "@switchboard/domain/email/domains/DomainRecords"
import {
  type CreateEmailDomain,
  type EmailDomainFilters,
  EmailDomainId,
  isControlled,
  type UpdateEmailDomain
} from "@switchboard/domain/email/domains/EmailDomain"
import { type DomainVerification, nextCheck, recordAdvice } from "@switchboard/domain/email/domains/ExamineDomain"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type PageRequest, pageRequest } from "@switchboard/domain/Page"
import { DateTime, Effect, Option, PartitionedSemaphore } from "effect"
import { newId } from "../../NewId.js"
import { type DnsFailed, DnsResolver } from "../../network/DnsResolver.js"
import { SecretBox } from "../../SecretBox.js"
import { Senders } from "../senders/Senders.js"
import { makeDkimKey, sealDkimKey } from "./DkimKeys.js"
import { DomainChecks, describeDomain, dnsError, domainEvent, domainNotFound } from "./DomainChecks.js"
import { DomainRepo, MailRouting, type StoredDomain } from "./DomainRepo.js"

/** A zone with its name servers. */
interface Zone {
  readonly nameservers: ReadonlyArray<string>
  readonly zone?: string
}

/** The zone of a name: a name without NS records lies in the zone of a parent. */
const zoneOf = (dns: typeof DnsResolver.Service, name: string): Effect.Effect<Zone, DnsFailed> =>
  dns.ns(name).pipe(
    Effect.map((nameservers): Zone => ({ zone: name, nameservers: [...nameservers].sort() })),
    Effect.catchTag("DnsAbsent", () => {
      const parent = name.slice(name.indexOf(".") + 1)
      // The name servers of a top-level domain do not identify the provider.
      return parent.includes(".") ? zoneOf(dns, parent) : Effect.succeed<Zone>({ nameservers: [] })
    })
  )

/** Finds the DNS provider of a domain by its name servers. */
const detectRegistrar = Effect.map(
  DnsResolver,
  (dns) => (domain: string) =>
    Effect.map(
      Effect.mapError(zoneOf(dns, domain), dnsError),
      (zone) => new DetectedRegistrar({ domain, ...zone, ...dnsProviderOf(zone.nameservers) })
    )
)

/** The maximum number of key pairs generated concurrently. Each occupies a thread of the process. */
const pairsAtATime = 2

/** The maximum number of unverified domains of an organization: each costs two key pairs and repeated DNS look-ups. */
const maxUnverifiedDomains = 50

/** Fails if the host of a domain's links can't be an alias of this service. */
const checkTrackingDomain = (domain: string, host: string | null, publicHost: string) => {
  if (host === null) return Effect.void
  const problem = isLocalDomain(domain)
    ? "must not be set: the local domain has no DNS records"
    : isRecordName(domain, host)
      ? "must not have other records: choose another name, for example links."
      : host === publicHost
        ? "must not be the host of PUBLIC_URL"
        : null
  return problem === null
    ? Effect.void
    : new ValidationError({ message: "The request body is invalid", fields: { trackingDomain: [problem] } })
}

/** The domains that an organization sends from. */
export class Domains extends Effect.Service<Domains>()("services/Domains", {
  effect: Effect.gen(function* () {
    const repo = yield* DomainRepo
    const box = yield* SecretBox
    const route = yield* MailRouting
    const checks = yield* DomainChecks
    const { invalidate } = yield* Senders
    const detect = yield* detectRegistrar
    // Permits are shared fairly between organizations: many new domains of one do not delay another's.
    const turns = yield* PartitionedSemaphore.make<OrganizationId>({ permits: pairsAtATime })

    const describe = (stored: StoredDomain) => describeDomain(stored, route)

    const found = Effect.fnUntraced(function* (organization: OrganizationId, id: EmailDomainId) {
      return yield* Effect.mapError(yield* repo.find(organization, id), () => domainNotFound(id))
    })

    /** Makes a domain with two key pairs that is not stored yet. */
    const fresh = Effect.fnUntraced(function* (
      organization: OrganizationId,
      { domain: name, trackClicks = false, trackingDomain, trackOpens = false }: CreateEmailDomain,
      status: "pending" | "verified"
    ) {
      const [sm1, sm2] = yield* Effect.all([makeDkimKey, makeDkimKey], { concurrency: pairsAtATime })
      const { id, now } = yield* newId(EmailDomainId)
      const isVerified = status === "verified"
      const standing: DomainVerification = { status, verifiedAt: isVerified ? now : null, failingSince: null }
      const stored: StoredDomain = {
        ...standing,
        id,
        organizationId: organization,
        domain: name,
        verificationToken: randomBytes(16).toString("hex"),
        activeSelector: "sm1",
        publicKeys: { sm1: sm1.publicKey, sm2: sm2.publicKey },
        receiving: false,
        trackOpens,
        trackClicks,
        trackingDomain: trackingDomain ?? null,
        isTrackingVerified: false,
        pause: null,
        resumedAt: null,
        nextCheckAt: nextCheck(standing, now, isVerified ? "pass" : "fail", now),
        createdAt: now,
        updatedAt: now
      }
      const sealed = { sm1: sealDkimKey(box, id, "sm1", sm1), sm2: sealDkimKey(box, id, "sm2", sm2) }
      return { stored, sealed }
    })

    const unverified = (organization: OrganizationId) =>
      Effect.map(
        Effect.forEach(["pending", "failed"] as const, (status) =>
          repo.list(organization, { status }, pageRequest({ limit: 1 }))
        ),
        (pages) => pages.reduce((total, { pagination }) => total + pagination.total, 0)
      )

    /** Stores a new domain, unless the organization has too many unverified ones. */
    const add = Effect.fnUntraced(function* (organization: OrganizationId, request: CreateEmailDomain) {
      if ((yield* unverified(organization)) >= maxUnverifiedDomains) {
        return yield* new ConflictError({
          message: `The organization has ${maxUnverifiedDomains} domains that are not verified: verify or remove one first`,
          resource: "domain"
        })
      }
      const { sealed, stored } = yield* fresh(organization, request, "pending")
      yield* repo.insert(stored, sealed, [yield* domainEvent("email_domain.created", stored, route)])
      return describe(stored)
    })

    /** Adds a domain with two new keys. Mail is sent from it once its records are verified. */
    const create = Effect.fn("Domains.create")(function* (organization: OrganizationId, request: CreateEmailDomain) {
      const { domain: name, trackingDomain } = request
      yield* checkTrackingDomain(name, trackingDomain ?? null, route.publicHost)
      // Checked before the keys are generated.
      if (Option.isSome(yield* repo.findByName(organization, name))) {
        return yield* new ConflictError({
          message: `The organization has the domain ${name} already`,
          resource: "domain"
        })
      }
      if (name === localDomain) {
        return yield* new ConflictError({
          message: `The domain ${name} is the installation's local domain, which its first organization has`,
          resource: "domain"
        })
      }
      if (!isPublicHostname(route.mailHostname)) {
        yield* Effect.logWarning(`The domain ${name} is added, but ${hostnameAdvice(route.mailHostname)}`)
      }
      return yield* turns.withPermits(organization, pairsAtATime)(add(organization, request))
    })

    /** Adds the operator's own domain as verified, without DNS checks and without events. */
    const addVerified = Effect.fn("Domains.addVerified")(function* (organization: OrganizationId, name: string) {
      const { sealed, stored } = yield* fresh(organization, { domain: name }, "verified")
      yield* repo.insert(stored, sealed, [])
    })

    const get = Effect.fn("Domains.get")(function* (organization: OrganizationId, id: EmailDomainId) {
      return describe(yield* found(organization, id))
    })

    const list = Effect.fn("Domains.list")(function* (
      organization: OrganizationId,
      filters: EmailDomainFilters,
      request: PageRequest
    ) {
      const page = yield* repo.list(organization, filters, request)
      return { ...page, items: page.items.map(describe) }
    })

    const remove = Effect.fn("Domains.remove")(function* (organization: OrganizationId, id: EmailDomainId) {
      const existed = yield* repo.remove(organization, id, (stored) =>
        Effect.map(domainEvent("email_domain.deleted", stored, route), (event) => [event])
      )
      if (!existed) return yield* domainNotFound(id)
      yield* invalidate(organization)
    })

    /** Changes the tracking of mail from a domain. A new host for links is used once its record is found. */
    const update = Effect.fn("Domains.update")(function* (
      organization: OrganizationId,
      id: EmailDomainId,
      { trackClicks, trackingDomain, trackOpens }: UpdateEmailDomain
    ) {
      const now = yield* DateTime.now
      const changed = yield* repo.change(organization, id, (present) => {
        const host = trackingDomain === undefined ? present.trackingDomain : trackingDomain
        const isSameHost = host === present.trackingDomain
        return Effect.as(checkTrackingDomain(present.domain, host, route.publicHost), {
          domain: {
            ...present,
            trackOpens: trackOpens === undefined ? present.trackOpens : (trackOpens ?? false),
            trackClicks: trackClicks === undefined ? present.trackClicks : (trackClicks ?? false),
            trackingDomain: host,
            isTrackingVerified: isSameHost && present.isTrackingVerified,
            nextCheckAt: isSameHost ? present.nextCheckAt : now,
            updatedAt: now
          },
          newKey: null,
          events: []
        })
      })
      const { domain } = yield* Effect.mapError(changed, () => domainNotFound(id))
      yield* invalidate(organization)
      return describe(domain)
    })

    /**
     * Fails unless the next key's record is published: receivers could not verify the signatures of a key without one.
     */
    const checkNextKey = Effect.fnUntraced(function* (stored: StoredDomain) {
      if (!isControlled(stored.status)) return
      const next = otherSelector(stored.activeSelector)
      const examined = yield* Effect.mapError(checks.examine(stored), dnsError)
      const advice = examined.flatMap((record) => (record.purpose === next ? (recordAdvice(record) ?? []) : []))
      if (advice.length > 0) return yield* new ConflictError({ message: advice.join(" "), resource: "domain" })
    })

    /** Activates the other selector. The previous one gets a new key for the next rotation. */
    const rotateDkim = Effect.fn("Domains.rotateDkim")(function* (organization: OrganizationId, id: EmailDomainId) {
      const looked = yield* found(organization, id)
      yield* checkNextKey(looked)
      const pair = yield* turns.withPermits(organization, 1)(makeDkimKey)
      const now = yield* DateTime.now
      const changed = yield* repo.change(organization, id, (present) => {
        const selector = present.activeSelector
        if (selector !== looked.activeSelector || present.publicKeys[selector] !== looked.publicKeys[selector]) {
          return new ConflictError({ message: "The keys of the domain are being rotated already", resource: "domain" })
        }
        return Effect.succeed({
          domain: {
            ...present,
            activeSelector: otherSelector(selector),
            publicKeys: { ...present.publicKeys, [selector]: pair.publicKey },
            updatedAt: now
          },
          newKey: { selector, sealed: sealDkimKey(box, id, selector, pair) },
          events: []
        })
      })
      return describe((yield* Effect.mapError(changed, () => domainNotFound(id))).domain)
    })

    /** Looks a domain up. A change of its status takes effect for sends at once. */
    const verify = (organization: OrganizationId, name: string) =>
      Effect.zipLeft(checks.verify(organization, name), invalidate(organization))

    return {
      create,
      addVerified,
      get,
      list,
      update,
      remove,
      rotateDkim,
      detectRegistrar: detect,
      verify,
      status: checks.status,
      statusByName: checks.statusByName
    } as const
  })
}) {}

import { ConflictError } from "@switchboard/domain/Errors"
import { isControlled } from "@switchboard/domain/email/domains/EmailDomain"
import { withoutDetail } from "@switchboard/domain/email/EmailAddress"
import {
  CatchAllConfig,
  CatchAllStats,
  type EnableReceiving,
  ReceivingEnabled,
  receivingAddresses,
  type SwitchCatchAll,
  type UpdateCatchAll
} from "@switchboard/domain/email/receiving/ReceivingAddress"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, Option } from "effect"
import { domainNotFound } from "../../domains/DomainChecks.js"
import { distinctTargets } from "../../forwarding/ForwardingRules.js"
import { type CatchAll, type ReceivingDomain, ReceivingRepo } from "./ReceivingRepo.js"

const catchAllConflict = (message: string) => new ConflictError({ message, resource: "catch-all" })

/** The catch-all of a domain, or a disabled default. */
const catchAllOf = ({ catchAll, createdAt }: ReceivingDomain): CatchAll =>
  Option.getOrElse(catchAll, () => ({
    enabled: false,
    forwardTo: [],
    exclude: [],
    createdAt,
    updatedAt: createdAt
  }))

const begun = (domain: ReceivingDomain, now: DateTime.Utc): CatchAll =>
  Option.getOrElse(domain.catchAll, () => ({ ...catchAllOf(domain), createdAt: now }))

/** The catch-all enabled or disabled, otherwise unchanged. */
const switched = (domain: ReceivingDomain, enabled: boolean, now: DateTime.Utc): CatchAll => ({
  ...begun(domain, now),
  enabled,
  updatedAt: now
})

const describe = (domain: ReceivingDomain): CatchAllConfig =>
  new CatchAllConfig({ domain: domain.domain, ...catchAllOf(domain) }, { disableValidation: true })

/** An enabled catch-all requires a domain that receives mail. */
const checkReceives = ({ domain, receiving, status }: ReceivingDomain, { enabled }: CatchAll) => {
  if (!enabled || (receiving && isControlled(status))) return Effect.void
  return catchAllConflict(`The domain ${domain} does not receive mail: verify it and enable receiving first`)
}

/** Fails if the catch-all would accept the mail that it forwards. */
const checkCycle = ({ addresses, domain }: ReceivingDomain, { exclude, forwardTo }: CatchAll) => {
  const caught = forwardTo.filter((target) => {
    const address = target.toLowerCase()
    const isOwn = [address, withoutDetail(address)].some((one) => addresses.includes(one) || exclude.includes(one))
    return address.endsWith(`@${domain}`) && !isOwn
  })
  return caught.length === 0
    ? Effect.void
    : catchAllConflict(
        `The catch-all would receive the mail that it forwards: add ${caught.join(", ")} to the domain's addresses`
      )
}

/** The catch-alls of domains, which accept mail to addresses that are not set up. */
export class CatchAlls extends Effect.Service<CatchAlls>()("services/CatchAlls", {
  effect: Effect.gen(function* () {
    const repo = yield* ReceivingRepo

    const found = Effect.fnUntraced(function* (organization: OrganizationId, name: string) {
      return yield* Effect.mapError(yield* repo.find(organization, name), () => domainNotFound(name))
    })

    const config = Effect.fn("CatchAlls.config")(function* (organization: OrganizationId, name: string) {
      return describe(yield* found(organization, name))
    })

    /** Changes the given fields. */
    const update = Effect.fn("CatchAlls.update")(function* (
      organization: OrganizationId,
      { domain: name, enabled, exclude, forwardTo }: UpdateCatchAll
    ) {
      const now = yield* DateTime.now
      const changed = yield* repo.change(organization, name, (present) => {
        const before = begun(present, now)
        const catchAll: CatchAll = {
          ...before,
          enabled: enabled ?? before.enabled,
          exclude: exclude === undefined ? before.exclude : receivingAddresses(exclude ?? [], name),
          forwardTo: forwardTo === undefined ? before.forwardTo : distinctTargets(forwardTo ?? []),
          updatedAt: now
        }
        return Effect.as(Effect.zipRight(checkReceives(present, catchAll), checkCycle(present, catchAll)), {
          ...present,
          catchAll: Option.some(catchAll)
        })
      })
      return describe(yield* Effect.mapError(changed, () => domainNotFound(name)))
    })

    const enable = (organization: OrganizationId, request: SwitchCatchAll) =>
      update(organization, { ...request, enabled: true })

    /** Disables the catch-all and keeps its other settings. */
    const disable = (organization: OrganizationId, request: SwitchCatchAll) =>
      update(organization, { ...request, enabled: false })

    const stats = Effect.fn("CatchAlls.stats")(function* (organization: OrganizationId, name: string) {
      const { id, domain } = yield* found(organization, name)
      return new CatchAllStats({ domain, ...(yield* repo.counts(organization, id)) }, { disableValidation: true })
    })

    return { enable, disable, config, update, stats } as const
  })
}) {}

const conflict = (message: string) => new ConflictError({ message, resource: "domain" })

/** Receiving requires a domain that the organization has proven to control. */
const checkVerified = ({ domain, status }: ReceivingDomain) =>
  isControlled(status)
    ? Effect.void
    : conflict(`The domain ${domain} is not verified: publish its records and verify it first`)

const isOn = ({ catchAll }: ReceivingDomain): boolean =>
  Option.match(catchAll, { onNone: () => false, onSome: ({ enabled }) => enabled })

/** The receiving settings of domains. */
export class ReceivingDomains extends Effect.Service<ReceivingDomains>()("services/ReceivingDomains", {
  effect: Effect.gen(function* () {
    const repo = yield* ReceivingRepo

    /** Replaces the receiving settings of a domain. A repeat changes nothing. */
    const enable = Effect.fn("ReceivingDomains.enable")(function* (
      organization: OrganizationId,
      { addresses = [], catchAll = false, domain: name }: EnableReceiving
    ) {
      const now = yield* DateTime.now
      const changed = yield* repo.change(organization, name, (present) =>
        Effect.as(checkVerified(present), {
          receiving: true,
          addresses: receivingAddresses(addresses, name),
          // The catch-all keeps its other settings while it is disabled.
          catchAll: catchAll === isOn(present) ? present.catchAll : Option.some(switched(present, catchAll, now))
        })
      )
      const domain = yield* Effect.mapError(changed, () => domainNotFound(name))
      return new ReceivingEnabled(
        {
          success: true,
          ruleName: `inbound-${name}`,
          recipients: [...domain.addresses, ...(isOn(domain) ? [`*@${name}`] : [])]
        },
        { disableValidation: true }
      )
    })

    return { enable } as const
  })
}) {}

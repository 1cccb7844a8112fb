import { ConflictError } from "@switchboard/domain/Errors"
import { isControlled } from "@switchboard/domain/email/domains/EmailDomain"
import { type EnableReceiving, ReceivingEnabled } from "@switchboard/domain/email/receiving/EnableReceiving"
import { receivingAddresses } from "@switchboard/domain/email/receiving/ReceivingAddress"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, Option } from "effect"
import { domainNotFound } from "../../domains/DomainChecks.js"
import { switched } from "./CatchAlls.js"
import { type ReceivingDomain, ReceivingRepo } from "./ReceivingRepo.js"

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

import { ConflictError } from "@switchboard/domain/Errors"
import { type EnableReceiving, ReceivingEnabled } from "@switchboard/domain/email/receiving/EnableReceiving"
import { receivingAddresses } from "@switchboard/domain/email/receiving/ReceivingAddress"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, Option } from "effect"
import { noDomain } from "../../domains/DomainChecks.js"
import { switched } from "./CatchAlls.js"
import { type ReceivingDomain, ReceivingRepo } from "./ReceivingRepo.js"

const conflict = (message: string) => new ConflictError({ message, resource: "domain" })

/** Mail comes to whoever has shown that the domain is theirs. */
const checkVerified = ({ domain, status }: ReceivingDomain) =>
  status === "verified" || status === "degraded"
    ? Effect.void
    : conflict(`The domain ${domain} is not verified: publish its records and verify it first`)

const isOn = ({ catchAll }: ReceivingDomain): boolean =>
  Option.match(catchAll, { onNone: () => false, onSome: ({ enabled }) => enabled })

/** Which mail domains take. */
export class ReceivingDomains extends Effect.Service<ReceivingDomains>()("services/ReceivingDomains", {
  effect: Effect.gen(function* () {
    const repo = yield* ReceivingRepo

    /** Has a domain receive what the request says, and nothing else. To say it again changes nothing. */
    const enable = Effect.fn("ReceivingDomains.enable")(function* (
      organization: OrganizationId,
      { addresses = [], catchAll = false, domain: name }: EnableReceiving
    ) {
      const now = yield* DateTime.now
      const changed = yield* repo.change(organization, name, (present) =>
        Effect.as(checkVerified(present), {
          receiving: true,
          addresses: receivingAddresses(addresses, name),
          // What it is set up with stays, for when it is switched on again.
          catchAll: catchAll === isOn(present) ? present.catchAll : Option.some(switched(present, catchAll, now))
        })
      )
      const domain = yield* Effect.mapError(changed, () => noDomain(name))
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

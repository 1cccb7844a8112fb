import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, Option } from "effect"
import { Signatures } from "../../Signatures.js"
import { InboundAddressRepo } from "../receiving/addresses/InboundAddressRepo.js"
import { parseForwardPath } from "./ForwardPath.js"

/** Finds the organization of forwarded mail by its signed return path. */
export class ForwardingOwner extends Effect.Service<ForwardingOwner>()("services/ForwardingOwner", {
  effect: Effect.gen(function* () {
    const repo = yield* InboundAddressRepo
    const signatures = yield* Signatures

    /** None if the return path is not one of a stored forwarding. */
    const find = Effect.fnUntraced(function* (mailFrom: string) {
      const path = parseForwardPath(signatures, mailFrom)
      if (Option.isNone(path)) return Option.none<OrganizationId>()
      const { domain, forwardingId } = path.value
      const found = yield* repo.find(domain, mailFrom.toLowerCase())
      if (Option.isNone(found)) return Option.none<OrganizationId>()
      const { organizationId } = found.value
      return (yield* repo.hasForwarding(organizationId, forwardingId)) ? Option.some(organizationId) : Option.none()
    })

    return { find } as const
  })
}) {}

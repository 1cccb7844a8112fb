import { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Context, Effect, Option, Schema } from "effect"
import { Signatures } from "../../SecretBox.js"
import { InboundAddressRepo } from "../receiving/addresses/InboundAddressRepo.js"

const purpose = "forward-path"
const form = /^f\+([0-9a-f-]{36})\.([0-9a-f]{20})@bounce\.([a-z0-9.-]+)$/
const decodeId = Schema.decodeUnknownOption(ForwardingId)

/**
 * The return path of forwarded mail: `f+<forwarding>.<signature>@bounce.<domain>`. The mail's author must not receive
 * bounces of a forwarding. The signature prevents forged addresses.
 */
export const forwardPath = (signatures: Context.Tag.Service<Signatures>, id: ForwardingId, domain: string): string =>
  `f+${id}.${signatures.sign(purpose, id)}@bounce.${domain}`

/** The forwarding and the domain of a signed return path; none if the signature is invalid. */
export const parseForwardPath = (
  signatures: Context.Tag.Service<Signatures>,
  address: string
): Option.Option<{ readonly forwardingId: ForwardingId; readonly domain: string }> => {
  const [, id = "", signature = "", domain = ""] = form.exec(address.toLowerCase()) ?? []
  return signatures.verify(purpose, id, signature)
    ? Option.map(decodeId(id), (forwardingId) => ({ forwardingId, domain }))
    : Option.none()
}

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

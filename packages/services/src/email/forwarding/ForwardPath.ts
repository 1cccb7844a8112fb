import { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingLog"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../../Signatures.js"

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

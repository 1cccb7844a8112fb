import { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingLog"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../../Signatures.js"

const purpose = "forward-path"
const form = /^f\+([0-9a-f-]{36})\.([0-9a-f]{20})@bounce\.([a-z0-9.-]+)$/
const decodeId = Schema.decodeUnknownOption(ForwardingId)

/**
 * Where what can't be forwarded comes back: `f+<forwarding>.<signature>@bounce.<domain>`. Whoever wrote the mail never
 * sent it there, and must not be told of it; nobody else can make such an address.
 */
export const forwardPath = (signatures: Context.Tag.Service<Signatures>, id: ForwardingId, domain: string): string =>
  `f+${id}.${signatures.sign(purpose, id)}@bounce.${domain}`

/** What was forwarded with a return path, and by which domain; none if the address is not ours. */
export const parseForwardPath = (
  signatures: Context.Tag.Service<Signatures>,
  address: string
): Option.Option<{ readonly forwardingId: ForwardingId; readonly domain: string }> => {
  const [, id = "", signature = "", domain = ""] = form.exec(address.toLowerCase()) ?? []
  return signatures.verify(purpose, id, signature)
    ? Option.map(decodeId(id), (forwardingId) => ({ forwardingId, domain }))
    : Option.none()
}

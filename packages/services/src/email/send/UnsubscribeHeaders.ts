import { marketing } from "@switchboard/domain/messages/Categories"
import type { Context } from "effect"
import type { TakenMessage } from "../../messages/delivery/DeliveryQueue.js"
import { isMarketing } from "../../messages/delivery/Envelopes.js"
import type { Signatures } from "../../Signatures.js"
import { unsubscribeAddress } from "./UnsubscribeAddress.js"
import { unsubscribePath, unsubscribeToken } from "./UnsubscribeLink.js"

/** A mail's From domain, and whether this service receives mail to its return path. */
interface SendingDomain {
  readonly domain: string
  readonly hasReturnPath: boolean
}

/**
 * The list headers of a marketing mail: List-Id (RFC 2919), and List-Unsubscribe with a one-click link (RFC 8058) and,
 * if the domain has a return path, a mail address (RFC 2369).
 */
export const unsubscribeHeaders = (
  signatures: Context.Tag.Service<Signatures>,
  publicUrl: string,
  { categories, messageId, organizationId }: Pick<TakenMessage, "categories" | "messageId" | "organizationId">,
  [recipient, ...others]: ReadonlyArray<string>,
  { domain, hasReturnPath }: SendingDomain
): Readonly<Record<string, string>> => {
  if (!isMarketing({ categories }) || recipient === undefined || others.length > 0) return {}
  const link = `${publicUrl}${unsubscribePath}?token=${unsubscribeToken(signatures, { messageId, organizationId, recipient })}`
  const uris = hasReturnPath ? [link, `mailto:${unsubscribeAddress(signatures, messageId, recipient, domain)}`] : [link]
  return {
    "List-Id": `<${marketing}.${domain}>`,
    "List-Unsubscribe": uris.map((uri) => `<${uri}>`).join(", "),
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
  }
}

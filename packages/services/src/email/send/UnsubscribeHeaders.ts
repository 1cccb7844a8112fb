import { marketing } from "@switchboard/domain/messages/Categories"
import type { Context } from "effect"
import { isMarketing, type TakenMessage } from "../../messages/delivery/DeliveryQueue.js"
import type { Signatures } from "../../Signatures.js"
import { unsubscribeAddress } from "./UnsubscribeAddress.js"
import { unsubscribePath, unsubscribeToken } from "./UnsubscribeLink.js"

interface SendingMail {
  /** The domain of From. */
  readonly domain: string
  /** Whether this service receives mail to its return path. */
  readonly hasReturnPath: boolean
  /** The headers of the request. */
  readonly headers: Readonly<Record<string, string>>
}

const hasListId = (headers: SendingMail["headers"]) =>
  Object.keys(headers).some((name) => name.toLowerCase() === "list-id")

/**
 * The list headers of a marketing mail: List-Id (RFC 2919) if the request has none, and List-Unsubscribe with a one-click link (RFC 8058) and,
 * if the domain has a return path, a mail address (RFC 2369).
 */
export const unsubscribeHeaders = (
  signatures: Context.Tag.Service<Signatures>,
  publicUrl: string,
  { categories, messageId, organizationId }: Pick<TakenMessage, "categories" | "messageId" | "organizationId">,
  [recipient, ...others]: ReadonlyArray<string>,
  { domain, hasReturnPath, headers }: SendingMail
): Readonly<Record<string, string>> => {
  if (!isMarketing({ categories }) || recipient === undefined || others.length > 0) return {}
  const link = `${publicUrl}${unsubscribePath}?token=${unsubscribeToken(signatures, { messageId, organizationId, recipient })}`
  const uris = hasReturnPath ? [link, `mailto:${unsubscribeAddress(signatures, messageId, recipient, domain)}`] : [link]
  return {
    ...(hasListId(headers) ? {} : { "List-Id": `<${marketing}.${domain}>` }),
    "List-Unsubscribe": uris.map((uri) => `<${uri}>`).join(", "),
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
  }
}

import { marketing } from "@switchboard/domain/messages/Categories"
import type { Context } from "effect"
import type { TakenMessage } from "../../messages/DeliveryQueue.js"
import { isMarketing } from "../../messages/Envelopes.js"
import type { Signatures } from "../../Signatures.js"
import { unsubscribePath, unsubscribeToken } from "./UnsubscribeLink.js"

/** The list of a marketing mail (RFC 2919), and the link that unsubscribes its recipient with one click (RFC 8058). */
export const unsubscribeHeaders = (
  signatures: Context.Tag.Service<Signatures>,
  publicUrl: string,
  { categories, messageId, organizationId }: Pick<TakenMessage, "categories" | "messageId" | "organizationId">,
  [recipient, ...others]: ReadonlyArray<string>,
  domain: string
): Readonly<Record<string, string>> => {
  if (!isMarketing({ categories }) || recipient === undefined || others.length > 0) return {}
  const token = unsubscribeToken(signatures, { messageId, organizationId, recipient })
  return {
    "List-Id": `<${marketing}.${domain}>`,
    "List-Unsubscribe": `<${publicUrl}${unsubscribePath}?token=${token}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
  }
}

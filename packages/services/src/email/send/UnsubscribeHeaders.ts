import type { Context } from "effect"
import type { TakenMessage } from "../../messages/DeliveryQueue.js"
import { isMarketing } from "../../messages/Envelopes.js"
import type { Signatures } from "../../Signatures.js"
import { unsubscribePath, unsubscribeToken } from "./UnsubscribeLink.js"

/** What lets a mailbox unsubscribe its owner with one click (RFC 8058): a link unsubscribes the one whom it names. */
export const unsubscribeHeaders = (
  signatures: Context.Tag.Service<Signatures>,
  publicUrl: string,
  { categories, messageId, organizationId }: Pick<TakenMessage, "categories" | "messageId" | "organizationId">,
  [recipient, ...others]: ReadonlyArray<string>
): Readonly<Record<string, string>> => {
  if (!isMarketing({ categories }) || recipient === undefined || others.length > 0) return {}
  const token = unsubscribeToken(signatures, { messageId, organizationId, recipient })
  return {
    "List-Unsubscribe": `<${publicUrl}${unsubscribePath}?token=${token}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
  }
}

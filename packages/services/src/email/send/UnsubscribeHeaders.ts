import type { Context } from "effect"
import type { TakenMessage } from "../../messages/DeliveryQueue.js"
import type { Signatures } from "../../Signatures.js"
import { unsubscribePath, unsubscribeToken } from "./UnsubscribeLink.js"

const marketing = "marketing"

/**
 * What lets a mailbox unsubscribe its owner with one click (RFC 8058). All recipients of a message get the same mail,
 * and a link unsubscribes whom it names: only a message to one recipient has any.
 */
export const unsubscribeHeaders = (
  signatures: Context.Tag.Service<Signatures>,
  publicUrl: string,
  {
    categories,
    messageId,
    organizationId,
    state
  }: Pick<TakenMessage, "categories" | "messageId" | "organizationId" | "state">
): Readonly<Record<string, string>> => {
  const [delivery, ...others] = state.deliveries
  if (delivery === undefined || others.length > 0 || !categories.includes(marketing)) return {}
  const token = unsubscribeToken(signatures, { messageId, organizationId, recipient: delivery.recipient })
  return {
    "List-Unsubscribe": `<${publicUrl}${unsubscribePath}?token=${token}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
  }
}

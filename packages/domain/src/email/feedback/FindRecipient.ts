import { Option } from "effect"
import type { Delivery } from "../../messages/delivery/Delivery.js"
import type { MessageState } from "../../messages/state/MessageState.js"
import { domainToAscii } from "../EmailAddress.js"

/** The form in which addresses are compared: without case, and the domain as A-labels. */
export const recipientKey = (address: string): string => {
  const at = address.lastIndexOf("@") + 1
  const domain = address.slice(at)
  return (address.slice(0, at) + Option.getOrElse(domainToAscii(domain), () => domain)).toLowerCase()
}

/**
 * The delivery that a report is about: the first of the addresses that is a recipient of the message. A message with a
 * single recipient matches any address, since the mail may have been forwarded.
 */
export const findRecipient = (
  { deliveries }: Pick<MessageState, "deliveries">,
  addresses: ReadonlyArray<string>
): Option.Option<Delivery> => {
  const byKey = new Map(deliveries.map((delivery) => [recipientKey(delivery.recipient), delivery]))
  const named = addresses.map((address) => byKey.get(recipientKey(address))).find((delivery) => delivery !== undefined)
  return Option.fromNullable(named ?? (deliveries.length === 1 ? deliveries[0] : undefined))
}

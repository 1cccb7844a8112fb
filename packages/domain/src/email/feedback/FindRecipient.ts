import { Option } from "effect"
import type { Delivery } from "../../messages/delivery/Delivery.js"
import type { MessageState } from "../../messages/state/MessageState.js"
import { domainToAscii } from "../EmailAddress.js"

/** Mailboxes differ by case nowhere that matters, and a domain may be written in letters or in A-labels. */
const keyOf = (address: string): string => {
  const at = address.lastIndexOf("@") + 1
  const domain = address.slice(at)
  return (address.slice(0, at) + Option.getOrElse(domainToAscii(domain), () => domain)).toLowerCase()
}

/**
 * Whom news is about that names these addresses: the first that is one of the message's recipients. What only one can
 * have got is about that one: a mail may have been passed on to addresses that nobody here knows.
 */
export const findRecipient = (
  { deliveries }: Pick<MessageState, "deliveries">,
  addresses: ReadonlyArray<string>
): Option.Option<Delivery> => {
  const byKey = new Map(deliveries.map((delivery) => [keyOf(delivery.recipient), delivery]))
  const named = addresses.map((address) => byKey.get(keyOf(address))).find((delivery) => delivery !== undefined)
  return Option.fromNullable(named ?? (deliveries.length === 1 ? deliveries[0] : undefined))
}

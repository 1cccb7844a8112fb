import { domainToAscii } from "@switchboard/domain/email/EmailAddress"
import { Option } from "effect"

/** The address with its domain in A-labels and lower case, as the service writes it; a domain that is none stays as it is. */
export const asciiAddress = (address: string): string => {
  const at = address.lastIndexOf("@") + 1
  return address.slice(0, at) + Option.getOrElse(domainToAscii(address.slice(at)), () => address.slice(at))
}

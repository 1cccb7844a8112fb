import { domainToAscii } from "@switchboard/domain/email/EmailAddress"
import { Option } from "effect"

/** The address with its domain in lower-case A-labels (RFC 5890). An invalid domain stays unchanged. */
export const asciiAddress = (address: string): string => {
  const at = address.lastIndexOf("@") + 1
  return address.slice(0, at) + Option.getOrElse(domainToAscii(address.slice(at)), () => address.slice(at))
}

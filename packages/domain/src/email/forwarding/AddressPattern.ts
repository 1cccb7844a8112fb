import { Either, Option, ParseResult, Schema } from "effect"
import { addressForm, domainForm, localPartLength } from "../AddressForms.js"
import { domainToAscii, EmailAddress, withoutDetail } from "../EmailAddress.js"

const anyAt = "*@"
const decode = Schema.decodeOption(EmailAddress)

const parse = (text: string): Option.Option<string> =>
  text.startsWith(anyAt)
    ? Option.map(domainToAscii(text.slice(anyAt.length)), (domain) => `${anyAt}${domain}`)
    : Option.map(decode(text), (address) => address.toLowerCase())

/** One address, or all addresses of a domain (`*@example.com`), in lower case: addresses are matched without case. */
export const AddressPattern = Schema.transformOrFail(Schema.String, Schema.String, {
  strict: true,
  decode: (text, _, ast) =>
    Either.fromOption(
      parse(text),
      () => new ParseResult.Type(ast, text, "must be an email address, or *@ and a domain")
    ),
  encode: ParseResult.succeed
}).annotations({
  identifier: "AddressPattern",
  description: "an email address, or *@ and a domain",
  jsonSchema: {
    type: "string",
    pattern: `^(?:\\*@${domainForm}|${addressForm})$`,
    allOf: [{ pattern: localPartLength }],
    maxLength: 255,
    examples: ["support@example.com", "*@example.com"]
  }
})

/** Whether a pattern matches an address in lower case. A pattern without a detail also matches `support+x`. */
export const matchesPattern = (pattern: string, address: string): boolean =>
  pattern.startsWith(anyAt)
    ? address.slice(address.lastIndexOf("@") + 1) === pattern.slice(anyAt.length)
    : address === pattern || withoutDetail(address) === pattern

import { Either, ParseResult, Schema } from "effect"
import { items } from "../../Items.js"
import { domainForm, localPartForm } from "../AddressForms.js"
import { addressDomain, addressKey, EmailAddress } from "../EmailAddress.js"

const decode = Schema.decodeEither(EmailAddress)

/**
 * Parses an address at a domain, written in full or as its local part. Right is the address in lower case, Left the
 * error message.
 */
export const receivingAddress = (text: string, domain: string): Either.Either<string, string> => {
  // A placeholder domain is used: an unknown domain is reported as such, not as an error of the address.
  const isFull = text.includes("@")
  return decode(isFull ? text : `${text}@example.com`).pipe(
    Either.mapLeft(({ issue }) => ParseResult.ArrayFormatter.formatIssueSync(issue)[0]?.message ?? "is not an address"),
    Either.filterOrLeft(
      (address) => !isFull || addressDomain(address) === domain.toLowerCase(),
      () => `must be an address at ${domain}, or the part before its @`
    ),
    Either.filterOrLeft(
      () => text !== "*" && !text.startsWith("*@"),
      () => "must be one address: a catch-all takes all of them"
    ),
    Either.map((address) => (isFull ? addressKey(address) : `${text}@${domain}`.toLowerCase()))
  )
}

/** The distinct addresses of a validated list. */
export const receivingAddresses = (addresses: ReadonlyArray<string>, domain: string): ReadonlyArray<string> => [
  ...new Set(
    addresses.flatMap((one) => Either.match(receivingAddress(one, domain), { onLeft: () => [], onRight: (a) => [a] }))
  )
]

const maxAddresses = 1_000

/** The form of an address, except `*`. `addressIssues` finds the errors, because they depend on the domain. */
const ReceivingAddress = Schema.String.annotations({
  jsonSchema: {
    type: "string",
    pattern: `^${localPartForm}(?:@${domainForm})?$`,
    allOf: [{ pattern: "^[^@]{1,64}(?:@|$)" }, { pattern: "^(?:[^*]|\\*[^@])" }],
    maxLength: 254,
    examples: ["support"]
  }
})

/** Addresses at the domain of the same request, in full or as local parts. */
export const ReceivingAddresses = Schema.Array(ReceivingAddress).pipe(items(0, maxAddresses))

/** The errors of addresses of a domain, by index. */
export const addressIssues = (field: string, addresses: ReadonlyArray<string>, domain: string) =>
  addresses.flatMap((one, at) =>
    Either.match(receivingAddress(one, domain), {
      onLeft: (message) => [{ path: [field, at], message }],
      onRight: () => []
    })
  )

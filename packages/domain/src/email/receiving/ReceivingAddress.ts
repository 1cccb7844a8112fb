import { Either, ParseResult, Schema } from "effect"
import { addressDomain, addressKey, EmailAddress } from "../EmailAddress.js"

const decode = Schema.decodeEither(EmailAddress)

/** An address at a domain, in lower case; given as a whole, or by what stands before the `@`. Left is what is wrong. */
export const receivingAddress = (given: string, domain: string): Either.Either<string, string> => {
  // The domain may be anything, and is then unknown: that is not for an address to say.
  const isWhole = given.includes("@")
  return decode(isWhole ? given : `${given}@example.com`).pipe(
    Either.mapLeft(({ issue }) => ParseResult.ArrayFormatter.formatIssueSync(issue)[0]?.message ?? "is not an address"),
    Either.filterOrLeft(
      (address) => !isWhole || addressDomain(address) === domain.toLowerCase(),
      () => `must be an address at ${domain}, or what stands before its @`
    ),
    Either.filterOrLeft(
      () => given !== "*" && !given.startsWith("*@"),
      () => "must be one address: a catch-all takes all of them"
    ),
    Either.map((address) => (isWhole ? addressKey(address) : `${given}@${domain}`.toLowerCase()))
  )
}

/** All addresses that are given, each once. What is none has been refused before. */
export const receivingAddresses = (given: ReadonlyArray<string>, domain: string): ReadonlyArray<string> => [
  ...new Set(
    given.flatMap((one) => Either.match(receivingAddress(one, domain), { onLeft: () => [], onRight: (a) => [a] }))
  )
]

const most = 1_000

/** Addresses at a domain that stands beside them: whole, or only their local parts. */
export const ReceivingAddresses = Schema.Array(Schema.String.annotations({ examples: ["support"] })).pipe(
  Schema.filter((given) => given.length <= most || `must have at most ${most} addresses`, {
    jsonSchema: { maxItems: most }
  })
)

/** What is wrong with addresses of a domain, each at its place. */
export const addressIssues = (field: string, given: ReadonlyArray<string>, domain: string) =>
  given.flatMap((one, at) =>
    Either.match(receivingAddress(one, domain), {
      onLeft: (message) => [{ path: [field, at], message }],
      onRight: () => []
    })
  )

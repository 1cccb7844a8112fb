import { Either, ParseResult, Schema } from "effect"
import { clearable, items } from "../../Fields.js"
import { Timestamp } from "../../Timestamp.js"
import { domainForm, localPartForm } from "../AddressForms.js"
import { NamedEmailDomain } from "../domains/EmailDomain.js"
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
const addressIssues = (field: string, addresses: ReadonlyArray<string>, domain: string) =>
  addresses.flatMap((one, at) =>
    Either.match(receivingAddress(one, domain), {
      onLeft: (message) => [{ path: [field, at], message }],
      onRight: () => []
    })
  )

/** The maximum number of addresses that one mail is forwarded to. */
const maxTargets = 20

/** The addresses to forward to. */
export const ForwardTargets = Schema.Array(EmailAddress).pipe(items(0, maxTargets))

/** The catch-all of a domain: it receives mail to addresses that are not listed. */
export class CatchAllConfig extends Schema.Class<CatchAllConfig>("CatchAllConfig")({
  domain: Schema.String,
  enabled: Schema.Boolean,
  forwardTo: Schema.Array(Schema.String),
  exclude: Schema.Array(Schema.String).annotations({
    description: "addresses that are rejected despite the catch-all"
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

/** A request to switch a catch-all on or off. An omitted `forwardTo` stays. */
export const SwitchCatchAll = Schema.Struct({
  ...NamedEmailDomain.fields,
  forwardTo: Schema.optional(ForwardTargets)
}).annotations({ identifier: "SwitchCatchAll" })
export type SwitchCatchAll = typeof SwitchCatchAll.Type

/** The fields of a catch-all to change; omitted fields stay. */
export const UpdateCatchAll = Schema.Struct({
  ...NamedEmailDomain.fields,
  forwardTo: clearable(ForwardTargets),
  enabled: Schema.optional(Schema.Boolean),
  exclude: clearable(
    ReceivingAddresses.annotations({ description: "addresses at the domain, in full or as local parts" })
  )
})
  .pipe(Schema.filter(({ domain, exclude }) => addressIssues("exclude", exclude ?? [], domain)))
  .annotations({ identifier: "UpdateCatchAll" })
export type UpdateCatchAll = typeof UpdateCatchAll.Type

/** The counters of a catch-all. */
export class CatchAllStats extends Schema.Class<CatchAllStats>("CatchAllStats")({
  domain: Schema.String,
  received: Schema.Int.annotations({ description: "mails that the catch-all received" }),
  forwarded: Schema.Int.annotations({ description: "received mails that were forwarded to at least one address" }),
  rejected: Schema.Int.annotations({ description: "recipients that were rejected because they are excluded" }),
  last24Hours: Schema.Int.annotations({ description: "mails that the catch-all received in the last 24 hours" }),
  last30Days: Schema.Int.annotations({ description: "mails that the catch-all received in the last 30 days" })
}) {}

/** The complete receiving configuration of a domain: addresses that are omitted are no longer received. */
export const EnableReceiving = Schema.Struct({
  ...NamedEmailDomain.fields,
  catchAll: Schema.optional(Schema.Boolean.annotations({ default: false })),
  addresses: Schema.optional(
    ReceivingAddresses.annotations({ description: "addresses at the domain, in full or as local parts" })
  )
})
  .pipe(Schema.filter(({ addresses = [], domain }) => addressIssues("addresses", addresses, domain)))
  .annotations({ identifier: "EnableReceiving" })
export type EnableReceiving = typeof EnableReceiving.Type

/** The addresses that are received after the change. */
export class ReceivingEnabled extends Schema.Class<ReceivingEnabled>("ReceivingEnabled")({
  success: Schema.Boolean,
  ruleName: Schema.String,
  recipients: Schema.Array(Schema.String)
}) {}

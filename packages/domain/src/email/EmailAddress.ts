import { Either, Option, ParseResult, Schema } from "effect"
import { parseUrl } from "../HttpUrl.js"
import { addressForm, atom, localPartLength } from "./AddressForms.js"

const dotAtom = new RegExp(`^${atom}(?:\\.${atom})*$`)
const label = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/
const ascii = /^[\x21-\x7e]*$/

/** The maximum length of an address: 254 octets (RFC 5321 section 4.5.3.1.3 without the angle brackets). */
const maxAddressLength = 254
const maxLocalPartLength = 64
const maxDomainLength = 253

/** Converts a domain to lower case and A-labels (RFC 5891). None if it is not a host name with at least two labels. */
export const domainToAscii = (domain: string): Option.Option<string> => {
  if (domain.length > maxDomainLength) return Option.none()
  // The URL parser applies IDNA, but also decodes percent signs and numbers: ASCII must be valid before it is parsed.
  if (/[^\u0080-\uffffA-Za-z0-9.-]/.test(domain)) return Option.none()
  const host = ascii.test(domain)
    ? domain.toLowerCase()
    : Option.match(parseUrl(`http://${domain}`), { onNone: () => "", onSome: ({ hostname }) => hostname })
  const labels = host.split(".")
  const isHostName = labels.length > 1 && labels.every((part) => label.test(part)) && /[a-z]/.test(labels.at(-1) ?? "")
  return isHostName && host.length <= maxDomainLength ? Option.some(host) : Option.none()
}

const parse = (value: string): Either.Either<string, string> => {
  // The length is checked first, to bound the cost of the expressions that follow.
  if (value.length > maxAddressLength) return Either.left(`must be at most ${maxAddressLength} characters`)
  const at = value.lastIndexOf("@")
  const local = value.slice(0, at)
  if (at < 1) return Either.left("must be an email address like ada@example.com")
  if (/[^\p{ASCII}]/u.test(local)) return Either.left("must have only ASCII letters before the @")
  if (local.length > maxLocalPartLength) {
    return Either.left(`must have at most ${maxLocalPartLength} characters before the @`)
  }
  if (!dotAtom.test(local)) return Either.left("must be an email address like ada@example.com")
  return Option.match(domainToAscii(value.slice(at + 1)), {
    onNone: () => Either.left("must be an email address like ada@example.com"),
    onSome: (domain) =>
      local.length + 1 + domain.length > maxAddressLength
        ? Either.left(`must be at most ${maxAddressLength} characters`)
        : Either.right(`${local}@${domain}`)
  })
}

const Parsed = Schema.String.pipe(Schema.brand("EmailAddress"))

/**
 * One `local@domain` (RFC 5321 Mailbox) with a dotted domain: no quoted strings, comments, groups or address literals.
 * The domain is converted to lower case and A-labels, the local part stays as written.
 */
export const EmailAddress = Schema.transformOrFail(Schema.String, Parsed, {
  strict: true,
  decode: (text, _, ast) =>
    Either.mapBoth(parse(text), {
      onLeft: (message) => new ParseResult.Type(ast, text, message),
      onRight: (address) => Parsed.make(address, { disableValidation: true })
    }),
  encode: ParseResult.succeed
}).annotations({
  identifier: "EmailAddress",
  description: "an email address",
  jsonSchema: {
    type: "string",
    format: "idn-email",
    pattern: `^${addressForm}$`,
    allOf: [{ pattern: localPartLength }],
    maxLength: maxAddressLength,
    examples: ["ada@example.com"]
  }
})
export type EmailAddress = typeof EmailAddress.Type

const addressParameter = {
  type: "string",
  pattern: `^\\s*${addressForm}\\s*$`,
  allOf: [{ pattern: "^\\s*[^@\\s]{1,64}@" }],
  maxLength: maxAddressLength
}

/** An email address in a parameter, in the form of a send. Blanks around it are ignored. */
export const AddressParameter = Schema.transformOrFail(Schema.String, Schema.typeSchema(EmailAddress), {
  strict: true,
  decode: (given, options) => ParseResult.decode(EmailAddress)(given.trim(), options),
  encode: ParseResult.succeed
}).annotations({
  description: "an email address",
  jsonSchema: { ...addressParameter, examples: ["ada@example.com"] }
})

/** The separators that people write between the digits of a phone number. */
const separators = /[\s().-]/g
const phoneNumber = /^\+?\d{3,15}$/

/** The address of a recipient in a parameter: an email address, or a phone number, which participants have in E.164. */
export const RecipientParameter = Schema.transformOrFail(Schema.String, Schema.String, {
  strict: true,
  decode: (given, options, ast) => {
    if (given.includes("@")) return ParseResult.decode(AddressParameter)(given, options)
    const number = given.replace(separators, "")
    return phoneNumber.test(number)
      ? ParseResult.succeed(number.startsWith("+") ? number : `+${number}`)
      : ParseResult.fail(new ParseResult.Type(ast, given, "must be an email address or a phone number"))
  },
  encode: ParseResult.succeed
}).annotations({
  description: "an email address or a phone number",
  jsonSchema: {
    anyOf: [addressParameter, { type: "string", pattern: "^[\\s(]*\\+?\\d(?:[\\s().-]*\\d){2,14}\\s*$" }],
    examples: ["ada@example.com", "+4930123456"]
  }
})

/** The key of a recipient. Addresses that differ only in case count as equal, as mail servers treat them. */
export const addressKey = (address: string): string => address.toLowerCase()

/** Removes the detail after a `+` (RFC 5233): `support+x@example.com` becomes `support@example.com`. */
export const withoutDetail = (address: string): string => address.replace(/^([^@+]+)\+[^@]*@/, "$1@")

/** The domain of an address. */
export const addressDomain = (address: string): string => address.slice(address.lastIndexOf("@") + 1)

/** An address with an optional display name (RFC 5322 mailbox). */
export interface Mailbox {
  readonly name?: string | undefined
  readonly address: EmailAddress
}

/** A mailbox as `MailboxText` reads it. */
export const mailboxText = ({ address, name }: Mailbox): string =>
  name === undefined ? address : `${name} <${address}>`

const NamedAddress = Schema.Struct({ name: Schema.optional(Schema.String), address: Schema.typeSchema(EmailAddress) })

/** The domain of a mailbox as `mailboxText` writes it. */
export const mailboxDomain = (text: string): string => addressDomain(text).replace(/>$/, "").toLowerCase()

/** A sender as callers write it: `ada@example.com` or `Ada Lovelace <ada@example.com>`. */
export const MailboxText = Schema.transformOrFail(Schema.String, NamedAddress, {
  strict: true,
  decode: (text, _, ast) => {
    const named = /^([^<>\r\n]{0,200})<([^<>]*)>$/u.exec(text.trim())
    const name = named?.[1]?.trim().replace(/^"(.*)"$/, (_, quoted: string) => quoted.replace(/\\(.)/g, "$1"))
    return Either.mapBoth(parse(named?.[2] ?? text.trim()), {
      onLeft: (message) => new ParseResult.Type(ast, text, message),
      onRight: (address) => ({
        ...(name ? { name } : {}),
        address: Parsed.make(address, { disableValidation: true })
      })
    })
  },
  encode: (mailbox) => ParseResult.succeed(mailboxText(mailbox))
}).annotations({
  identifier: "MailboxText",
  description: "an email address, or a name and an email address in angle brackets",
  jsonSchema: {
    type: "string",
    pattern: `^\\s*(?:[^<>\\r\\n]{0,200}<${addressForm}>|${addressForm})\\s*$`,
    allOf: [{ pattern: "^(?:[^<]*<|\\s*)[^@<\\s]{1,64}@" }],
    examples: ["Ada Lovelace <ada@example.com>"]
  }
})

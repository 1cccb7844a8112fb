import { Either, Option, ParseResult, Schema } from "effect"

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const dotAtom = new RegExp(`^${atom}(?:\\.${atom})*$`)
const label = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/
const ascii = /^[\x21-\x7e]*$/

/** Longest address: 254 octets (RFC 5321 section 4.5.3.1.3 less the angle brackets). */
const longestAddress = 254
const longestLocalPart = 64
const longestDomain = 253

/** The domain in lower case, its non-ASCII labels as A-labels (RFC 5891); none if it is no dotted host name. */
export const domainToAscii = (domain: string): Option.Option<string> => {
  if (domain.length > longestDomain) return Option.none()
  // The URL parser knows IDNA, but also folds percent signs and numbers: whatever is ASCII must be plain already.
  if (/[^\u0080-\uffffA-Za-z0-9.-]/.test(domain)) return Option.none()
  const url = `http://${domain}`
  const host = ascii.test(domain) ? domain.toLowerCase() : URL.canParse(url) ? new URL(url).hostname : ""
  const labels = host.split(".")
  const wellFormed = labels.length > 1 && labels.every((part) => label.test(part)) && /[a-z]/.test(labels.at(-1) ?? "")
  return wellFormed && host.length <= longestDomain ? Option.some(host) : Option.none()
}

const parse = (text: string): Either.Either<string, string> => {
  // The length comes first: everything after it may then take its time.
  if (text.length > longestAddress) return Either.left(`must be at most ${longestAddress} characters`)
  const at = text.lastIndexOf("@")
  const local = text.slice(0, at)
  if (at < 1) return Either.left("must be an email address like ada@example.com")
  if (/[^\p{ASCII}]/u.test(local)) return Either.left("must have only ASCII letters before the @")
  if (local.length > longestLocalPart) {
    return Either.left(`must have at most ${longestLocalPart} characters before the @`)
  }
  if (!dotAtom.test(local)) return Either.left("must be an email address like ada@example.com")
  return Option.match(domainToAscii(text.slice(at + 1)), {
    onNone: () => Either.left("must be an email address like ada@example.com"),
    onSome: (domain) =>
      local.length + 1 + domain.length > longestAddress
        ? Either.left(`must be at most ${longestAddress} characters`)
        : Either.right(`${local}@${domain}`)
  })
}

const Parsed = Schema.String.pipe(Schema.brand("EmailAddress"))

/**
 * One `local@domain` (RFC 5321 Mailbox) with a dotted domain: no quotes, comments, groups or address literals.
 * The domain is kept in lower case and as A-labels, the local part as it was given.
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
  jsonSchema: { type: "string", format: "email", maxLength: longestAddress, examples: ["ada@example.com"] }
})
export type EmailAddress = typeof EmailAddress.Type

/** Two addresses with the same key are one recipient: mailboxes differ by case nowhere that matters. */
export const addressKey = (address: EmailAddress): string => address.toLowerCase()

/** The address without the detail after a `+` (RFC 5233): `support+x@example.com` is `support@example.com`. */
export const withoutDetail = (address: string): string => address.replace(/^([^@+]+)\+[^@]*@/, "$1@")

/** The part after the `@`. */
export const addressDomain = (address: EmailAddress): string => address.slice(address.lastIndexOf("@") + 1)

/** An address with the name that is shown for it (RFC 5322 mailbox). */
export interface Mailbox {
  readonly name?: string | undefined
  readonly address: EmailAddress
}

const NamedAddress = Schema.Struct({ name: Schema.optional(Schema.String), address: Schema.typeSchema(EmailAddress) })

/** `ada@example.com` or `Ada Lovelace <ada@example.com>`, as a caller writes a sender. */
export const MailboxText = Schema.transformOrFail(Schema.String, NamedAddress, {
  strict: true,
  decode: (text, _, ast) => {
    const named = /^([^<>\r\n]{0,200})<([^<>]*)>$/.exec(text.trim())
    const name = named?.[1]?.trim().replace(/^"(.*)"$/, "$1")
    return Either.mapBoth(parse(named?.[2] ?? text.trim()), {
      onLeft: (message) => new ParseResult.Type(ast, text, message),
      onRight: (address) => ({
        ...(name ? { name } : {}),
        address: Parsed.make(address, { disableValidation: true })
      })
    })
  },
  encode: ({ address, name }) => ParseResult.succeed(name === undefined ? address : `${name} <${address}>`)
}).annotations({
  identifier: "MailboxText",
  description: "an email address, or a name and an email address in angle brackets",
  jsonSchema: { type: "string", examples: ["Ada Lovelace <ada@example.com>"] }
})

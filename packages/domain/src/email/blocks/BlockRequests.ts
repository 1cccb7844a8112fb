import { Either, Option, ParseResult, Schema } from "effect"
import { clearable } from "../../Clearable.js"
import { IsoDateTime } from "../../IsoDateTime.js"
import { Category } from "../../messages/Categories.js"
import { oneOf } from "../../OneOf.js"
import { SearchText } from "../../Search.js"
import { domainForm } from "../AddressForms.js"
import { domainToAscii, EmailAddress } from "../EmailAddress.js"
import { BlockReason } from "./Block.js"

/** A domain in lower case and A-labels, as addresses of recipients are stored. */
const Domain = Schema.transformOrFail(Schema.String, Schema.String, {
  strict: true,
  decode: (text, _, ast) =>
    Either.fromOption(
      Option.filter(domainToAscii(text), () => !text.includes("@")),
      () => new ParseResult.Type(ast, text, "must be a domain like example.com")
    ),
  encode: ParseResult.succeed
}).annotations({
  description: "a domain",
  jsonSchema: {
    type: "string",
    format: "idn-hostname",
    pattern: `^${domainForm}$`,
    maxLength: 253,
    examples: ["example.com"]
  }
})

const newBlock = {
  reason: Schema.optional(BlockReason),
  category: Schema.optional(Category),
  expiresAt: Schema.optional(IsoDateTime)
}

/**
 * A new block on an address, or on all addresses of a domain but not its subdomains. Without a category it applies to
 * all mail.
 */
export const CreateBlock = Schema.Struct({
  ...newBlock,
  email: Schema.optional(EmailAddress),
  domain: Schema.optional(Domain)
})
  .pipe(
    Schema.filter(({ domain, email }) => {
      if (email === undefined && domain === undefined) return { path: ["email"], message: "is required without domain" }
      return email === undefined || domain === undefined
        ? undefined
        : { path: ["domain"], message: "must be left out where email is given" }
    })
  )
  .annotations({
    identifier: "CreateBlock",
    jsonSchema: oneOf(
      Schema.Struct({ email: EmailAddress, ...newBlock }),
      Schema.Struct({ domain: Domain, ...newBlock })
    )
  })
export type CreateBlock = typeof CreateBlock.Type

/** The fields to change; omitted fields stay. Null resets a field that a creation may omit. */
export const UpdateBlock = Schema.Struct({
  reason: clearable(BlockReason),
  expiresAt: clearable(IsoDateTime)
}).annotations({ identifier: "UpdateBlock" })
export type UpdateBlock = typeof UpdateBlock.Type

/** Filters of a list of blocks; `search` matches the address or domain. */
export const BlockFilters = Schema.Struct({
  reason: Schema.optional(BlockReason),
  search: Schema.optional(SearchText)
})
export type BlockFilters = typeof BlockFilters.Type

import { Schema } from "effect"
import { SearchText } from "../../Search.js"
import { filledText } from "../../Text.js"
import { DomainName } from "./DomainName.js"
import { EmailDomainStatus } from "./EmailDomain.js"

/** A domain to send from. */
export const CreateEmailDomain = Schema.Struct({ domain: DomainName }).annotations({ identifier: "CreateEmailDomain" })
export type CreateEmailDomain = typeof CreateEmailDomain.Type

/** A request for one of the organization's domains, by name. */
export const NamedEmailDomain = Schema.Struct({
  domain: filledText
}).annotations({ identifier: "NamedEmailDomain" })
export type NamedEmailDomain = typeof NamedEmailDomain.Type

/** Filters of a list of domains; `search` matches the name. */
export const EmailDomainFilters = Schema.Struct({
  status: Schema.optional(EmailDomainStatus),
  search: Schema.optional(SearchText)
})
export type EmailDomainFilters = typeof EmailDomainFilters.Type

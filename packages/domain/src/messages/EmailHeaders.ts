import { Schema } from "effect"
import { atom } from "../email/AddressForms.js"
import { parametersForm, token } from "../MediaType.js"
import { line } from "../Text.js"

/** RFC 5322 section 2.2: printable US-ASCII except the colon. */
const headerName = /^[!-9;-~]{1,76}$/

/** Headers that the service sets, or that would change the recipients or the MIME structure. */
const reserved =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|in-reply-to|references|return-path|received|mime-version|feedback-id|authentication-results|delivered-to|envelope-to|list-(?!id$).*|(?:content|dkim|arc|resent|x-switchboard)-.*|dkim.*)$/i

/**
 * Characters of a word in a header. A header is folded at spaces, and a line has at most 998 characters including the
 * header's name (RFC 5322 section 2.1.1).
 */
export const maxHeaderWord = 900

const longWord = new RegExp(`[^ ]{${maxHeaderWord + 1}}`)

/** A value with non-ASCII characters is encoded, and can be folded anywhere. */
const isTooLong = (value: string) => /^[ -~]*$/.test(value) && longWord.test(value)

/** An identifier of a list: a description, and labels in angle brackets (RFC 2919 section 3). */
export const listId = new RegExp(`^([^<>]*)<((?=[^>]{1,255}>)${atom}(?:\\.${atom})+)>$`)

/** The fields that have a grammar, by name in lower case. */
const grammars = new Map([
  // RFC 3834 section 5
  [
    "auto-submitted",
    { form: new RegExp(`^${token}${parametersForm}$`), sentence: "must be a keyword like auto-generated" }
  ],
  ["list-id", { form: listId, sentence: "must be the id of a list like News <news.example.com>" }]
])

/** Additional headers of a message. Line breaks are rejected: they would inject another header. */
export const EmailHeaders = Schema.Record({ key: Schema.String, value: line(0, 2_000) })
  .pipe(
    Schema.filter(
      (headers) =>
        Object.entries(headers).flatMap(([name, value]) => {
          if (!headerName.test(name)) return [{ path: [name], message: "is not a header name" }]
          if (reserved.test(name)) return [{ path: [name], message: "is set by the service" }]
          const grammar = grammars.get(name.toLowerCase())
          if (grammar?.form.test(value) === false) return [{ path: [name], message: grammar.sentence }]
          return isTooLong(value)
            ? [{ path: [name], message: `must not have more than ${maxHeaderWord} characters without a space` }]
            : []
        }),
      { jsonSchema: { propertyNames: { pattern: headerName.source } } }
    )
  )
  .annotations({ identifier: "EmailHeaders", description: "a map from header names to values" })

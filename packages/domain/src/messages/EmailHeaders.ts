import { Schema } from "effect"
import { atom } from "../email/AddressForms.js"
import { parametersForm, token } from "../MediaType.js"
import { line } from "../Text.js"

/** RFC 5322 section 2.2: printable US-ASCII except the colon. */
const headerName = /^[!-9;-~]{1,76}$/

/** Headers that the service sets, or that would change the recipients or the MIME structure. */
const reserved =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|return-path|received|mime-version|feedback-id|authentication-results|delivered-to|envelope-to|list-(?!(?:id|unsubscribe|unsubscribe-post)$).*|(?:content|dkim|arc|resent|x-switchboard)-.*|dkim.*)$/i

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

const messageId = "<[!-;=?-~]+>"

/** Message-IDs (RFC 5322 section 3.6.4). */
const messageIds = {
  form: new RegExp(`^${messageId}(?: ${messageId})*$`),
  sentence: "must be Message-IDs like <id@example.com>, separated by spaces"
}

const unsubscribeUri = "<(?:https?://|mailto:)[!-;=?-~]+>"

/** The headers of a link to unsubscribe of the sender's own, in lower case. For marketing mail the service sets them. */
export const unsubscribeNames: ReadonlySet<string> = new Set(["list-unsubscribe", "list-unsubscribe-post"])

/** The fields that have a grammar, by name in lower case. Each occurs once in a mail. */
const grammars = new Map([
  ["in-reply-to", messageIds],
  ["references", messageIds],
  // RFC 2369 section 2
  [
    "list-unsubscribe",
    {
      form: new RegExp(`^${unsubscribeUri}(?:, ?${unsubscribeUri})*$`, "i"),
      sentence: "must be URLs like <https://example.com/unsubscribe>, separated by commas"
    }
  ],
  // RFC 8058 section 3.1
  ["list-unsubscribe-post", { form: /^List-Unsubscribe=One-Click$/, sentence: "must be List-Unsubscribe=One-Click" }],
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
        Object.entries(headers).flatMap(([name, value], index, all) => {
          if (!headerName.test(name)) return [{ path: [name], message: "is not a header name" }]
          if (reserved.test(name)) return [{ path: [name], message: "is set by the service" }]
          const key = name.toLowerCase()
          const grammar = grammars.get(key)
          if (grammar !== undefined && all.slice(0, index).some(([earlier]) => earlier.toLowerCase() === key))
            return [{ path: [name], message: "must be given once" }]
          if (grammar?.form.test(value) === false) return [{ path: [name], message: grammar.sentence }]
          return isTooLong(value)
            ? [{ path: [name], message: `must not have more than ${maxHeaderWord} characters without a space` }]
            : []
        }),
      { jsonSchema: { propertyNames: { pattern: headerName.source } } }
    )
  )
  .annotations({
    identifier: "EmailHeaders",
    description:
      "a map from header names to values. `In-Reply-To` and `References` put the message into the thread of the message that they name."
  })
export type EmailHeaders = typeof EmailHeaders.Type

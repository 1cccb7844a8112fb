import { Schema } from "effect"

/** RFC 5322 section 2.2: printable US-ASCII but the colon. */
const headerName = /^[!-9;-~]{1,76}$/

/** What the service writes itself, or what would change who gets the mail and how it is read. */
const reserved =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|in-reply-to|references|return-path|received|mime-version|feedback-id|authentication-results|delivered-to|envelope-to|auto-submitted|(?:content|dkim|arc|list|resent|x-switchboard)-.*|dkim.*)$/i

/**
 * Characters of the longest word in a header. A header is folded at spaces, and no line may have more than 998
 * characters with the header's name (RFC 5322 section 2.1.1).
 */
export const maxHeaderWord = 900

const longWord = new RegExp(`[^ ]{${maxHeaderWord + 1}}`)

/** A value with other characters than ASCII is encoded, and an encoded value can be folded anywhere. */
const isTooLong = (value: string) => /^[ -~]*$/.test(value) && longWord.test(value)

/** Headers of the caller's own. Line breaks are refused: they would start another header. */
export const EmailHeaders = Schema.Record({ key: Schema.String, value: Schema.String })
  .pipe(
    Schema.filter((headers) =>
      Object.entries(headers).flatMap(([name, value]) => {
        if (!headerName.test(name)) return [{ path: [name], message: "is not a header name" }]
        if (reserved.test(name)) return [{ path: [name], message: "is set by the service" }]
        if (/[\r\n]/.test(value)) return [{ path: [name], message: "must not contain line breaks" }]
        if (value.length > 2_000) return [{ path: [name], message: "must be at most 2000 characters" }]
        return isTooLong(value)
          ? [{ path: [name], message: `must not have more than ${maxHeaderWord} characters without a space` }]
          : []
      })
    )
  )
  .annotations({ identifier: "EmailHeaders", description: "a map from header names to values" })

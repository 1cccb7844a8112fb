import { isAutomaticSubject } from "../threads/BaseSubject.js"

/** The properties of a mail that identify automatic replies. Header names are in lower case. */
export interface AutomaticReplyHints {
  /** Empty for a notification (RFC 5321 section 4.5.5). */
  readonly mailFrom: string
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string }>
}

/** The first word of a header's value, in lower case, without comments and parameters. */
const keyword = (value: string): string => /^[^\s;,(]*/.exec(value.trim().toLowerCase())?.[0] ?? ""

const bulkPrecedence: ReadonlyArray<string> = ["bulk", "list", "junk", "auto_reply", "auto-reply"]

/** Headers that only automatic mail has, with any value but `no`. */
const automaticHeaders: ReadonlyArray<string> = [
  "list-id",
  "x-autoreply",
  "x-auto-reply",
  "x-auto-reply-from",
  "x-autorespond",
  "x-autoresponder",
  "x-mail-autoreply"
]

const isSign = ({ name, value }: AutomaticReplyHints["headers"][number]): boolean => {
  const word = keyword(value)
  switch (name) {
    // RFC 3834 section 5: every value but "no", including future ones.
    case "auto-submitted":
      return word !== "" && word !== "no"
    case "precedence":
      return bulkPrecedence.includes(word)
    case "x-auto-response-suppress":
      return word !== "" && word !== "none"
    // Exchange and many other responders mark their mail only by the subject.
    case "subject":
      return isAutomaticSubject(value)
    default:
      return automaticHeaders.includes(name) && word !== "no"
  }
}

/** Whether a program wrote a mail (RFC 3834, and older headers). A reply to such mail could loop. */
export const isAutomaticReply = ({ headers, mailFrom }: AutomaticReplyHints): boolean =>
  mailFrom.replace(/^<|>$/g, "").trim() === "" || headers.some(isSign)

import { isAutomaticSubject } from "../threads/BaseSubject.js"

/** What is asked of a mail: its reverse-path, and its headers with their names in lower case. */
export interface AutomaticReplySigns {
  /** Empty for a notification (RFC 5321 section 4.5.5). */
  readonly mailFrom: string
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string }>
}

/** The first word of a header's value in lower case, without comments and parameters. */
const keyword = (value: string): string => /^[^\s;,(]*/.exec(value.trim().toLowerCase())?.[0] ?? ""

const bulkPrecedence: ReadonlyArray<string> = ["bulk", "list", "junk", "auto_reply", "auto-reply"]

/** Headers that say it by being there: whoever writes by hand has none of them. */
const tellTales: ReadonlyArray<string> = [
  "list-id",
  "x-autoreply",
  "x-auto-reply",
  "x-auto-reply-from",
  "x-autorespond",
  "x-autoresponder",
  "x-mail-autoreply"
]

const isSign = ({ name, value }: AutomaticReplySigns["headers"][number]): boolean => {
  const word = keyword(value)
  switch (name) {
    // RFC 3834 section 5: every value but "no", those of tomorrow too.
    case "auto-submitted":
      return word !== "" && word !== "no"
    case "precedence":
      return bulkPrecedence.includes(word)
    case "x-auto-response-suppress":
      return word !== "" && word !== "none"
    // Exchange and many responders set no other sign when a rule of the mailbox answers.
    case "subject":
      return isAutomaticSubject(value)
    default:
      return tellTales.includes(name) && word !== "no"
  }
}

/** Whether a program wrote a mail (RFC 3834, and the ways that are older): it is no news from a person, and answering it may never end. */
export const isAutomaticReply = ({ headers, mailFrom }: AutomaticReplySigns): boolean =>
  mailFrom.replace(/^<|>$/g, "").trim() === "" || headers.some(isSign)

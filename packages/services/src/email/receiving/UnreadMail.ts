import { addressesIn } from "@switchboard/domain/email/feedback/Addresses"
import { fieldOf, type ReportFields, readFieldGroups } from "@switchboard/domain/email/feedback/ReportFields"
import { partText } from "@switchboard/domain/email/feedback/ReportPart"
import type { HeaderAddress, ReadMail } from "./ReadMail.js"

/** What is looked at of a mail that can't be read, and kept of its header. */
const maxHeaderOctets = 64 * 1024
const mostFields = 200
const longestValue = 1_000
const mostAddresses = 50

const endOfHeader = /\r?\n[ \t]*\r?\n/

const headerOf = (raw: Uint8Array): ReportFields => {
  const text = partText({ contentType: "text/rfc822-headers", content: raw.subarray(0, maxHeaderOctets) })
  const [fields = []] = readFieldGroups(text.split(endOfHeader, 1)[0] ?? "")
  return fields
    .slice(0, mostFields)
    .map(({ name, value }) => ({ name, value: value.slice(0, longestValue).replace(/[\ud800-\udbff]$/, "") }))
}

const mailboxes = (value: string): ReadonlyArray<HeaderAddress> =>
  addressesIn(value)
    .slice(0, mostAddresses)
    .map((address) => ({ name: "", address }))

const messageIds = (value: string): ReadonlyArray<string> => value.match(/<[^<>\s]{1,998}>/g) ?? []

/**
 * A mail that can't be read, as far as its header goes by itself. Whoever it is for sees that it came and why it is not
 * shown, and has it as it is.
 */
export const unreadMail = (raw: Uint8Array, problem: string): ReadMail => {
  const headers = headerOf(raw)
  const value = (name: string) => fieldOf(headers, name)
  return {
    headers,
    messageId: messageIds(value("message-id"))[0] ?? "",
    inReplyTo: messageIds(value("in-reply-to")),
    references: messageIds(value("references")),
    from: mailboxes(value("from"))[0] ?? { name: "", address: "" },
    replyTo: mailboxes(value("reply-to")),
    to: mailboxes(value("to")),
    cc: mailboxes(value("cc")),
    subject: value("subject"),
    text: `This mail can't be read. ${problem}. It is attached as it came.`,
    html: "",
    parts: [
      {
        filename: "unread.eml",
        contentType: "message/rfc822",
        contentId: null,
        isInline: false,
        content: raw
      }
    ]
  }
}

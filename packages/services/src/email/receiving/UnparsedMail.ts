import { addressesIn } from "@switchboard/domain/email/feedback/Addresses"
import { fieldOf, type ReportFields, readFieldGroups } from "@switchboard/domain/email/feedback/ReportFields"
import { partText } from "@switchboard/domain/email/feedback/ReportPart"
import type { HeaderAddress, ReadMail } from "./ReadMail.js"

/** Limits of the header fields that are read if the mail can't be parsed. */
const maxHeaderOctets = 64 * 1024
const maxFields = 200
const maxValueLength = 1_000
const maxAddresses = 50

const endOfHeader = /\r?\n[ \t]*\r?\n/

const headerOf = (raw: Uint8Array): ReportFields => {
  const text = partText({ contentType: "text/rfc822-headers", content: raw.subarray(0, maxHeaderOctets) })
  const [fields = []] = readFieldGroups(text.split(endOfHeader, 1)[0] ?? "")
  return fields
    .slice(0, maxFields)
    .map(({ name, value }) => ({ name, value: value.slice(0, maxValueLength).replace(/[\ud800-\udbff]$/, "") }))
}

const mailboxes = (value: string): ReadonlyArray<HeaderAddress> =>
  addressesIn(value)
    .slice(0, maxAddresses)
    .map((address) => ({ name: "", address }))

const messageIds = (value: string): ReadonlyArray<string> => value.match(/<[^<>\s]{1,998}>/g) ?? []

/**
 * The header of an unreadable mail, as far as it can be parsed, with the raw mail attached. The text states the reason.
 */
export const unparsedMail = (raw: Uint8Array, problem: string): ReadMail => {
  const headers = headerOf(raw)
  const value = (name: string) => fieldOf(headers, name)
  const text = `This mail can't be read. ${problem}. The original mail is attached.`
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
    text,
    html: "",
    replyText: text,
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

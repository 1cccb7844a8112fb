import { listId } from "@switchboard/domain/messages/EmailHeaders"
import type { NamedAddress } from "@switchboard/services/messages/delivery/MailTransport"
import { encodedWords } from "./EncodedWords.js"
import { headerField, isPlain, oneLine } from "./HeaderField.js"

const maxTokenLength = 64
const atoms = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/** A display name as atoms, a quoted string or encoded words: the first of them that preserves the name. */
const phrase = (name: string): ReadonlyArray<string> => {
  if (!isPlain(name)) return encodedWords(name)
  const tokens = name.split(" ")
  if (atoms.test(name) && tokens.every(({ length }) => length <= maxTokenLength)) return tokens
  const quoted = `"${name.replace(/["\\]/g, "\\$&")}"`
  return quoted.length <= maxTokenLength ? [quoted] : encodedWords(name)
}

/** Removes the characters that would end the address or inject another one. */
const addressText = (address: string) => address.replace(/[^!-~]|[<>,;]/g, "")

const mailbox = ({ address, name = "" }: NamedAddress): ReadonlyArray<string> => {
  const display = oneLine(name)
  return display.trim() === "" ? [addressText(address)] : [...phrase(display), `<${addressText(address)}>`]
}

/** A header field with a mailbox list; empty for an empty list. */
export const mailboxField = (name: string, mailboxes: ReadonlyArray<NamedAddress>): string =>
  mailboxes.length === 0
    ? ""
    : headerField(
        name,
        mailboxes.flatMap((one, index) => {
          const tokens = mailbox(one)
          return index === mailboxes.length - 1 ? tokens : [...tokens.slice(0, -1), `${tokens.at(-1)},`]
        })
      )

/** A List-Id header field (RFC 2919). The description is encoded as a display name. */
export const listIdField = (value: string): string => {
  const [, description = "", id = ""] = listId.exec(oneLine(value)) ?? []
  const name = description.trim().replace(/^"(.*)"$/, "$1")
  return headerField("List-Id", [...(name === "" ? [] : phrase(name)), `<${id}>`])
}

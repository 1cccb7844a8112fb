import type { NamedAddress } from "@switchboard/services/messages/delivery/MailTransport"
import { encodedWords } from "./EncodedWords.js"
import { headerField, isPlain, oneLine } from "./HeaderField.js"

const maxToken = 64
const atoms = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/** A display name as atoms, a quoted string or encoded words, the first of these that gives it back unchanged. */
const phrase = (name: string): ReadonlyArray<string> => {
  if (!isPlain(name)) return encodedWords(name)
  const tokens = name.split(" ")
  if (atoms.test(name) && tokens.every(({ length }) => length <= maxToken)) return tokens
  const quoted = `"${name.replace(/["\\]/g, "\\$&")}"`
  return quoted.length <= maxToken ? [quoted] : encodedWords(name)
}

/** Without the characters that would end the address or begin another one. */
const addressText = (address: string) => address.replace(/[^!-~]|[<>,;]/g, "")

const mailbox = ({ address, name = "" }: NamedAddress): ReadonlyArray<string> => {
  const display = oneLine(name)
  return display.trim() === "" ? [addressText(address)] : [...phrase(display), `<${addressText(address)}>`]
}

/** A header field with addresses; empty without any. */
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

import type { Draft } from "../../app/Types.js"
import { mailboxText } from "../../components/MailboxText.js"
import { entriesOf, recipientOf } from "../send/Content.js"

type Recipient = Draft["recipients"][number]

/** A recipient as text: `Ada <ada@example.com>`. */
export const recipientText = ({
  email = "",
  name = "",
  participantId = "",
  phone = "",
  whatsappId = ""
}: Recipient) => {
  const address = email || phone || whatsappId || participantId
  return mailboxText(address, /[,;]/.test(name) ? `"${name}"` : name)
}

/**
 * The recipients of a form. An entry that is the text of a recipient of the draft stays that recipient, with the fields
 * that the form does not show.
 */
export const recipientsOf = (text: string, { recipients }: Draft): ReadonlyArray<Recipient> =>
  entriesOf(text).map(
    (entry) => recipients.find((recipient) => recipientText(recipient) === entry) ?? recipientOf(entry)
  )

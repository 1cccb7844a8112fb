import type { Draft } from "../../app/Types.js"

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
  return name === "" ? address : `${name} <${address}>`
}

const named = /^(.*?)\s*<([^<>]*)>$/

/**
 * The recipients of a form: one on each line. A line that is the text of a recipient of the draft stays that recipient,
 * with the fields that the form does not show.
 */
export const recipientsOf = (text: string, { recipients }: Draft): ReadonlyArray<Recipient> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const known = recipients.find((recipient) => recipientText(recipient) === line)
      if (known !== undefined) return known
      const [, name = "", email = ""] = named.exec(line) ?? []
      if (email === "") return { email: line }
      return name === "" ? { email } : { email, name }
    })

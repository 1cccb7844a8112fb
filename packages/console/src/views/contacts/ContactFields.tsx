import type { Participant } from "../../app/Types.js"
import { TextField } from "../../components/Field.js"
import { requiredText, textOf } from "../../components/FormValues.js"
import { MetadataField, metadataOf } from "../../components/MetadataField.js"

/** The request of a form. Empty fields are undefined. */
export const contactOf = (form: FormData) => ({
  name: requiredText(form, "name"),
  displayName: textOf(form, "displayName"),
  email: textOf(form, "email"),
  phone: textOf(form, "phone"),
  whatsappId: textOf(form, "whatsappId"),
  country: textOf(form, "country"),
  region: textOf(form, "region"),
  metadata: metadataOf(form)
})

/** All addresses of a participant. */
export const addressesOf = ({ channelIdentities: { email = [], phone = [], whatsapp = [] } }: Participant) => [
  ...new Set([...email, ...phone, ...whatsapp])
]

/** The fields of a new contact, or of one to change. A participant with several addresses of a kind shows the first. */
export const ContactFields = ({ participant }: { readonly participant?: Participant }) => {
  const { email = [], phone = [], whatsapp = [] } = participant?.channelIdentities ?? {}
  return (
    <>
      <TextField label="Name" name="name" required placeholder="Ada Lovelace" value={participant?.name ?? ""} />
      <TextField
        label="Display name"
        name="displayName"
        placeholder="the name"
        value={participant?.displayName ?? ""}
        hint="Shown in place of the name."
      />
      <TextField
        label="E-mail address"
        name="email"
        inputMode="email"
        placeholder="ada@example.com"
        value={email[0] ?? ""}
        {...(email.length > 1 ? { hint: `It replaces all of: ${email.join(", ")}` } : {})}
      />
      <TextField
        label="Phone number"
        name="phone"
        inputMode="tel"
        placeholder="+49 30 123456"
        value={phone[0] ?? ""}
        hint="With the country code."
      />
      <TextField
        label="WhatsApp number"
        name="whatsappId"
        inputMode="tel"
        placeholder="+49 30 123456"
        value={whatsapp[0] ?? ""}
      />
      <TextField
        label="Country"
        name="country"
        placeholder="DE"
        value={participant?.country ?? ""}
        hint="The code of two letters (ISO 3166-1)."
      />
      <TextField label="Region" name="region" placeholder="Berlin" value={participant?.region ?? ""} />
      <MetadataField value={participant?.metadata} />
    </>
  )
}

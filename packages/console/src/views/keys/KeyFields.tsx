import type { ApiKey } from "../../app/Types.js"
import { TextField } from "../../components/Field.js"
import { requiredText, textOf } from "../../components/FormValues.js"
import { localTime } from "../../components/LocalTime.js"
import { grantedBy, PermissionFields } from "./PermissionFields.js"

/** The request of a form. Empty fields are undefined. */
export const keyOf = (form: FormData) => {
  const expiresAt = textOf(form, "expiresAt")
  return {
    name: requiredText(form, "name"),
    description: textOf(form, "description"),
    expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
    ...grantedBy(form)
  }
}

/** The fields of a new key, or of one to change. */
export const KeyFields = ({ apiKey }: { readonly apiKey?: ApiKey }) => (
  <>
    <TextField label="Name" name="name" required placeholder="shop" value={apiKey?.name ?? ""} />
    <TextField label="Description" name="description" value={apiKey?.description ?? ""} />
    <TextField
      label="Expires"
      name="expiresAt"
      isTime
      value={apiKey?.expiresAt === undefined ? "" : localTime(apiKey.expiresAt)}
      hint="Default: never."
    />
    <PermissionFields {...(apiKey === undefined ? {} : { apiKey })} />
  </>
)

import { client } from "../../app/Client.js"
import { navigate } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import { showDone } from "../../app/Toasts.js"
import type { ApiKey } from "../../app/Types.js"
import { ActionButton } from "../../components/ActionButton.js"
import { SelectField } from "../../components/Field.js"
import { FormDialog } from "../../components/FormDialog.js"
import { requiredText } from "../../components/FormValues.js"
import { SecretFormDialog } from "../../components/SecretFormDialog.js"
import { KeyFields, keyOf } from "./KeyFields.js"

interface KeyActionsProps {
  readonly apiKey: ApiKey
  readonly changed: (apiKey: ApiKey) => void
}

/** Seconds for which the old value works after a rotation, with their labels. */
const gracePeriods = [
  ["0", "not at all"],
  ["3600", "for one hour"],
  ["86400", "for one day"]
] as const

/** The actions of a key. */
export const KeyActions = ({ apiKey, changed }: KeyActionsProps) => {
  const { id, isActive, name } = apiKey
  const edit = async (form: FormData) => {
    const { description = null, expiresAt = null, ...fields } = keyOf(form)
    changed(await client.apiKeys.update({ path: { id }, payload: { ...fields, description, expiresAt } }))
    showDone("The key is saved")
  }
  const setActive = async () => {
    changed(await client.apiKeys.update({ path: { id }, payload: { isActive: !isActive } }))
    showDone(isActive ? "The key is rejected from now on" : "The key works again")
  }
  const rotate = async (form: FormData) => {
    const gracePeriodSeconds = Number(requiredText(form, "gracePeriod"))
    const rotated = await client.apiKeys.rotate({ path: { id }, payload: { gracePeriodSeconds } })
    return { value: rotated.key, done: () => changed({ ...rotated, key: `${rotated.start}…` }) }
  }
  const remove = async () => {
    await client.apiKeys.remove({ path: { id } })
    showDone("The key is deleted")
    navigate(linkTo(paths.keys, {}))
  }
  return (
    <>
      <FormDialog label="Edit" permission="apiKeys.write" submitLabel="Save" submit={edit}>
        <KeyFields apiKey={apiKey} />
      </FormDialog>
      <SecretFormDialog label="Rotate" permission="apiKeys.write" submitLabel="Rotate" secretName="key" submit={rotate}>
        <p>The key gets a new value. Its name and its permissions stay.</p>
        <SelectField label="The old value still works" name="gracePeriod" options={gracePeriods} />
      </SecretFormDialog>
      {isActive ? (
        <ActionButton
          label="Deactivate"
          permission="apiKeys.write"
          confirm={`Requests with the key ${name} are rejected until it is activated again.`}
          action={setActive}
        />
      ) : (
        <ActionButton label="Activate" permission="apiKeys.write" action={setActive} />
      )}
      <ActionButton
        label="Delete"
        kind="danger"
        permission="apiKeys.write"
        confirm={`Delete the key ${name}? Requests with it are rejected permanently.`}
        action={remove}
      />
    </>
  )
}

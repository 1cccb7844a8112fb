import { client } from "../../app/Client.js"
import { navigate } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import { showDone, showFailed } from "../../app/Toasts.js"
import type { EmailDomain } from "../../app/Types.js"
import { ActionButton } from "../../components/ActionButton.js"
import { CheckField, TextField } from "../../components/Field.js"
import { FormDialog } from "../../components/FormDialog.js"
import { isChecked, textsOf } from "../../components/FormValues.js"
import { correctText } from "./DomainRecords.js"

interface DomainActionsProps {
  readonly domain: EmailDomain
  readonly changed: () => void
}

/** The actions of a domain. */
export const DomainActions = ({ changed, domain: { domain, id, status } }: DomainActionsProps) => {
  const verify = async () => {
    const { records, success } = await client.domains.verify({ payload: { domain } })
    if (success) showDone("The domain is verified")
    else showFailed(`The domain is not verified: ${correctText(records)} as expected`)
    changed()
  }
  const rotate = async () => {
    await client.domains.rotateDkim({ path: { id } })
    showDone("The other DKIM key signs from now on")
    changed()
  }
  const receive = async (form: FormData) => {
    const addresses = textsOf(form, "addresses")
    const { recipients } = await client.receiving.enable({
      payload: { domain, addresses, catchAll: isChecked(form, "catchAll") }
    })
    showDone(recipients.length === 0 ? "Mail is received" : `Mail is received for ${recipients.join(", ")}`)
    changed()
  }
  const remove = async () => {
    await client.domains.remove({ path: { id } })
    showDone("The domain is deleted")
    navigate(linkTo(paths.domains, {}))
  }
  return (
    <>
      <ActionButton label="Verify" icon="check" kind="primary" permission="domains.write" action={verify} />
      {status === "verified" && (
        <FormDialog label="Receive mail" permission="domains.write" submitLabel="Receive" submit={receive}>
          <TextField
            label="Addresses"
            name="addresses"
            lines={4}
            placeholder="support"
            hint="One on each line, complete or the part before the @. They replace the earlier ones."
          />
          <CheckField label="Receive mail to all other addresses too (catch-all)" name="catchAll" />
        </FormDialog>
      )}
      <ActionButton
        label="Rotate DKIM"
        permission="domains.write"
        confirm="The other key signs from now on, and a new key replaces the earlier one. Publish the new record before the next rotation."
        action={rotate}
      />
      <ActionButton
        label="Delete"
        kind="danger"
        permission="domains.write"
        confirm={`Delete ${domain} with its keys and its receiving addresses? Mail from it is rejected afterwards.`}
        action={remove}
      />
    </>
  )
}

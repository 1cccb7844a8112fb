import { eventTypes } from "@switchboard/domain/events/EventType"
import { client } from "../../app/Client.js"
import { navigate } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import { showDone, showFailed } from "../../app/Toasts.js"
import type { WebhookEndpoint } from "../../app/Types.js"
import { ActionButton } from "../../components/ActionButton.js"
import { SelectField, TextField } from "../../components/Field.js"
import { FormDialog } from "../../components/FormDialog.js"
import { requiredText } from "../../components/FormValues.js"
import { localTime } from "../../components/LocalTime.js"
import { now } from "../../components/Now.js"
import { SecretFormDialog } from "../../components/SecretFormDialog.js"
import { attemptResult } from "./DeliveryText.js"
import { EndpointFields, endpointOf } from "./EndpointFields.js"

interface WebhookActionsProps {
  readonly endpoint: WebhookEndpoint
  readonly changed: () => void
}

const eventOptions = eventTypes.map((type) => [type, type] as const)
const day = 86_400_000

/** The actions of an endpoint. */
export const WebhookActions = ({ changed, endpoint }: WebhookActionsProps) => {
  const { id, name } = endpoint
  const isActive = endpoint.status === "active"
  const test = async (form: FormData) => {
    const event = eventTypes.find((type) => type === form.get("event"))
    const { attempts, status } = await client.webhookEndpoints.test({ path: { id }, payload: { event } })
    const show = status === "succeeded" ? showDone : showFailed
    show(`The endpoint: ${attempts.map(attemptResult).join("")}`)
    changed()
  }
  const edit = async (form: FormData) => {
    await client.webhookEndpoints.update({ path: { id }, payload: endpointOf(form, endpoint) })
    showDone("The endpoint is saved")
    changed()
  }
  const setActive = async () => {
    await client.webhookEndpoints.update({ path: { id }, payload: { status: isActive ? "paused" : "active" } })
    showDone(isActive ? "Deliveries wait until the endpoint is active again" : "The endpoint is active")
    changed()
  }
  const recover = async (form: FormData) => {
    const since = new Date(requiredText(form, "since"))
    const { requeued } = await client.webhookEndpoints.recover({ path: { id }, payload: { since } })
    showDone(`Deliveries queued again: ${requeued}`)
    changed()
  }
  const rotate = async () => {
    const { newSecret } = await client.webhookEndpoints.regenerateSecret({ path: { webhookId: id } })
    return { value: newSecret, done: changed }
  }
  const remove = async () => {
    await client.webhookEndpoints.remove({ path: { id } })
    showDone("The endpoint is deleted")
    navigate(linkTo(paths.webhooks, {}))
  }
  return (
    <>
      <FormDialog label="Test" icon="send" kind="primary" permission="webhooks.write" submitLabel="Send" submit={test}>
        <SelectField
          label="Event"
          name="event"
          options={eventOptions}
          value="webhook_endpoint.test"
          hint="An example event is sent at once, once. The response is shown among the deliveries."
        />
      </FormDialog>
      <FormDialog label="Edit" permission="webhooks.write" submitLabel="Save" submit={edit}>
        <EndpointFields endpoint={endpoint} />
      </FormDialog>
      <ActionButton label={isActive ? "Pause" : "Activate"} permission="webhooks.write" action={setActive} />
      {isActive && (
        <FormDialog label="Recover" permission="webhooks.write" submitLabel="Deliver again" submit={recover}>
          <TextField
            label="Since"
            name="since"
            isTime
            required
            value={localTime(new Date(now.peek() - day))}
            hint="Deliveries that failed since then, and events that occurred while the endpoint was disabled, are delivered again. At most 30 days back."
          />
        </FormDialog>
      )}
      <SecretFormDialog
        label="Rotate secret"
        permission="webhooks.write"
        submitLabel="Rotate"
        secretName="signing secret"
        submit={rotate}
      >
        <p>A new secret signs from now on. The earlier one signs too for 24 hours.</p>
      </SecretFormDialog>
      <ActionButton
        label="Delete"
        kind="danger"
        permission="webhooks.write"
        confirm={`Delete ${name} with its deliveries? Pending deliveries are not sent.`}
        action={remove}
      />
    </>
  )
}

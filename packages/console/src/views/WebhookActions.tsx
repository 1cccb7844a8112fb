import { eventTypes, isSubscription } from "@switchboard/domain/events/EventType"
import { client } from "../app/Client.js"
import { linkTo, paths } from "../app/Paths.js"
import type { WebhookEndpoint } from "../app/Types.js"
import { ActionButton, FormDialog } from "../components/Actions.js"
import { now } from "../components/Facts.js"
import { CheckField, isChecked, requiredText, SelectField, TextField, textOf, textsOf } from "../components/Fields.js"
import { showDone, showFailed } from "../components/Notices.js"
import { DeleteButton, ResultFormDialog, secretResult } from "../components/Resource.js"
import { attemptResult } from "./DeliveryItem.js"

/* The fields of an endpoint that are JSON in a string. */

interface EndpointMetrics {
  readonly delivered: number
  readonly failed: number
  readonly pending: number
  readonly retrying: number
  readonly attempts: number
  /** The share of attempts that succeeded, 0 to 1. */
  readonly successRate: number
  readonly averageLatencyMs: number
  /** ISO 8601, UTC. */
  readonly lastSuccessAt?: string
  readonly lastFailureAt?: string
  /** Since when every attempt failed. */
  readonly failingSince?: string
}

interface EndpointRateLimit {
  readonly maxPerSecond?: number
}

export const metricsOf = ({ metrics }: WebhookEndpoint): EndpointMetrics => JSON.parse(metrics)
export const rateLimitOf = ({ rateLimit }: WebhookEndpoint): EndpointRateLimit => JSON.parse(rateLimit)

const groups = [...new Set(eventTypes.map((type) => type.slice(0, type.indexOf("."))))]

/** The events of a subscription: all, all of a group, or single ones. */
const EventFields = ({ selected }: { readonly selected: ReadonlyArray<string> }) => {
  const isSelected = (name: string) => selected.includes(name)
  return (
    <fieldset class="events">
      <legend>Events</legend>
      <CheckField label="All events, also later ones" name="events" value="*" isChecked={isSelected("*")} />
      {groups.map((group) => {
        const types = eventTypes.filter((type) => type.startsWith(`${group}.`))
        return (
          <details key={group} open={types.some(isSelected) || isSelected(`${group}.*`)}>
            <summary>{group.replaceAll("_", " ")}</summary>
            {[`${group}.*`, ...types].map((name) => (
              <CheckField
                key={name}
                label={<code>{name}</code>}
                name="events"
                value={name}
                isChecked={isSelected(name)}
              />
            ))}
          </details>
        )
      })}
    </fieldset>
  )
}

/** The request of a form. `endpoint` is the one to change; without it, an empty description is left out. */
export const endpointOf = (form: FormData, endpoint?: WebhookEndpoint) => {
  const description = textOf(form, "description") ?? (endpoint?.description === undefined ? undefined : "")
  const maxPerSecond = textOf(form, "maxPerSecond")
  return {
    name: requiredText(form, "name"),
    url: requiredText(form, "url"),
    events: textsOf(form, "events").filter(isSubscription),
    description,
    testMode: isChecked(form, "testMode"),
    rateLimit: maxPerSecond === undefined ? {} : { maxPerSecond: Number(maxPerSecond) }
  }
}

/** The fields of a new endpoint, or of one to change. */
export const EndpointFields = ({ endpoint }: { readonly endpoint?: WebhookEndpoint }) => {
  const configuration = endpoint?.configuration
  const rate = endpoint === undefined ? undefined : rateLimitOf(endpoint).maxPerSecond
  return (
    <>
      <TextField label="Name" name="name" required placeholder="Orders" value={endpoint?.name} />
      <TextField
        label="URL"
        name="url"
        inputMode="url"
        required
        placeholder="https://example.com/hooks"
        value={configuration?.url}
        hint="It receives a signed POST request for each event."
      />
      <EventFields selected={configuration?.events ?? ["message.*"]} />
      <TextField label="Description" name="description" value={endpoint?.description} />
      <TextField
        label="Requests per second"
        name="maxPerSecond"
        inputMode="numeric"
        placeholder="no limit"
        value={rate === undefined ? "" : String(rate)}
      />
      <CheckField label="Only events of test messages" name="testMode" isChecked={endpoint?.testMode ?? false} />
    </>
  )
}

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
    changed()
  }
  const setActive = async () => {
    await client.webhookEndpoints.update({ path: { id }, payload: { status: isActive ? "paused" : "active" } })
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
    return secretResult("signing secret", newSecret, changed)
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
      <FormDialog
        label="Edit"
        permission="webhooks.write"
        submitLabel="Save"
        submit={edit}
        done="The endpoint is saved"
      >
        <EndpointFields endpoint={endpoint} />
      </FormDialog>
      <ActionButton
        label={isActive ? "Pause" : "Activate"}
        permission="webhooks.write"
        action={setActive}
        done={isActive ? "Deliveries wait until the endpoint is active again" : "The endpoint is active"}
      />
      {isActive && (
        <FormDialog label="Recover" permission="webhooks.write" submitLabel="Deliver again" submit={recover}>
          <TextField
            label="Since"
            name="since"
            isTime
            required
            value={new Date(now.peek() - day)}
            hint="Deliveries that failed since then, and events that occurred while the endpoint was disabled, are delivered again. At most 30 days back."
          />
        </FormDialog>
      )}
      <ResultFormDialog label="Rotate secret" permission="webhooks.write" submitLabel="Rotate" submit={rotate}>
        <p>A new secret signs from now on. The earlier one signs too for 24 hours.</p>
      </ResultFormDialog>
      <DeleteButton
        permission="webhooks.write"
        confirm={`Delete ${name} with its deliveries? Pending deliveries are not sent.`}
        action={() => client.webhookEndpoints.remove({ path: { id } })}
        done="The endpoint is deleted"
        to={linkTo(paths.webhooks, {})}
      />
    </>
  )
}

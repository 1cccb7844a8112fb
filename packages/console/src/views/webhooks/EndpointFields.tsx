import { isSubscription } from "@switchboard/domain/events/EventType"
import type { WebhookEndpoint } from "../../app/Types.js"
import { CheckField, TextField } from "../../components/Field.js"
import { isChecked, requiredText, textOf, textsOf } from "../../components/FormValues.js"
import { rateLimitOf } from "./EndpointState.js"
import { EventFields } from "./EventFields.js"

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
      <TextField label="Name" name="name" required placeholder="Orders" value={endpoint?.name ?? ""} />
      <TextField
        label="URL"
        name="url"
        inputMode="url"
        required
        placeholder="https://example.com/hooks"
        value={configuration?.url ?? ""}
        hint="It receives a signed POST request for each event."
      />
      <EventFields selected={configuration?.events ?? ["message.*"]} />
      <TextField label="Description" name="description" value={endpoint?.description ?? ""} />
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

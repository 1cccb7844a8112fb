import { client } from "../../app/Client.js"
import { showDone } from "../../app/Toasts.js"
import type { WebhookDelivery } from "../../app/Types.js"
import { ActionButton } from "../../components/ActionButton.js"
import { Facts } from "../../components/Facts.js"
import { Identifier } from "../../components/Identifier.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { attemptResult } from "./DeliveryText.js"

interface DeliveryItemProps {
  readonly delivery: WebhookDelivery
  readonly changed: (delivery: WebhookDelivery) => void
}

const Attempts = ({ attempts }: Pick<WebhookDelivery, "attempts">) => (
  <ol class="attempts" aria-label="Attempts">
    {attempts.map((attempt) => (
      <li key={attempt.attempt}>
        <p>
          <strong>
            {attempt.attempt}. {attemptResult(attempt)}
          </strong>
          <span class="tag">{attempt.trigger}</span>
          <Time value={attempt.at} isComplete />
        </p>
        {attempt.responseStatus !== undefined && attempt.error !== undefined && <p>{attempt.error}</p>}
        {attempt.responseBody !== undefined && attempt.responseBody !== "" && (
          <pre class="mail-text">{attempt.responseBody}</pre>
        )}
      </li>
    ))}
  </ol>
)

/** The delivery of an event. It opens to its attempts with the responses. */
export const DeliveryItem = ({ changed, delivery }: DeliveryItemProps) => {
  const { attempts, createdAt, endpointId, eventId, eventType, id, nextAttemptAt, status } = delivery
  const last = attempts.at(-1)
  const isTest = attempts.some(({ trigger }) => trigger === "test")
  const retry = async () => {
    changed(await client.webhookEndpoints.retry({ path: { id: endpointId, deliveryId: id } }))
    showDone("The delivery is tried again now")
  }
  return (
    <details>
      <summary>
        <Status value={status} />
        <code>{eventType}</code>
        <span class="hint">{last === undefined ? "no attempt yet" : attemptResult(last)}</span>
        <Time value={createdAt} />
      </summary>
      <div class="delivery">
        <Facts
          facts={[
            ["Event", <Identifier key="event" label="id of the event" value={eventId} />],
            ["Delivery", <Identifier key="delivery" label="id of the delivery" value={id} />],
            ["Next attempt", nextAttemptAt === undefined ? undefined : <Time value={nextAttemptAt} isComplete />]
          ]}
        />
        <Attempts attempts={attempts} />
        {!isTest && (
          <div class="buttons">
            <ActionButton label="Retry" icon="refresh" permission="webhooks.write" action={retry} />
          </div>
        )}
      </div>
    </details>
  )
}

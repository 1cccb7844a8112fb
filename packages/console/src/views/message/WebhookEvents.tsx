import { useState } from "preact/hooks"
import { client } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import { can } from "../../app/SessionState.js"
import { Pending } from "../../components/Pending.js"
import { useLoad } from "../../components/UseLoad.js"
import { firstOf } from "../../components/UseResources.js"
import { DeliveryItem } from "../webhooks/DeliveryItem.js"

/** The webhook endpoints with their deliveries of the events of a message. */
const loadDeliveries = async (messageId: string, signal: AbortSignal) => {
  const { items: endpoints } = await client.webhookEndpoints.list({ urlParams: { limit: 100 } }, { signal })
  return Promise.all(
    endpoints.map(async ({ id, name }) => {
      const open = () =>
        client.webhookEndpoints.logs.all({ path: { id }, urlParams: { filters: { messageId } } }, { signal })
      return { id, name, deliveries: await firstOf(open, signal) }
    })
  )
}

const Deliveries = ({ messageId }: { readonly messageId: string }) => {
  const { error, reload, value } = useLoad((signal) => loadDeliveries(messageId, signal), [messageId])
  if (value === undefined) return <Pending error={error} reload={reload} />
  const endpoints = value.filter(({ deliveries }) => deliveries.length > 0)
  if (endpoints.length === 0) return <p class="hint">No endpoint received an event of this message.</p>
  return (
    <>
      {endpoints.map(({ deliveries, id, name }) => (
        <section key={id} class="webhook-deliveries" aria-label={name}>
          <h3>
            <a href={linkTo(paths.webhook, { id })}>{name}</a>
          </h3>
          <ul>
            {deliveries.map((delivery) => (
              <li key={delivery.id}>
                <DeliveryItem delivery={delivery} changed={reload} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

/** The webhook deliveries of a message, loaded when they are opened. */
export const WebhookEvents = ({ messageId }: { readonly messageId: string }) => {
  const [isOpen, setOpen] = useState(false)
  if (!can("webhooks.read")) return null
  return (
    <details class="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Webhook deliveries</summary>
      {isOpen && <Deliveries messageId={messageId} />}
    </details>
  )
}

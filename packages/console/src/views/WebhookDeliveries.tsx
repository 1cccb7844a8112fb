import { eventTypes } from "@switchboard/domain/events/EventType"
import { useEffect, useState } from "preact/hooks"
import { client } from "../app/Client.js"
import { linkTo, paths } from "../app/Paths.js"
import { can } from "../app/SessionState.js"
import type { WebhookDelivery } from "../app/Types.js"
import { Button } from "../components/Actions.js"
import type { Feed } from "../components/Feed.js"
import { LoadMore } from "../components/FeedList.js"
import { ChoiceFilter, firstOf } from "../components/ListView.js"
import { curlCommand, EmptyState, Pending } from "../components/Notices.js"
import { Card } from "../components/Resource.js"
import { useLoad } from "../components/View.js"
import { DeliveryItem } from "./DeliveryItem.js"

/** In milliseconds. The interval doubles while no due delivery changes. */
const minInterval = 500
const maxInterval = 30_000

/** How many deliveries are loaded at a time. */
const maxLoaded = 10

/** Loads the shown deliveries whose next attempt is due, until they have its result. */
const useDueDeliveries = (id: string, feed: Feed<WebhookDelivery>, changed: () => void): void => {
  const shown = feed.items.value
  useEffect(() => {
    const waiting = shown
      .flatMap((delivery) =>
        delivery.nextAttemptAt === undefined ? [] : [{ delivery, dueAt: delivery.nextAttemptAt.getTime() }]
      )
      .sort((a, b) => a.dueAt - b.dueAt)
    const [first] = waiting
    if (first === undefined) return
    const controller = new AbortController()
    const { signal } = controller
    let interval = minInterval

    const load = async (delivery: WebhookDelivery) => {
      const loaded = await client.webhookEndpoints.delivery({ path: { id, deliveryId: delivery.id } }, { signal })
      return JSON.stringify(loaded) === JSON.stringify(delivery) ? [] : [loaded]
    }
    const loadDue = async () => {
      const due = waiting.filter(({ dueAt }) => dueAt <= Date.now()).slice(0, maxLoaded)
      // A delivery that can't be loaded, for example while the service does not respond, is loaded again later.
      const results = document.hidden ? [] : await Promise.allSettled(due.map(({ delivery }) => load(delivery)))
      if (signal.aborted) return
      const updates = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []))
      if (updates.length > 0) {
        feed.update(updates)
        changed()
      } else {
        interval = Math.min(interval * 2, maxInterval)
        timer = setTimeout(loadDue, interval)
      }
    }
    let timer = setTimeout(loadDue, Math.max(first.dueAt - Date.now(), interval))
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [id, shown])
}

/** The statuses of deliveries. */
export const deliveryStatuses = ["pending", "retrying", "succeeded", "failed"] as const

interface WebhookDeliveriesProps {
  readonly id: string
  readonly feed: Feed<WebhookDelivery>
  readonly isFiltered: boolean
  readonly refresh: () => void
  /** Called after a delivery changed. */
  readonly changed: () => void
}

/** The deliveries of the last 30 days to an endpoint, newest first. */
export const WebhookDeliveries = ({ changed, feed, id, isFiltered, refresh }: WebhookDeliveriesProps) => {
  const items = feed.items.value
  const state = feed.state.value
  useDueDeliveries(id, feed, changed)
  return (
    <Card class="webhook-deliveries" title="Deliveries">
      <search class="filters">
        <ChoiceFilter name="status" label="Status" values={deliveryStatuses} />
        <ChoiceFilter name="event" label="Event" values={eventTypes} />
        <Button label="Refresh" icon="refresh" press={refresh} />
      </search>
      {items.length === 0 && state._tag === "End" ? (
        isFiltered ? (
          <EmptyState title="No delivery matches" text="Change the filters, or remove them." />
        ) : (
          <EmptyState
            title="No deliveries yet"
            text="Each event that the endpoint subscribes to is delivered. To send a test event:"
            command={curlCommand(`/webhook-endpoints/${id}/test`, {})}
          />
        )
      ) : (
        <ul aria-label="Deliveries" aria-busy={state._tag === "Loading"}>
          {items.map((delivery) => (
            <li key={delivery.id}>
              <DeliveryItem delivery={delivery} changed={(retried) => feed.update([retried])} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore feed={feed} />
    </Card>
  )
}

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

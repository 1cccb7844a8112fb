import { eventTypes } from "@switchboard/domain/events/EventType"
import type { WebhookDelivery } from "../../app/Types.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { EmptyState } from "../../components/EmptyState.js"
import type { Feed } from "../../components/Feed.js"
import { Icon } from "../../components/Icon.js"
import { ChoiceFilter } from "../../components/ListFilters.js"
import { LoadMore } from "../../components/LoadMore.js"
import { DeliveryItem } from "./DeliveryItem.js"
import { useDueDeliveries } from "./UseDueDeliveries.js"

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
    <section class="card webhook-deliveries" aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <search class="filters">
        <ChoiceFilter name="status" label="Status" values={deliveryStatuses} />
        <ChoiceFilter name="event" label="Event" values={eventTypes} />
        <button type="button" class="button" onClick={refresh}>
          <Icon name="refresh" />
          Refresh
        </button>
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
    </section>
  )
}

import { eventTypes } from "@switchboard/domain/events/EventType"
import { client } from "../../app/Client.js"
import { useEvents } from "../../app/LiveEvents.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { ViewProps } from "../../app/View.js"
import { feedStep } from "../../components/Feed.js"
import { filterChoice } from "../../components/ListFilters.js"
import { Pending } from "../../components/Pending.js"
import { useLatest } from "../../components/UseLatest.js"
import { useLoad } from "../../components/UseLoad.js"
import { useResources } from "../../components/UseResources.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { EndpointNotice } from "./EndpointNotice.js"
import { WebhookActions } from "./WebhookActions.js"
import { deliveryStatuses, WebhookDeliveries } from "./WebhookDeliveries.js"
import { WebhookFacts, WebhookHealth } from "./WebhookFacts.js"

const back = { href: linkTo(paths.webhooks, {}), label: "Webhooks" }

/** One webhook endpoint: its deliveries, its settings, its health. */
const WebhookView = ({ params: { id } }: ViewProps<typeof paths.webhook>) => {
  const filters = { status: filterChoice("status", deliveryStatuses), event: filterChoice("event", eventTypes) }
  const key = JSON.stringify(filters)
  const { error, reload, replace, value } = useLoad(
    (signal) => client.webhookEndpoints.get({ path: { id } }, { signal }),
    [id]
  )
  // The events that the endpoint subscribes to begin deliveries; a group ends with a dot.
  const events = value === undefined ? [] : value.configuration.events.map((name) => name.replace(/\*$/, ""))
  const deliveries = useResources(
    key,
    (signal) => client.webhookEndpoints.logs.all({ path: { id }, urlParams: { filters, limit: feedStep } }, { signal }),
    []
  )
  const refreshEndpoint = useLatest(async () => replace(await client.webhookEndpoints.get({ path: { id } })))
  const refresh = () => {
    refreshEndpoint()
    deliveries.refresh()
  }
  useEvents(["webhook_endpoint.", ...events], refresh)
  if (value === undefined) {
    return (
      <>
        <ViewHeader title="Webhook" back={back} />
        <Pending error={error} reload={reload} />
      </>
    )
  }
  return (
    <>
      <ViewHeader title={value.name} back={back}>
        <WebhookActions endpoint={value} changed={refresh} />
      </ViewHeader>
      <div class="detail facts-first">
        <div>
          <EndpointNotice endpoint={value} />
          <WebhookDeliveries
            feed={deliveries.feed}
            id={id}
            isFiltered={key !== "{}"}
            refresh={refresh}
            changed={refreshEndpoint}
          />
        </div>
        <aside>
          <WebhookFacts endpoint={value} />
          <WebhookHealth endpoint={value} />
        </aside>
      </div>
    </>
  )
}

export default WebhookView

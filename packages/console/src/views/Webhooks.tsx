import { eventTypes } from "@switchboard/domain/events/EventType"
import type { ComponentChildren } from "preact"
import { client } from "../app/Client.js"
import { useEvents, useLatest } from "../app/LiveEvents.js"
import { navigate } from "../app/Location.js"
import { linkTo, type PathParams, paths } from "../app/Paths.js"
import type { WebhookEndpoint } from "../app/Types.js"
import { Facts, Identifier, Status, Time } from "../components/Facts.js"
import { feedStep } from "../components/Feed.js"
import { durationText, numberText, percent } from "../components/Format.js"
import { Icon } from "../components/Icon.js"
import { filterChoice, filterText, listView, useResources } from "../components/ListView.js"
import { Card, FactsCard, PendingView, ResultFormDialog, secretResult } from "../components/Resource.js"
import { useLoad, ViewHeader } from "../components/View.js"
import { EndpointFields, endpointOf, metricsOf, rateLimitOf, WebhookActions } from "./WebhookActions.js"
import { deliveryStatuses, WebhookDeliveries } from "./WebhookDeliveries.js"

/** The status to show: `failing` while every attempt to an active endpoint fails. */
const shownStatus = (endpoint: WebhookEndpoint) =>
  endpoint.status === "active" && metricsOf(endpoint).failingSince !== undefined ? "failing" : endpoint.status

const back = { href: linkTo(paths.webhooks, {}), label: "Webhooks" }

const statuses = ["active", "paused", "disabled"] as const

/** The form of a new endpoint. It shows the secret, then the endpoint. */
const AddEndpoint = () => {
  const add = async (form: FormData) => {
    const endpoint = await client.webhookEndpoints.create({ payload: endpointOf(form) })
    const { secret = "" } = endpoint.configuration
    return secretResult("signing secret", secret, () => navigate(linkTo(paths.webhook, { id: endpoint.id })))
  }
  return (
    <ResultFormDialog label="Add an endpoint" kind="primary" permission="webhooks.write" submitLabel="Add" submit={add}>
      <EndpointFields />
    </ResultFormDialog>
  )
}

const row = (endpoint: WebhookEndpoint) => {
  const { attempts, successRate } = metricsOf(endpoint)
  return (
    <>
      <span class="name">
        <strong>{endpoint.name}</strong>
        {endpoint.testMode && <span class="tag">test</span>}
      </span>
      <span class="secondary">{endpoint.configuration.url}</span>
      <span class="count" title="Succeeded attempts">
        {attempts === 0 ? "" : percent(successRate)}
      </span>
      <Status value={shownStatus(endpoint)} />
      <Time value={endpoint.createdAt} />
    </>
  )
}

/** The webhook endpoints of the organization, newest first. */
export const WebhooksView = listView({
  title: "Webhooks",
  noun: "webhook",
  search: "Find by name, description or URL",
  choices: { status: statuses },
  filters: () => ({ search: filterText("search"), status: filterChoice("status", statuses) }),
  open: (filters, signal) => client.webhookEndpoints.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
  events: ["webhook_endpoint."],
  layout: "webhooks",
  columns: { Endpoint: "minmax(110px, 0.8fr)", URL: 1.4, Success: "64px", Status: "92px", Added: "96px" },
  hrefOf: ({ id }) => linkTo(paths.webhook, { id }),
  row,
  empty: "An endpoint receives the events of the organization as signed requests. Add the first one:",
  example: [
    "/webhook-endpoints",
    {
      name: "Orders",
      url: "https://example.com/hooks",
      events: ["message.*"]
    }
  ],
  actions: () => <AddEndpoint />
})

/** The status with which an endpoint says that it is gone (RFC 9110 section 15.5.11). */
const gone = 410

interface NoticeProps {
  /** The next step. */
  readonly hint: string
  readonly children: ComponentChildren
}

const Notice = ({ children, hint }: NoticeProps) => (
  <div class="notice failed" role="status">
    <Icon name="alert" />
    <div>
      <p>{children}</p>
      <p class="hint">{hint}</p>
    </div>
  </div>
)

/** Why the service disabled an endpoint. */
const DisabledNotice = ({ id }: { readonly id: string }) => {
  const { value } = useLoad(
    (signal) =>
      client.webhookEndpoints.logs(
        { path: { id }, urlParams: { filters: { status: "failed" }, limit: 20 } },
        { signal }
      ),
    [id]
  )
  const goneAt = value?.items
    .flatMap(({ attempts }) => attempts)
    .find(({ responseStatus }) => responseStatus === gone)?.at
  return (
    <Notice hint="Repair the receiver, activate the endpoint, then recover its deliveries.">
      {goneAt === undefined ? (
        "The service disabled this endpoint: every attempt failed for five days."
      ) : (
        <>
          The service disabled this endpoint: it responded {gone} (gone), <Time value={goneAt} />.
        </>
      )}
    </Notice>
  )
}

/** The problem of an endpoint that fails, and the next step. */
const EndpointNotice = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => {
  const { failingSince } = metricsOf(endpoint)
  if (endpoint.status === "disabled") return <DisabledNotice id={endpoint.id} />
  if (endpoint.status !== "active" || failingSince === undefined) return null
  return (
    <Notice hint="The deliveries show the responses. The service disables an endpoint that fails for five days.">
      Every attempt has failed since <Time value={failingSince} isComplete />.
    </Notice>
  )
}

const timeOf = (value: string | undefined) => (value === undefined ? "never" : <Time value={value} />)

/** The settings of an endpoint. Values of headers may be credentials and are not shown. */
const WebhookFacts = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => {
  const { events, headers = {}, url } = endpoint.configuration
  const { maxPerSecond } = rateLimitOf(endpoint)
  return (
    <FactsCard
      facts={[
        ["Status", <Status key="status" value={shownStatus(endpoint)} />],
        ["URL", <Identifier key="url" label="URL" value={url} />],
        ["Events", events.join(", ")],
        ["Description", endpoint.description],
        ["Receives", endpoint.testMode ? "only events of test messages" : undefined],
        ["Rate limit", maxPerSecond === undefined ? undefined : `${maxPerSecond} per second`],
        ["Filters", endpoint.filters === "{}" ? undefined : <code key="filters">{endpoint.filters}</code>],
        ["Headers", Object.keys(headers).join(", ")],
        ["Created", endpoint.createdAt],
        ["Changed", endpoint.updatedAt]
      ]}
      id={endpoint.id}
    />
  )
}

/** The results of the deliveries to an endpoint and of their attempts, without tests. */
const WebhookHealth = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => {
  const metrics = metricsOf(endpoint)
  const { attempts, averageLatencyMs, delivered, failed, pending, retrying, successRate } = metrics
  return (
    <Card title="Health">
      <Facts
        facts={[
          ["Succeeded", numberText(delivered)],
          ["Failed", numberText(failed)],
          ["Retrying", numberText(retrying)],
          ["Pending", numberText(pending)],
          ["Attempts", attempts === 0 ? "none yet" : `${numberText(attempts)}, ${percent(successRate)} succeeded`],
          ["Latency", successRate === 0 ? undefined : durationText(averageLatencyMs / 1_000)],
          ["Last success", timeOf(metrics.lastSuccessAt)],
          ["Last failure", timeOf(metrics.lastFailureAt)]
        ]}
      />
    </Card>
  )
}

/** One webhook endpoint: its deliveries, its settings, its health. */
export const WebhookView = ({ id }: PathParams<typeof paths.webhook>) => {
  const filters = { status: filterChoice("status", deliveryStatuses), event: filterChoice("event", eventTypes) }
  const key = JSON.stringify(filters)
  const resource = useLoad((signal) => client.webhookEndpoints.get({ path: { id } }, { signal }), [id])
  const { value } = resource
  // The events that the endpoint subscribes to begin deliveries; a group ends with a dot.
  const events = value === undefined ? [] : value.configuration.events.map((name) => name.replace(/\*$/, ""))
  const deliveries = useResources(
    key,
    (signal) => client.webhookEndpoints.logs.all({ path: { id }, urlParams: { filters, limit: feedStep } }, { signal }),
    []
  )
  const refreshEndpoint = useLatest(async () => resource.replace(await client.webhookEndpoints.get({ path: { id } })))
  const refresh = () => {
    refreshEndpoint()
    deliveries.refresh()
  }
  useEvents(["webhook_endpoint.", ...events], refresh)
  if (value === undefined) return <PendingView title="Webhook" back={back} resource={resource} />
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

import { client } from "../../app/Client.js"
import { navigate } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { WebhookEndpoint } from "../../app/Types.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { feedStep } from "../../components/Feed.js"
import { ChoiceFilter, filterChoice, filterText, SearchFilter } from "../../components/ListFilters.js"
import { ListView } from "../../components/ListView.js"
import { SecretFormDialog } from "../../components/SecretFormDialog.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { percent } from "../analytics/Percent.js"
import { EndpointFields, endpointOf } from "./EndpointFields.js"
import { metricsOf, shownStatus } from "./EndpointState.js"

const statuses = ["active", "paused", "disabled"] as const

/** The form of a new endpoint. It shows the secret, then the endpoint. */
const AddEndpoint = () => {
  const add = async (form: FormData) => {
    const endpoint = await client.webhookEndpoints.create({ payload: endpointOf(form) })
    return {
      value: endpoint.configuration.secret ?? "",
      done: () => navigate(linkTo(paths.webhook, { id: endpoint.id }))
    }
  }
  return (
    <SecretFormDialog
      label="Add an endpoint"
      kind="primary"
      permission="webhooks.write"
      submitLabel="Add"
      secretName="signing secret"
      submit={add}
    >
      <EndpointFields />
    </SecretFormDialog>
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
const WebhooksView = () => {
  const filters = { search: filterText("search"), status: filterChoice("status", statuses) }
  return (
    <ListView
      title="Webhooks"
      noun="webhook"
      filters={filters}
      open={(signal) => client.webhookEndpoints.list.all({ urlParams: { filters, limit: feedStep } }, { signal })}
      events={["webhook_endpoint."]}
      columns="webhooks"
      headings={["Endpoint", "URL", "Success", "Status", "Added"]}
      hrefOf={({ id }) => linkTo(paths.webhook, { id })}
      row={row}
      empty={{
        text: "An endpoint receives the events of the organization as signed requests. Add the first one:",
        command: curlCommand("/webhook-endpoints", {
          name: "Orders",
          url: "https://example.com/hooks",
          events: ["message.*"]
        })
      }}
      actions={() => <AddEndpoint />}
    >
      <SearchFilter label="Find webhooks" placeholder="Find by name, description or URL" />
      <ChoiceFilter name="status" label="Status" values={statuses} />
    </ListView>
  )
}

export default WebhooksView

import { permits } from "@switchboard/domain/apiKeys/Permission"
import { useState } from "preact/hooks"
import { client, serviceUrl } from "../app/Client.js"
import { navigate } from "../app/Location.js"
import { linkTo, type PathParams, paths } from "../app/Paths.js"
import { can } from "../app/SessionState.js"
import type { ApiKey, ApiKeyActivity } from "../app/Types.js"
import { Button, FormDialog, LinkButton } from "../components/Actions.js"
import { Facts, now, Status, Time } from "../components/Facts.js"
import { feedStep, useFeed } from "../components/Feed.js"
import { FeedList } from "../components/FeedList.js"
import { requiredText, SelectField } from "../components/Fields.js"
import { durationText, numberText, percent } from "../components/Format.js"
import { filterChoice, filterText, listView } from "../components/ListView.js"
import { EmptyState, Pending } from "../components/Notices.js"
import {
  Card,
  DeleteButton,
  FactsCard,
  PendingView,
  ResultFormDialog,
  SetActiveButton,
  secretResult,
  useResource
} from "../components/Resource.js"
import { useLoad, ViewHeader } from "../components/View.js"
import { KeyFields, keyOf } from "./KeyFields.js"

/** Whether a key works: `active`, `inactive` or `expired`. */
const keyStatus = ({ expiresAt, isActive }: ApiKey): string => {
  if (!isActive) return "inactive"
  return expiresAt !== undefined && expiresAt.getTime() <= now.value ? "expired" : "active"
}

const back = { href: linkTo(paths.keys, {}), label: "API keys" }

const statuses = ["active", "inactive"] as const

const create = async (form: FormData) => {
  const { id, key } = await client.apiKeys.create({ payload: keyOf(form) })
  return secretResult("key", key, () => navigate(linkTo(paths.key, { id })))
}

const row = (key: ApiKey) => (
  <>
    <span class="name">
      <strong>{key.name}</strong> <code>{key.key}</code>
      <span class="tag">{key.roleName ?? "custom"}</span>
    </span>
    <span class="count">
      {key.lastUsedAt === undefined ? (
        "never used"
      ) : (
        <>
          used <Time value={key.lastUsedAt} />
        </>
      )}
    </span>
    <Status value={keyStatus(key)} />
  </>
)

/** The API keys of the organization, newest first. */
export const KeysView = listView({
  title: "API keys",
  noun: "key",
  search: "Find by name, description or start",
  choices: { status: statuses },
  filters: () => {
    const status = filterChoice("status", statuses)
    return { search: filterText("search"), isActive: status === undefined ? undefined : status === "active" }
  },
  open: (filters, signal) => client.apiKeys.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
  events: ["api_key."],
  layout: "keys",
  columns: { Key: 1, "Last use": "132px", Status: "92px" },
  hrefOf: ({ id }) => linkTo(paths.key, { id }),
  row,
  empty: "Programs authenticate with a key. Create the first one:",
  example: ["/api-keys", { name: "shop", roleName: "sender" }],
  actions: () => (
    <>
      {can("messages.send") && <LinkButton label="SMTP" href={linkTo(paths.submission, {})} />}
      <ResultFormDialog
        label="Create a key"
        kind="primary"
        permission="apiKeys.write"
        submitLabel="Create"
        submit={create}
      >
        <KeyFields />
      </ResultFormDialog>
    </>
  )
})

/** Seconds for which the old value works after a rotation, with their labels. */
const gracePeriods = [
  ["0", "not at all"],
  ["3600", "for one hour"],
  ["86400", "for one day"]
] as const

/** The actions of a key. */
const KeyActions = ({ apiKey, changed }: { readonly apiKey: ApiKey; readonly changed: (apiKey: ApiKey) => void }) => {
  const { id, isActive, name } = apiKey
  const edit = async (form: FormData) => {
    const { description = null, expiresAt = null, ...fields } = keyOf(form)
    changed(await client.apiKeys.update({ path: { id }, payload: { ...fields, description, expiresAt } }))
  }
  const rotate = async (form: FormData) => {
    const gracePeriodSeconds = Number(requiredText(form, "gracePeriod"))
    const rotated = await client.apiKeys.rotate({ path: { id }, payload: { gracePeriodSeconds } })
    return secretResult("key", rotated.key, () => changed({ ...rotated, key: `${rotated.start}…` }))
  }
  return (
    <>
      <FormDialog label="Edit" permission="apiKeys.write" submitLabel="Save" submit={edit} done="The key is saved">
        <KeyFields apiKey={apiKey} />
      </FormDialog>
      <ResultFormDialog label="Rotate" permission="apiKeys.write" submitLabel="Rotate" submit={rotate}>
        <p>The key gets a new value. Its name and its permissions stay.</p>
        <SelectField label="The old value still works" name="gracePeriod" options={gracePeriods} />
      </ResultFormDialog>
      <SetActiveButton
        isActive={isActive}
        permission="apiKeys.write"
        confirm={`Requests with the key ${name} are rejected until it is activated again.`}
        setActive={async (active) =>
          changed(await client.apiKeys.update({ path: { id }, payload: { isActive: active } }))
        }
        done={isActive ? "The key is rejected from now on" : "The key works again"}
      />
      <DeleteButton
        permission="apiKeys.write"
        confirm={`Delete the key ${name}? Requests with it are rejected permanently.`}
        action={() => client.apiKeys.remove({ path: { id } })}
        done="The key is deleted"
        to={back.href}
      />
    </>
  )
}

const actionsText = (actions: ReadonlyArray<string>): string =>
  actions.includes("*") ? "all actions" : actions.join(", ")

/** A request with its number in the list: requests have no ids. */
interface NumberedRequest {
  readonly number: number
  readonly request: ApiKeyActivity
}

async function* requestsOf(id: string, signal: AbortSignal): AsyncGenerator<NumberedRequest, void, undefined> {
  let number = 0
  for await (const request of client.apiKeys.activity.all(
    { path: { id }, urlParams: { limit: feedStep } },
    { signal }
  )) {
    number += 1
    yield { number, request }
  }
}

const requestKeyOf = ({ number }: NumberedRequest) => String(number)

const requestRow = ({ request: { at, ipAddress, latencyMs, method, path, status } }: NumberedRequest) => (
  <>
    <code>{method}</code>
    <code class="secondary" title={path}>
      {path}
    </code>
    <span class={status >= 400 ? "status bad" : "status good"}>{status}</span>
    <span class="count">{durationText(latencyMs / 1_000)}</span>
    <span class="count">{ipAddress}</span>
    <Time value={at} />
  </>
)

interface RefreshedProps {
  readonly id: string
  /** The number of times that the requests were refreshed. */
  readonly round: number
}

interface KeyRequestsProps extends RefreshedProps {
  readonly apiKey: ApiKey
  readonly refresh: () => void
}

/** The requests of the last 30 days with a key, newest first. */
const KeyRequests = ({ apiKey, id, refresh, round }: KeyRequestsProps) => {
  const canSubmit = can("messages.send") && permits(apiKey.permissions, "messages.send")
  const feed = useFeed(`${id} ${round}`, requestKeyOf, (signal) => requestsOf(id, signal))
  return (
    <section aria-labelledby="requests">
      <div class="section-header">
        <h2 id="requests">Requests</h2>
        <Button label="Refresh" icon="refresh" press={refresh} />
      </div>
      <FeedList
        label="Requests"
        layout="requests"
        feed={feed}
        keyOf={requestKeyOf}
        row={requestRow}
        empty={
          <EmptyState
            title="No requests yet"
            text="A request appears one or two seconds after it ended. To make one:"
            command={`curl ${serviceUrl}/v1/messages -H "X-API-Key: $KEY"`}
          >
            {canSubmit && <LinkButton label="Send from any program" href={linkTo(paths.submission, {})} />}
          </EmptyState>
        }
      />
    </section>
  )
}

/** How often a key was used in the last 30 days. */
const KeyUsage = ({ id, round }: RefreshedProps) => {
  const stats = useLoad((signal) => client.apiKeys.stats({ path: { id } }, { signal }), [id, round])
  if (stats.value === undefined) return <Pending {...stats} />
  const { byStatus, errorRate, requestsLast24Hours, totalRequests } = stats.value
  return (
    <Card title="Last 30 days">
      <Facts
        facts={[
          ["Requests", numberText(totalRequests)],
          ["In 24 hours", numberText(requestsLast24Hours)],
          ["Errors", percent(errorRate)],
          ...Object.entries(byStatus).map(([status, count]) => [`Status ${status}`, numberText(count)] as const)
        ]}
      />
    </Card>
  )
}

/** One API key: its permissions, its usage, its requests. */
export const KeyView = ({ id }: PathParams<typeof paths.key>) => {
  const [round, setRound] = useState(0)
  const resource = useResource(id, (options) => client.apiKeys.get({ path: { id } }, options), ["api_key.rotated"])
  const { value: key } = resource
  if (key === undefined) return <PendingView title="API key" back={back} resource={resource} />
  return (
    <>
      <ViewHeader title={key.name} back={back}>
        <KeyActions apiKey={key} changed={resource.replace} />
      </ViewHeader>
      <div class="detail facts-first">
        <KeyRequests apiKey={key} id={id} round={round} refresh={() => setRound((count) => count + 1)} />
        <aside>
          <FactsCard
            facts={[
              ["Status", <Status key="status" value={keyStatus(key)} />],
              ["Key", <code key="key">{key.key}</code>],
              ["Description", key.description],
              ["Role", key.roleName ?? "custom"],
              ...Object.entries(key.permissions).map(
                ([name, actions]) => [name === "*" ? "all resources" : name, actionsText(actions)] as const
              ),
              ["Expires", key.expiresAt ?? "never"],
              ["Last used", key.lastUsedAt ?? "never"],
              ["Created", key.createdAt]
            ]}
            id={id}
          />
          <KeyUsage id={id} round={round} />
        </aside>
      </div>
    </>
  )
}

import { client } from "../../app/Client.js"
import { navigate } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { ApiKey } from "../../app/Types.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { feedStep } from "../../components/Feed.js"
import { ChoiceFilter, filterChoice, filterText, SearchFilter } from "../../components/ListFilters.js"
import { ListView } from "../../components/ListView.js"
import { SecretFormDialog } from "../../components/SecretFormDialog.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { KeyFields, keyOf } from "./KeyFields.js"
import { keyStatus } from "./KeyText.js"

const statuses = ["active", "inactive"] as const

const create = async (form: FormData) => {
  const { id, key } = await client.apiKeys.create({ payload: keyOf(form) })
  return { value: key, done: () => navigate(linkTo(paths.key, { id })) }
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
const KeysView = () => {
  const status = filterChoice("status", statuses)
  const filters = { search: filterText("search"), isActive: status === undefined ? undefined : status === "active" }
  return (
    <ListView
      title="API keys"
      noun="key"
      filters={filters}
      open={(signal) => client.apiKeys.list.all({ urlParams: { filters, limit: feedStep } }, { signal })}
      events={["api_key."]}
      columns="keys"
      headings={["Key", "Last use", "Status"]}
      hrefOf={({ id }) => linkTo(paths.key, { id })}
      row={row}
      empty={{
        text: "Programs authenticate with a key. Create the first one:",
        command: curlCommand("/api-keys", { name: "shop", roleName: "sender" })
      }}
      actions={() => (
        <SecretFormDialog
          label="Create a key"
          kind="primary"
          permission="apiKeys.write"
          submitLabel="Create"
          secretName="key"
          submit={create}
        >
          <KeyFields />
        </SecretFormDialog>
      )}
    >
      <SearchFilter label="Find keys" placeholder="Find by name, description or start" />
      <ChoiceFilter name="status" label="Status" values={statuses} />
    </ListView>
  )
}

export default KeysView

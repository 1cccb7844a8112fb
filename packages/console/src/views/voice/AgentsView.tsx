import { client } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { VoiceAgent } from "../../app/Types.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { feedStep } from "../../components/Feed.js"
import { filterText, SearchFilter } from "../../components/ListFilters.js"
import { ListView } from "../../components/ListView.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"

const row = ({ createdAt, description, isActive, name, transport }: VoiceAgent) => (
  <>
    <span class="subject">{name}</span>
    <span class="secondary">{description}</span>
    <span class="duration">{transport}</span>
    <Status value={isActive ? "active" : "inactive"} />
    <Time value={createdAt} />
  </>
)

/** The list of voice agents, newest first. */
const AgentsView = () => {
  const filters = { search: filterText("search") }
  return (
    <ListView
      title="Agents"
      noun="agent"
      filters={filters}
      open={(signal) => client.voiceAgents.list.all({ urlParams: { filters, limit: feedStep } }, { signal })}
      columns="calls"
      headings={["Agent", "Description", "Transport", "Status", "Added"]}
      hrefOf={({ id }) => linkTo(paths.agent, { id })}
      row={row}
      empty={{
        text: "Create the first one:",
        command: curlCommand("/voice/agents", { name: "Front desk", transport: "pstn" })
      }}
    >
      <SearchFilter label="Find agents" placeholder="Find by name or description" />
    </ListView>
  )
}

export default AgentsView

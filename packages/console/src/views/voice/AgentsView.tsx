import { client, serviceUrl } from "../../app/Client.js"
import { place } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { VoiceAgent } from "../../app/Types.js"
import { EmptyState } from "../../components/EmptyState.js"
import { feedStep } from "../../components/Feed.js"
import { FeedList } from "../../components/FeedList.js"
import { SearchFilter, searchOf } from "../../components/ListFilters.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { idOf, useResources } from "../../components/UseResources.js"
import { ViewHeader } from "../../components/ViewHeader.js"

const command = `curl ${serviceUrl}/v1/voice/agents \\
  -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"name":"Front desk","transport":"pstn"}'`

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
  const filters = searchOf(place.value.query)
  const key = JSON.stringify(filters)
  const { feed } = useResources(
    key,
    (signal) => client.voiceAgents.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
    []
  )
  return (
    <>
      <ViewHeader title="Agents" />
      <search class="filters">
        <SearchFilter label="Find agents" placeholder="Find by name or description" />
      </search>
      <FeedList
        label="Agents"
        columns="calls"
        feed={feed}
        keyOf={idOf}
        hrefOf={({ id }) => linkTo(paths.agent, { id })}
        row={row}
        empty={
          key === "{}" ? (
            <EmptyState title="No agents yet" text="Create the first one:" command={command} />
          ) : (
            <EmptyState title="No agent matches" text="Change the search, or remove it." />
          )
        }
      />
    </>
  )
}

export default AgentsView

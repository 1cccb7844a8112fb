import { client, serviceUrl } from "../../app/Client.js"
import { place } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { VoiceWorkflow } from "../../app/Types.js"
import { EmptyState } from "../../components/EmptyState.js"
import { FeedList } from "../../components/FeedList.js"
import { SearchFilter, searchOf } from "../../components/ListFilters.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { idOf, useResources } from "../../components/UseResources.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { publicationOf } from "./Publication.js"

const command = `curl ${serviceUrl}/v1/voice/workflows \\
  -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"name":"Greeting","nodes":[{"id":"start","type":"trigger.callStarted"},{"id":"hello","type":"action.speak","data":{"config":{"text":"Hello!"}}}],"edges":[{"id":"1","source":"start","target":"hello"}]}'`

/** Workflows contain their graphs: few at a time are loaded. */
const pageSize = 20

const row = (workflow: VoiceWorkflow) => (
  <>
    <span class="subject">{workflow.name}</span>
    <span class="secondary">{workflow.description}</span>
    <span class="duration">{workflow.version === 0 ? "" : `version ${workflow.version}`}</span>
    <Status value={publicationOf(workflow)} />
    <Time value={workflow.updatedAt} />
  </>
)

/** The list of voice workflows, newest first. */
const WorkflowsView = () => {
  const filters = searchOf(place.value.query)
  const key = JSON.stringify(filters)
  const { feed } = useResources(
    key,
    (signal) => client.voiceWorkflows.list.all({ urlParams: { filters, limit: pageSize } }, { signal }),
    []
  )
  return (
    <>
      <ViewHeader title="Workflows" />
      <search class="filters">
        <SearchFilter label="Find workflows" placeholder="Find by name or description" />
      </search>
      <FeedList
        label="Workflows"
        columns="calls"
        feed={feed}
        keyOf={idOf}
        hrefOf={({ id }) => linkTo(paths.workflow, { id })}
        row={row}
        empty={
          key === "{}" ? (
            <EmptyState title="No workflows yet" text="Create the first one:" command={command} />
          ) : (
            <EmptyState title="No workflow matches" text="Change the search, or remove it." />
          )
        }
      />
    </>
  )
}

export default WorkflowsView

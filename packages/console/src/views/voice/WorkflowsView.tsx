import { client } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { VoiceWorkflow } from "../../app/Types.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { filterText, SearchFilter } from "../../components/ListFilters.js"
import { ListView } from "../../components/ListView.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { publicationOf } from "./Publication.js"

const exampleWorkflow = {
  name: "Greeting",
  nodes: [
    { id: "start", type: "trigger.callStarted" },
    { id: "hello", type: "action.speak", data: { config: { text: "Hello!" } } }
  ],
  edges: [{ id: "1", source: "start", target: "hello" }]
}

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
  const filters = { search: filterText("search") }
  return (
    <ListView
      title="Workflows"
      noun="workflow"
      filters={filters}
      open={(signal) => client.voiceWorkflows.list.all({ urlParams: { filters, limit: pageSize } }, { signal })}
      columns="calls"
      headings={["Workflow", "Description", "Version", "Status", "Changed"]}
      hrefOf={({ id }) => linkTo(paths.workflow, { id })}
      row={row}
      empty={{ text: "Create the first one:", command: curlCommand("/voice/workflows", exampleWorkflow) }}
    >
      <SearchFilter label="Find workflows" placeholder="Find by name or description" />
    </ListView>
  )
}

export default WorkflowsView

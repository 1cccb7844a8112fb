import { client } from "../app/Client.js"
import { changeQuery, navigate, place } from "../app/Location.js"
import { linkTo, type PathParams, paths } from "../app/Paths.js"
import { can } from "../app/SessionState.js"
import type { VoiceWorkflow } from "../app/Types.js"
import { ActionButton, FormDialog, LinkButton } from "../components/Actions.js"
import { Status, Time } from "../components/Facts.js"
import { requiredText, TextField } from "../components/Fields.js"
import { filterText, listView } from "../components/ListView.js"
import { DeleteButton, PendingView, useResource } from "../components/Resource.js"
import { ViewHeader } from "../components/View.js"
import { AgentField } from "./AgentForms.js"
import { WorkflowGraph, WorkflowSteps } from "./WorkflowGraph.js"

/** Whether the calls follow the draft graph: it is published, has changed since, or was never published. */
const publicationOf = (workflow: VoiceWorkflow): "published" | "changed" | "unpublished" => {
  const { edges, nodes, publishedEdges, publishedNodes, version } = workflow
  if (version === 0) return "unpublished"
  return JSON.stringify([nodes, edges]) === JSON.stringify([publishedNodes, publishedEdges]) ? "published" : "changed"
}

const exampleWorkflow = {
  name: "Greeting",
  nodes: [
    { id: "start", type: "trigger.callStarted" },
    { id: "hello", type: "action.speak", data: { config: { text: "Hello!" } } }
  ],
  edges: [{ id: "1", source: "start", target: "hello" }]
} as const

const create = async (form: FormData) => {
  const { id } = await client.voiceWorkflows.create({
    payload: { ...exampleWorkflow, name: requiredText(form, "name") }
  })
  navigate(linkTo(paths.workflowEditor, { id }))
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
export const WorkflowsView = listView({
  title: "Workflows",
  noun: "workflow",
  search: "Find by name or description",
  filters: () => ({ search: filterText("search") }),
  open: (filters, signal) => client.voiceWorkflows.list.all({ urlParams: { filters, limit: pageSize } }, { signal }),
  layout: "calls",
  columns: { Workflow: "minmax(130px, 0.8fr)", Description: 2, Version: "80px", Status: "112px", Changed: "96px" },
  hrefOf: ({ id }) => linkTo(paths.workflow, { id }),
  row,
  empty: "Create the first one:",
  example: ["/voice/workflows", exampleWorkflow],
  actions: () => (
    <FormDialog label="Create a workflow" kind="primary" permission="voice.write" submitLabel="Create" submit={create}>
      <TextField label="Name" name="name" required placeholder="Order status" />
      <p class="hint">The editor opens next.</p>
    </FormDialog>
  )
})

const back = { href: linkTo(paths.workflows, {}), label: "Workflows" }

/** One voice workflow: its graph, drawn and as a table. */
export const WorkflowView = ({ id }: PathParams<typeof paths.workflow>) => {
  const resource = useResource(id, (options) => client.voiceWorkflows.get({ path: { id } }, options))
  const { value } = resource
  if (value === undefined) return <PendingView title="Workflow" back={back} resource={resource} />
  const publication = publicationOf(value)
  const isPublished = place.value.query.get("graph") === "published" && value.version > 0
  const graph = isPublished
    ? { nodes: value.publishedNodes ?? [], edges: value.publishedEdges ?? [] }
    : { nodes: value.nodes, edges: value.edges }
  const publish = async () => {
    await client.voiceWorkflows.publish({ path: { id } })
    resource.reload()
  }
  const link = async (form: FormData) =>
    resource.replace(
      await client.voiceWorkflows.link({ path: { workflowId: id, agentId: requiredText(form, "agent") }, payload: {} })
    )
  const setEnabled = async () =>
    resource.replace(await client.voiceWorkflows.update({ path: { id }, payload: { isEnabled: !value.isEnabled } }))
  return (
    <>
      <ViewHeader title={value.name} back={back}>
        {value.voiceAgentId !== undefined && (
          <LinkButton label="Agent" href={linkTo(paths.agent, { id: value.voiceAgentId })} />
        )}
        <FormDialog
          label="Link with an agent"
          permission="voice.write"
          submitLabel="Link"
          submit={link}
          done="The calls of the agent follow the published workflow"
        >
          <AgentField value={value.voiceAgentId} />
          <p class="hint">A workflow has one agent, and an agent one workflow: earlier links of both are removed.</p>
        </FormDialog>
        {can("voice.write") && <LinkButton label="Edit" href={linkTo(paths.workflowEditor, { id })} />}
        <ActionButton
          label={value.isEnabled ? "Disable" : "Enable"}
          permission="voice.write"
          action={setEnabled}
          done={value.isEnabled ? "The workflow is disabled" : "The workflow is enabled"}
        />
        {publication !== "published" && (
          <ActionButton
            label="Publish"
            icon="check"
            kind="primary"
            permission="voice.write"
            action={publish}
            done="The workflow is published"
          />
        )}
        <DeleteButton
          permission="voice.write"
          confirm="The workflow is deleted for good. Its agent stays, and only greets."
          action={() => client.voiceWorkflows.remove({ path: { id } })}
          done="The workflow is deleted"
          to={back.href}
        />
      </ViewHeader>
      <div class="exchange-facts">
        <Status value={publication} />
        {value.publishedAt !== undefined && (
          <span>
            version {value.version}, <Time value={value.publishedAt} />
          </span>
        )}
        {!value.isEnabled && <Status value="disabled" />}
        {publication === "changed" && (
          <select
            aria-label="Graph"
            value={isPublished ? "published" : "draft"}
            onChange={({ currentTarget }) =>
              changeQuery({ graph: currentTarget.value === "draft" ? undefined : currentTarget.value })
            }
          >
            <option value="draft">Draft</option>
            <option value="published">Published</option>
          </select>
        )}
      </div>
      {value.description !== undefined && <p class="description">{value.description}</p>}
      <WorkflowGraph {...graph} />
      <WorkflowSteps {...graph} />
    </>
  )
}

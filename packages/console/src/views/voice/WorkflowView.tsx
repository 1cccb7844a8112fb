import { client } from "../../app/Client.js"
import { changeQuery, navigate, place } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import { showDone } from "../../app/Toasts.js"
import type { ViewProps } from "../../app/View.js"
import { ActionButton } from "../../components/ActionButton.js"
import { Pending } from "../../components/Pending.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { publicationOf } from "./Publication.js"
import { WorkflowGraph } from "./WorkflowGraph.js"
import { WorkflowSteps } from "./WorkflowSteps.js"

const back = { href: linkTo(paths.workflows, {}), label: "Workflows" }

/** One voice workflow: its graph, drawn and as a table. */
const WorkflowView = ({ params: { id } }: ViewProps<typeof paths.workflow>) => {
  const { error, reload, replace, value } = useLoad(
    (signal) => client.voiceWorkflows.get({ path: { id } }, { signal }),
    [id]
  )
  if (value === undefined) {
    return (
      <>
        <ViewHeader title="Workflow" back={back} />
        <Pending error={error} reload={reload} />
      </>
    )
  }
  const publication = publicationOf(value)
  const isPublished = place.value.query.get("graph") === "published" && value.version > 0
  const graph = isPublished
    ? { nodes: value.publishedNodes ?? [], edges: value.publishedEdges ?? [] }
    : { nodes: value.nodes, edges: value.edges }
  const publish = async () => {
    await client.voiceWorkflows.publish({ path: { id } })
    showDone("The workflow is published")
    reload()
  }
  const setEnabled = async () => {
    replace(await client.voiceWorkflows.update({ path: { id }, payload: { isEnabled: !value.isEnabled } }))
    showDone(value.isEnabled ? "The workflow is disabled" : "The workflow is enabled")
  }
  const remove = async () => {
    await client.voiceWorkflows.remove({ path: { id } })
    showDone("The workflow is deleted")
    navigate(back.href)
  }
  return (
    <>
      <ViewHeader title={value.name} back={back}>
        {value.voiceAgentId !== undefined && (
          <a class="button" href={linkTo(paths.agent, { id: value.voiceAgentId })}>
            Agent
          </a>
        )}
        <ActionButton label={value.isEnabled ? "Disable" : "Enable"} permission="voice.write" action={setEnabled} />
        {publication !== "published" && (
          <ActionButton label="Publish" icon="check" kind="primary" permission="voice.write" action={publish} />
        )}
        <ActionButton
          label="Delete"
          kind="danger"
          permission="voice.write"
          confirm="The workflow is deleted for good. Its agent stays, and only greets."
          action={remove}
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

export default WorkflowView

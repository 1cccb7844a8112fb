import { client } from "../app/Client.js"
import { navigate } from "../app/Location.js"
import { linkTo, type PathParams, paths } from "../app/Paths.js"
import type { VoiceAgent } from "../app/Types.js"
import { LinkButton } from "../components/Actions.js"
import { Status, Time } from "../components/Facts.js"
import { feedStep } from "../components/Feed.js"
import { filterText, listView } from "../components/ListView.js"
import { Card, DeleteButton, FactsCard, PendingView, SetActiveButton, useResource } from "../components/Resource.js"
import { ViewHeader } from "../components/View.js"
import { AgentForm, agentOf, PlaceCall } from "./AgentForms.js"

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
export const AgentsView = listView({
  title: "Agents",
  noun: "agent",
  search: "Find by name or description",
  filters: () => ({ search: filterText("search") }),
  open: (filters, signal) => client.voiceAgents.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
  layout: "calls",
  columns: { Agent: "minmax(130px, 0.8fr)", Description: 2, Transport: "80px", Status: "112px", Added: "96px" },
  hrefOf: ({ id }) => linkTo(paths.agent, { id }),
  row,
  empty: "Create the first one:",
  example: ["/voice/agents", { name: "Front desk", transport: "pstn" }],
  actions: () => (
    <AgentForm
      label="Create an agent"
      kind="primary"
      submitLabel="Create"
      save={(form) => client.voiceAgents.create({ payload: agentOf(form) })}
      saved={({ id }) => navigate(linkTo(paths.agent, { id }))}
    />
  )
})

const back = { href: linkTo(paths.agents, {}), label: "Agents" }

/** One voice agent: its instructions, its workflow, its calls. */
export const AgentView = ({ id }: PathParams<typeof paths.agent>) => {
  const resource = useResource(id, (options) => client.voiceAgents.get({ path: { id } }, options))
  const { value } = resource
  if (value === undefined) return <PendingView title="Agent" back={back} resource={resource} />
  const { createdAt, isActive, name, systemPrompt, webhookConfig } = value
  const edit = (form: FormData) => {
    const fields = agentOf(form, value)
    const { description = null, language = null, systemPrompt = null, voiceId = null, webhookConfig = null } = fields
    const payload = { ...fields, description, language, systemPrompt, voiceId, webhookConfig }
    return client.voiceAgents.update({ path: { id }, payload })
  }
  return (
    <>
      <ViewHeader title={name} back={back}>
        <PlaceCall agentId={id} />
        <LinkButton label="Calls" href={linkTo(paths.calls, {}, { agent: id })} />
        {value.workflowId !== undefined && (
          <LinkButton label="Workflow" href={linkTo(paths.workflow, { id: value.workflowId })} />
        )}
        <SetActiveButton
          isActive={isActive}
          permission="voice.write"
          setActive={async (active) =>
            resource.replace(await client.voiceAgents.update({ path: { id }, payload: { isActive: active } }))
          }
          done={isActive ? "The agent makes no calls" : "The agent can make calls"}
        />
        <AgentForm label="Edit" submitLabel="Save" agent={value} save={edit} saved={resource.reload} />
        <DeleteButton
          permission="voice.write"
          confirm="The agent is deleted for good. Its workflow stays, without an agent."
          action={() => client.voiceAgents.remove({ path: { id } })}
          done="The agent is deleted"
          to={back.href}
        />
      </ViewHeader>
      <div class="detail">
        <Card title="Instructions">
          {systemPrompt === undefined ? <p class="hint">None</p> : <pre class="mail-text">{systemPrompt}</pre>}
        </Card>
        <aside>
          <FactsCard
            facts={[
              ["Status", <Status key="status" value={isActive ? "active" : "inactive"} />],
              ["Description", value.description],
              ["Transport", value.transport],
              ["Language", value.language],
              ["Voice", value.voiceId],
              ["Workflow", value.workflowId === undefined ? "none: the agent only greets" : "linked"],
              ["Webhook", webhookConfig?.url],
              ["Created", createdAt]
            ]}
            id={id}
          />
        </aside>
      </div>
    </>
  )
}

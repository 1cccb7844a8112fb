import { client } from "../app/Client.js"
import { linkTo, type PathParams, paths } from "../app/Paths.js"
import type { VoiceAgent } from "../app/Types.js"
import { LinkButton } from "../components/Actions.js"
import { Status, Time } from "../components/Facts.js"
import { feedStep } from "../components/Feed.js"
import { filterText, listView } from "../components/ListView.js"
import { Card, DeleteButton, FactsCard, PendingView, SetActiveButton, useResource } from "../components/Resource.js"
import { ViewHeader } from "../components/View.js"

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
  example: ["/voice/agents", { name: "Front desk", transport: "pstn" }]
})

const back = { href: linkTo(paths.agents, {}), label: "Agents" }

/** One voice agent: its instructions, its workflow, its calls. */
export const AgentView = ({ id }: PathParams<typeof paths.agent>) => {
  const resource = useResource(id, (options) => client.voiceAgents.get({ path: { id } }, options))
  const { value } = resource
  if (value === undefined) return <PendingView title="Agent" back={back} resource={resource} />
  const { createdAt, description, isActive, language, name, systemPrompt, transport, voiceId, webhookConfig } = value
  return (
    <>
      <ViewHeader title={name} back={back}>
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
              ["Description", description],
              ["Transport", transport],
              ["Language", language],
              ["Voice", voiceId],
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

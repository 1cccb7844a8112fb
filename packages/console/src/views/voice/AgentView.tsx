import { client } from "../../app/Client.js"
import { navigate } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import { showDone } from "../../app/Toasts.js"
import type { ViewProps } from "../../app/View.js"
import { ActionButton } from "../../components/ActionButton.js"
import { Facts } from "../../components/Facts.js"
import { Identifier } from "../../components/Identifier.js"
import { Pending } from "../../components/Pending.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"

const back = { href: linkTo(paths.agents, {}), label: "Agents" }

/** One voice agent: its instructions, its workflow, its calls. */
const AgentView = ({ params: { id } }: ViewProps<typeof paths.agent>) => {
  const { error, reload, replace, value } = useLoad(
    (signal) => client.voiceAgents.get({ path: { id } }, { signal }),
    [id]
  )
  if (value === undefined) {
    return (
      <>
        <ViewHeader title="Agent" back={back} />
        <Pending error={error} reload={reload} />
      </>
    )
  }
  const { createdAt, description, isActive, language, name, systemPrompt, transport, voiceId, webhookConfig } = value
  const setActive = async () => {
    replace(await client.voiceAgents.update({ path: { id }, payload: { isActive: !isActive } }))
    showDone(isActive ? "The agent makes no calls" : "The agent can make calls")
  }
  const remove = async () => {
    await client.voiceAgents.remove({ path: { id } })
    showDone("The agent is deleted")
    navigate(back.href)
  }
  return (
    <>
      <ViewHeader title={name} back={back}>
        <a class="button" href={linkTo(paths.calls, {}, { agent: id })}>
          Calls
        </a>
        {value.workflowId !== undefined && (
          <a class="button" href={linkTo(paths.workflow, { id: value.workflowId })}>
            Workflow
          </a>
        )}
        <ActionButton label={isActive ? "Deactivate" : "Activate"} permission="voice.write" action={setActive} />
        <ActionButton
          label="Delete"
          kind="danger"
          permission="voice.write"
          confirm="The agent is deleted for good. Its workflow stays, without an agent."
          action={remove}
        />
      </ViewHeader>
      <div class="detail">
        <section class="card" aria-labelledby="instructions">
          <h2 id="instructions">Instructions</h2>
          {systemPrompt === undefined ? <p class="hint">None</p> : <pre class="mail-text">{systemPrompt}</pre>}
        </section>
        <aside>
          <section class="card" aria-label="Facts">
            <Facts
              facts={[
                ["Status", <Status key="status" value={isActive ? "active" : "inactive"} />],
                ["Description", description],
                ["Transport", transport],
                ["Language", language],
                ["Voice", voiceId],
                ["Workflow", value.workflowId === undefined ? "none: the agent only greets" : "linked"],
                ["Webhook", webhookConfig?.url],
                ["Created", <Time key="created" value={createdAt} isComplete />],
                ["Id", <Identifier key="id" label="id" value={id} />]
              ]}
            />
          </section>
        </aside>
      </div>
    </>
  )
}

export default AgentView

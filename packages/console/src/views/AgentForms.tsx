import { voiceAgentEvents } from "@switchboard/domain/voice/agents/VoiceAgent"
import { client } from "../app/Client.js"
import { navigate } from "../app/Location.js"
import { linkTo, paths } from "../app/Paths.js"
import type { VoiceAgent } from "../app/Types.js"
import { FormDialog } from "../components/Actions.js"
import { CheckField, requiredText, SelectField, TextField, textOf, textsOf } from "../components/Fields.js"
import { ResultFormDialog, type ResultFormDialogProps, secretResult } from "../components/Resource.js"
import { useLoad } from "../components/View.js"
import { useNumbers } from "./Sender.js"
import { phoneOf } from "./SmsFields.js"

/** The transports of calls with their labels. */
const transports = [
  ["pstn", "pstn: telephone"],
  ["webrtc", "webrtc: browser"]
] as const

/** The request of a form. Empty fields are undefined. The form does not show the headers of the webhook, which stay. */
export const agentOf = (form: FormData, agent?: VoiceAgent) => {
  const url = textOf(form, "url")
  const events = voiceAgentEvents.filter((event) => textsOf(form, "events").includes(event))
  const headers = agent?.webhookConfig?.headers
  return {
    name: requiredText(form, "name"),
    description: textOf(form, "description"),
    systemPrompt: textOf(form, "systemPrompt"),
    language: textOf(form, "language"),
    voiceId: textOf(form, "voiceId"),
    transport: transports.map(([name]) => name).find((name) => name === form.get("transport")),
    webhookConfig: url === undefined ? undefined : { url, events, headers }
  }
}

/** The fields of a new agent, or of one to change. */
const AgentFields = ({ agent }: { readonly agent?: VoiceAgent }) => {
  const { events = voiceAgentEvents, url } = agent?.webhookConfig ?? {}
  return (
    <>
      <TextField label="Name" name="name" required placeholder="Front desk" value={agent?.name} />
      <TextField label="Description" name="description" value={agent?.description} />
      <TextField
        label="Instructions"
        name="systemPrompt"
        lines={4}
        value={agent?.systemPrompt}
        hint="The system prompt of its language model."
      />
      <TextField label="Language" name="language" placeholder="en" value={agent?.language} />
      <TextField label="Voice" name="voiceId" value={agent?.voiceId} hint="The id of a voice of the carrier." />
      <SelectField label="Transport" name="transport" options={transports} value={agent?.transport} />
      <TextField
        label="Webhook"
        name="url"
        inputMode="url"
        placeholder="https://example.com/calls"
        value={url}
        hint="It receives a signed POST request for each event of its calls."
      />
      <fieldset class="events">
        <legend>Events of the webhook</legend>
        {voiceAgentEvents.map((event) => (
          <CheckField
            key={event}
            label={<code>{event}</code>}
            name="events"
            value={event}
            isChecked={events.includes(event)}
          />
        ))}
      </fieldset>
    </>
  )
}

/** The form of a new agent, or of one to change. It shows the secret of a new webhook. */
export const AgentForm = ({
  agent,
  save,
  saved,
  ...dialog
}: Pick<ResultFormDialogProps, "label" | "kind" | "submitLabel"> & {
  readonly agent?: VoiceAgent
  readonly save: (form: FormData) => Promise<VoiceAgent>
  readonly saved: (agent: VoiceAgent) => void
}) => (
  <ResultFormDialog
    {...dialog}
    permission="voice.write"
    submit={async (form) => {
      const changed = await save(form)
      const secret = changed.webhookConfig?.secret
      if (secret !== undefined) return secretResult("signing secret", secret, () => saved(changed))
      saved(changed)
      return undefined
    }}
  >
    <AgentFields {...(agent === undefined ? {} : { agent })} />
  </ResultFormDialog>
)

const loadAgents = async (signal: AbortSignal) =>
  (await client.voiceAgents.list({ urlParams: { limit: 100 } }, { signal })).items

/** The choice of an agent. */
export const AgentField = ({ value }: { readonly value?: string | undefined }) => {
  const { value: agents = [] } = useLoad(loadAgents, [])
  return (
    <SelectField
      key={agents.length}
      label="Agent"
      name="agent"
      options={agents.map(({ id, name }) => [id, name])}
      value={value}
    />
  )
}

const PhoneFields = () => (
  <>
    <TextField label="To" name="to" inputMode="tel" required placeholder="+44 20 7946 0018" />
    <TextField
      label="From"
      name="from"
      inputMode="tel"
      suggestions={useNumbers("voice") ?? []}
      hint="Default: the number of the carrier."
    />
  </>
)

/** The form of a new call, of an agent or of one to choose. It opens the call. */
export const PlaceCall = ({ agentId }: { readonly agentId?: string }) => {
  const place = async (form: FormData) => {
    const from = textOf(form, "from")
    const answers = textOf(form, "answers")
    const payload = {
      voiceAgentId: agentId ?? requiredText(form, "agent"),
      to: phoneOf(requiredText(form, "to")),
      from: from === undefined ? undefined : phoneOf(from),
      sandbox: answers === undefined ? undefined : { answers: answers.split(/\r?\n/) }
    }
    const { id } = await client.voiceCalls.place({ payload })
    navigate(linkTo(paths.call, { id }))
  }
  return (
    <FormDialog label="Call" icon="phone" kind="primary" permission="voice.write" submitLabel="Call" submit={place}>
      {agentId === undefined && <AgentField />}
      <PhoneFields />
      <TextField
        label="Answers"
        name="answers"
        lines={3}
        placeholder="Sales, please"
        hint="Without a carrier the call is simulated: the words of the called person, one answer on each line."
      />
    </FormDialog>
  )
}

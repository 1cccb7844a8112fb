import { client } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { VoiceCall } from "../../app/Types.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { durationText } from "../../components/Duration.js"
import { feedStep } from "../../components/Feed.js"
import { ChoiceFilter, filterChoice, filterText } from "../../components/ListFilters.js"
import { ListView } from "../../components/ListView.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"

const statuses = ["queued", "ringing", "in_progress", "completed", "busy", "no_answer", "failed", "cancelled"] as const
const directions = ["outbound", "inbound"] as const

const row = ({ createdAt, direction, durationSeconds, from, status, summary, to }: VoiceCall) => (
  <>
    <span class="subject">{(direction === "outbound" ? to : from) ?? "unknown number"}</span>
    <span class="secondary">{summary}</span>
    <span class="duration">{durationSeconds === undefined ? "" : durationText(durationSeconds)}</span>
    <Status value={status} />
    <Time value={createdAt} />
  </>
)

/** The list of voice calls, newest first, kept up to date by events. */
const CallsView = () => {
  const filters = {
    status: filterChoice("status", statuses),
    direction: filterChoice("direction", directions),
    voiceAgentId: filterText("agent")
  }
  return (
    <ListView
      title="Calls"
      noun="call"
      filters={filters}
      open={(signal) => client.voiceCalls.list.all({ urlParams: { filters, limit: feedStep } }, { signal })}
      events={["call.", "recording.", "transcript."]}
      columns="calls"
      headings={["Number", "Summary", "Duration", "Status", "Time"]}
      hrefOf={({ id }) => linkTo(paths.call, { id })}
      row={row}
      empty={{
        text: "Place the first one with an agent ($AGENT is its id):",
        command: curlCommand("/voice/calls", {
          voiceAgentId: "'$AGENT'",
          to: "+442079460018",
          sandbox: { answers: ["Sales, please"] }
        })
      }}
    >
      <ChoiceFilter name="status" label="Status" values={statuses} />
      <ChoiceFilter name="direction" label="Direction" values={directions} />
    </ListView>
  )
}

export default CallsView

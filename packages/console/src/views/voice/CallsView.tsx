import { client, serviceUrl } from "../../app/Client.js"
import { place } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { VoiceCall } from "../../app/Types.js"
import { durationText } from "../../components/Duration.js"
import { EmptyState } from "../../components/EmptyState.js"
import { feedStep } from "../../components/Feed.js"
import { FeedList } from "../../components/FeedList.js"
import { ChoiceFilter } from "../../components/ListFilters.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { idOf, useResources } from "../../components/UseResources.js"
import { ViewHeader } from "../../components/ViewHeader.js"

const command = `curl ${serviceUrl}/v1/voice/calls \\
  -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"voiceAgentId":"'$AGENT'","to":"+442079460018","sandbox":{"answers":["Sales, please"]}}'`

const statuses = ["queued", "ringing", "in_progress", "completed", "busy", "no_answer", "failed", "cancelled"] as const
const directions = ["outbound", "inbound"] as const

/** The filters of the list, from the URL. Unknown values are left out. */
const filtersOf = (query: URLSearchParams) => {
  const status = statuses.find((value) => value === query.get("status"))
  const direction = directions.find((value) => value === query.get("direction"))
  const voiceAgentId = query.get("agent") ?? ""
  return {
    ...(status === undefined ? {} : { status }),
    ...(direction === undefined ? {} : { direction }),
    ...(voiceAgentId === "" ? {} : { voiceAgentId })
  }
}

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
  const filters = filtersOf(place.value.query)
  const key = JSON.stringify(filters)
  const { feed } = useResources(
    key,
    (signal) => client.voiceCalls.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
    ["call.", "recording.", "transcript."]
  )
  return (
    <>
      <ViewHeader title="Calls" />
      <search class="filters">
        <ChoiceFilter name="status" label="Status" values={statuses} />
        <ChoiceFilter name="direction" label="Direction" values={directions} />
      </search>
      <FeedList
        label="Calls"
        columns="calls"
        feed={feed}
        keyOf={idOf}
        hrefOf={({ id }) => linkTo(paths.call, { id })}
        row={row}
        empty={
          key === "{}" ? (
            <EmptyState title="No calls yet" text="Place the first one with an agent:" command={command} />
          ) : (
            <EmptyState title="No call matches" text="Change the filters, or remove them." />
          )
        }
      />
    </>
  )
}

export default CallsView

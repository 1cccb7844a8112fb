import { client, serviceUrl } from "../app/Client.js"
import { linkTo, type PathParams, paths } from "../app/Paths.js"
import type { VoiceCall } from "../app/Types.js"
import { ActionButton } from "../components/Actions.js"
import { Status, Time } from "../components/Facts.js"
import { feedStep } from "../components/Feed.js"
import { durationText } from "../components/Format.js"
import { filterChoice, filterText, listView } from "../components/ListView.js"
import { ErrorNotice } from "../components/Notices.js"
import { Card, FactsCard, PendingView, useResource } from "../components/Resource.js"
import { useLoad, ViewHeader } from "../components/View.js"
import { PlaceCall } from "./AgentForms.js"

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
export const CallsView = listView({
  title: "Calls",
  noun: "call",
  choices: { status: statuses, direction: directions },
  filters: () => ({
    status: filterChoice("status", statuses),
    direction: filterChoice("direction", directions),
    voiceAgentId: filterText("agent")
  }),
  open: (filters, signal) => client.voiceCalls.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
  events: ["call.", "recording.", "transcript."],
  layout: "calls",
  columns: { Number: "minmax(130px, 0.8fr)", Summary: 2, Duration: "80px", Status: "112px", Time: "96px" },
  hrefOf: ({ id }) => linkTo(paths.call, { id }),
  row,
  empty: "Place the first one with an agent ($AGENT is its id):",
  example: [
    "/voice/calls",
    {
      voiceAgentId: "'$AGENT'",
      to: "+442079460018",
      sandbox: { answers: ["Sales, please"] }
    }
  ],
  actions: () => <PlaceCall />
})

/** The facts of a call beside its transcript. */
const CallFacts = ({ call }: { readonly call: VoiceCall }) => (
  <aside>
    <FactsCard
      facts={[
        ["Status", <Status key="status" value={call.status} />],
        ["Direction", `${call.direction}, ${call.transport}`],
        ["From", call.from],
        ["To", call.to],
        ["Duration", call.durationSeconds === undefined ? null : durationText(call.durationSeconds)],
        ["Menu choice", call.metadata?.menuFinalSelection?.menuItemLabel],
        ["Created", call.createdAt],
        ["Answered", call.answeredAt],
        ["Ended", call.endedAt],
        [
          "Agent",
          call.voiceAgentId === undefined ? null : (
            <a key="agent" href={linkTo(paths.agent, { id: call.voiceAgentId })}>
              Agent of the call
            </a>
          )
        ]
      ]}
      id={call.id}
    />
  </aside>
)

/** The path of signed links to files. */
const objectsPath = "/v1/objects/"

/**
 * The URL of a file in the origin of the page: a signed link has the public URL of the service, which can differ from
 * the one that the page was opened with.
 */
const objectUrl = (link: string): string => {
  const { pathname, search } = new URL(link)
  return `${serviceUrl}${pathname.slice(pathname.indexOf(objectsPath))}${search}`
}

/** Loads the text of a transcript by its signed link. */
const loadTranscript = async (link: string, signal: AbortSignal): Promise<string> => {
  const response = await fetch(objectUrl(link), { signal })
  if (!response.ok) throw new Error(`The transcript can't be loaded: status ${response.status}.`)
  return response.text()
}

interface TranscriptProps {
  /** The id of the call: its link differs each time that the call is loaded. */
  readonly id: string
  readonly link: string
  /** Loads the call with a new link: a link is valid for 15 minutes. */
  readonly renew: () => void
}

/** The transcript of a call as text. */
const Transcript = ({ id, link, renew }: TranscriptProps) => {
  const { error, value } = useLoad((signal) => loadTranscript(link, signal), [id, link])
  if (error !== undefined) return <ErrorNotice error={error} retry={renew} />
  return (
    <ol class="transcript" aria-label="Transcript">
      {value
        ?.trimEnd()
        .split("\n")
        .map((line, at) => (
          <li key={at} class={/^\[\d+:\d+\] Caller: /.test(line) ? "caller" : "agent"}>
            {line}
          </li>
        ))}
    </ol>
  )
}

const back = { href: linkTo(paths.calls, {}), label: "Calls" }

/** One call: its summary, its recording and its transcript. It follows events. */
export const CallView = ({ id }: PathParams<typeof paths.call>) => {
  const resource = useResource(id, (options) => client.voiceCalls.get({ path: { id } }, options), [
    "call.",
    "recording.",
    "transcript."
  ])
  const { value } = resource
  if (value === undefined) return <PendingView title="Call" back={back} resource={resource} />
  const { direction, from, metadata, recordingUrl, status, summary, to, transcriptUrl } = value
  const isOver = !["queued", "ringing", "in_progress"].includes(status)
  return (
    <>
      <ViewHeader title={(direction === "outbound" ? to : from) ?? "Unknown number"} back={back}>
        {status === "in_progress" && (
          <ActionButton
            label="Hang up"
            icon="phone"
            kind="danger"
            permission="voice.write"
            confirm="The call ends at once."
            action={async () => {
              await client.voiceCalls.hangUp({ path: { id } })
              resource.refresh()
            }}
            done="The call is ended"
          />
        )}
      </ViewHeader>
      <div class="detail">
        <div>
          <Card title="Summary">
            {metadata?.errorMessage !== undefined && <p class="last-error">{metadata.errorMessage}</p>}
            <p class="description">{summary ?? (isOver ? "No summary" : "The summary follows after the call.")}</p>
          </Card>
          <Card title="Recording">
            {recordingUrl === undefined ? (
              <p class="hint">{isOver ? "The call was not recorded." : "The recording follows after the call."}</p>
            ) : (
              // biome-ignore lint/a11y/useMediaCaption: the transcript follows.
              <audio controls preload="none" src={objectUrl(recordingUrl)} aria-label="Recording" />
            )}
          </Card>
          <Card title="Transcript">
            {transcriptUrl === undefined ? (
              <p class="hint">{isOver ? "Nothing was said." : "The transcript follows after the call."}</p>
            ) : (
              <Transcript id={id} link={transcriptUrl} renew={resource.refresh} />
            )}
          </Card>
        </div>
        <CallFacts call={value} />
      </div>
    </>
  )
}

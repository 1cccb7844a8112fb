import { client } from "../../app/Client.js"
import { useEvents } from "../../app/LiveEvents.js"
import { linkTo, paths } from "../../app/Paths.js"
import { showDone } from "../../app/Toasts.js"
import type { ViewProps } from "../../app/View.js"
import { ActionButton } from "../../components/ActionButton.js"
import { Pending } from "../../components/Pending.js"
import { useLatest } from "../../components/UseLatest.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { CallFacts } from "./CallFacts.js"
import { objectUrl } from "./ObjectUrl.js"
import { Transcript } from "./Transcript.js"

const back = { href: linkTo(paths.calls, {}), label: "Calls" }

/** One call: its summary, its recording and its transcript. It follows events. */
const CallView = ({ params: { id } }: ViewProps<typeof paths.call>) => {
  const { error, reload, replace, value } = useLoad(
    (signal) => client.voiceCalls.get({ path: { id } }, { signal }),
    [id]
  )
  const refresh = useLatest(async () => replace(await client.voiceCalls.get({ path: { id } })))
  useEvents(["call.", "recording.", "transcript."], (event) => {
    if (event.type !== "unknown" && "id" in event.data && event.data.id === id) refresh()
  })
  if (value === undefined) {
    return (
      <>
        <ViewHeader title="Call" back={back} />
        <Pending error={error} reload={reload} />
      </>
    )
  }
  const hangUp = async () => {
    await client.voiceCalls.hangUp({ path: { id } })
    showDone("The call is ended")
    refresh()
  }
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
            action={hangUp}
          />
        )}
      </ViewHeader>
      <div class="detail">
        <div>
          <section class="card" aria-labelledby="summary">
            <h2 id="summary">Summary</h2>
            {metadata?.errorMessage !== undefined && <p class="last-error">{metadata.errorMessage}</p>}
            <p class="description">{summary ?? (isOver ? "No summary" : "The summary follows after the call.")}</p>
          </section>
          <section class="card" aria-labelledby="recording">
            <h2 id="recording">Recording</h2>
            {recordingUrl === undefined ? (
              <p class="hint">{isOver ? "The call was not recorded." : "The recording follows after the call."}</p>
            ) : (
              // biome-ignore lint/a11y/useMediaCaption: the transcript follows.
              <audio controls preload="none" src={objectUrl(recordingUrl)} aria-label="Recording" />
            )}
          </section>
          <section class="card" aria-labelledby="transcript">
            <h2 id="transcript">Transcript</h2>
            {transcriptUrl === undefined ? (
              <p class="hint">{isOver ? "Nothing was said." : "The transcript follows after the call."}</p>
            ) : (
              <Transcript id={id} link={transcriptUrl} renew={refresh} />
            )}
          </section>
        </div>
        <CallFacts call={value} />
      </div>
    </>
  )
}

export default CallView

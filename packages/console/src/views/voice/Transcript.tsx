import { ErrorNotice } from "../../components/ErrorNotice.js"
import { useLoad } from "../../components/UseLoad.js"
import { objectUrl } from "./ObjectUrl.js"

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
export const Transcript = ({ id, link, renew }: TranscriptProps) => {
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

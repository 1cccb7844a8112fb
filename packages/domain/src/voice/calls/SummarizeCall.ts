import { Schema } from "effect"
import { VoiceCallId } from "../VoiceCall.js"
import type { CallLine } from "./CallProgress.js"

/** The transcript of a call. */
export const CallTranscript = Schema.Struct({
  callId: VoiceCallId,
  transcriptUrl: Schema.optional(
    Schema.String.annotations({ description: "a signed link to the text, valid for 15 minutes" })
  ),
  hasTranscript: Schema.Boolean
}).annotations({ identifier: "CallTranscript" })
export type CallTranscript = typeof CallTranscript.Type

const two = (value: number) => String(value).padStart(2, "0")

const clock = (ms: number) => {
  const seconds = Math.floor(ms / 1_000)
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`
}

const named = { agent: "Agent: ", caller: "Caller: ", note: "" }

/** The transcript as text: one line for each spoken text with its time, and notes in parentheses. */
export const transcriptText = (lines: ReadonlyArray<CallLine>): string =>
  lines
    .map(({ atMs, speaker, text }) => {
      const line = text.replaceAll(/\s+/g, " ").trim()
      return `[${clock(atMs)}] ${named[speaker]}${speaker === "note" ? `(${line})` : line}\n`
    })
    .join("")

/** A call that ended, as its summary describes it. */
export interface EndedConversation {
  readonly agentName: string | undefined
  readonly lines: ReadonlyArray<CallLine>
  readonly durationMs: number
  /** The label of the last menu choice. */
  readonly chosen: string | undefined
  readonly endedBy: "workflow" | "transfer" | "hangup"
  readonly transferredTo: string | null
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`

const lasting = (ms: number) => {
  const all = Math.round(ms / 1_000)
  const [minutes, seconds] = [Math.floor(all / 60), all % 60]
  if (minutes === 0) return counted(seconds, "second")
  return counted(minutes, "minute") + (seconds === 0 ? "" : ` ${counted(seconds, "second")}`)
}

const often = (count: number) => ["not at all", "once", "twice"][count] ?? `${count} times`

const ending = ({ endedBy, transferredTo }: EndedConversation) => {
  if (endedBy === "hangup") return "The call was hung up."
  return transferredTo === null ? "The workflow came to its end." : `It was transferred to ${transferredTo}.`
}

/**
 * A summary in a few sentences, the same for every carrier. It quotes nothing from the transcript, which can be deleted
 * separately.
 */
export const summarizeCall = (call: EndedConversation): string => {
  const { agentName = "The agent", chosen, durationMs, lines } = call
  const by = (speaker: CallLine["speaker"]) => lines.filter((line) => line.speaker === speaker).length
  const [agent, caller] = [by("agent"), by("caller")]
  const spoke =
    agent + caller === 0
      ? `${agentName} and the caller said nothing`
      : `${agentName} spoke ${often(agent)} and the caller ${often(caller)}`
  return [
    `${spoke}, in ${lasting(durationMs)}.`,
    ...(chosen === undefined ? [] : [`The caller chose ${chosen}.`]),
    ending(call)
  ].join(" ")
}

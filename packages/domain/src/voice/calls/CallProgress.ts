import { Schema } from "effect"
import { choice } from "../../Fields.js"
import { MenuMatch } from "../VoiceCall.js"
import { WorkflowEdge, WorkflowNode } from "../workflows/WorkflowGraph.js"
import { CallCommand, speechMs } from "./CallControl.js"

/** A recorded span of a call in milliseconds from its start; `toMs` is null while recording. */
export const RecordedSpan = Schema.Struct({ fromMs: Schema.Int, toMs: Schema.NullOr(Schema.Int) })
export type RecordedSpan = typeof RecordedSpan.Type

/** Whether the call is being recorded. */
export const isRecording = (spans: ReadonlyArray<RecordedSpan>): boolean => spans.at(-1)?.toMs === null

/** Starts recording. */
export const recordFrom = (spans: ReadonlyArray<RecordedSpan>, ms: number): ReadonlyArray<RecordedSpan> => [
  ...spans,
  { fromMs: ms, toMs: null }
]

/** Stops recording. */
export const recordUntil = (spans: ReadonlyArray<RecordedSpan>, ms: number): ReadonlyArray<RecordedSpan> =>
  spans.map((span) => (span.toMs === null ? { ...span, toMs: Math.max(span.fromMs, ms) } : span))

/** The recorded spans within a call of the length `endMs`. */
export const recordedWithin = (spans: ReadonlyArray<RecordedSpan>, endMs: number) =>
  spans
    .map(({ fromMs, toMs }) => ({ fromMs: Math.min(fromMs, endMs), toMs: Math.min(toMs ?? endMs, endMs) }))
    .filter(({ fromMs, toMs }) => toMs > fromMs)

/** A line of a call's transcript, with its time in milliseconds from the start. A `note` is an event without sound. */
export const CallLine = Schema.Struct({
  atMs: Schema.Int,
  durationMs: Schema.Int,
  speaker: choice("agent", "caller", "note"),
  text: Schema.String
})
export type CallLine = typeof CallLine.Type

/** The parameters of a call. They are fixed when the call is placed, so that later edits do not affect it. */
export const CallScript = Schema.Struct({
  /** Missing in calls placed before this field was added. */
  agentName: Schema.optional(Schema.String),
  nodes: Schema.Array(WorkflowNode),
  edges: Schema.Array(WorkflowEdge),
  /** The system prompt of the agent. */
  systemPrompt: Schema.NullOr(Schema.String),
  /** The simulated answers of the caller, in order, for calls of the sandbox carrier. */
  answers: Schema.Array(Schema.String)
})
export type CallScript = typeof CallScript.Type

/** The state of a call: sufficient to resume it in any process. */
export const CallProgress = Schema.Struct({
  /** `line` while the call is connected, `after` while the nodes after its end run. */
  phase: choice("line", "after"),
  /** The next node, or the one that gathers input; null at the end of the path. */
  node: Schema.NullOr(Schema.String),
  clockMs: Schema.Int,
  steps: Schema.Int,
  /** External actions so far: messages and HTTP requests. */
  errands: Schema.Int,
  /** The commands that have not ended, the current one first. None in calls that an earlier release began. */
  commands: Schema.optionalWith(Schema.Array(CallCommand), { default: () => [] }),
  /** The number of commands so far. */
  issued: Schema.optionalWith(Schema.Int, { default: () => 0 }),
  /** The number of inputs of the caller that were awaited. */
  gathered: Schema.optionalWith(Schema.Int, { default: () => 0 }),
  /** The number of prompts that the caller interrupted. */
  bargeIns: Schema.optionalWith(Schema.Int, { default: () => 0 }),
  variables: Schema.Record({ key: Schema.String, value: Schema.String }),
  lines: Schema.Array(CallLine),
  matches: Schema.Array(Schema.Struct({ atMs: Schema.Int, match: MenuMatch }))
})
export type CallProgress = typeof CallProgress.Type

/** The words of a text that were spoken after `ms`; none before the first word ended. */
const spokenWithin = (text: string, ms: number): string => {
  if (text.trim() === "") return ""
  const words = text.trim().split(/\s+/)
  const spoken = words.slice(0, Math.floor((words.length * ms) / speechMs(text)))
  if (spoken.length === words.length) return text
  return spoken.length === 0 ? "" : `${spoken.join(" ")} –`
}

/** The text that a command speaks. */
const textOf = (command: CallCommand | undefined): string => {
  if (command?._tag === "Gather") return command.prompt
  return command?._tag === "Say" || command?._tag === "Play" ? command.text : ""
}

/** Ends the current command at `ms`. The transcript has the words of the agent that were spoken before. */
export const cutCommand = (progress: CallProgress, ms: number): CallProgress => {
  const { clockMs, commands, lines } = progress
  const [current, ...next] = commands
  const durationMs = Math.max(0, ms - clockMs)
  const given = textOf(current)
  const text = spokenWithin(given, durationMs)
  const line = { atMs: clockMs, durationMs: Math.min(durationMs, speechMs(given)), speaker: "agent", text } as const
  const isInterrupted = text !== given && current?._tag === "Gather"
  return {
    ...progress,
    clockMs: clockMs + durationMs,
    commands: next,
    bargeIns: progress.bargeIns + (isInterrupted ? 1 : 0),
    lines: text === "" ? lines : [...lines, line]
  }
}

/** Ends a call at `ms`, in the middle of its current command. */
export const cutCall = (progress: CallProgress, ms: number): CallProgress => ({
  ...cutCommand(progress, ms),
  bargeIns: progress.bargeIns,
  commands: []
})

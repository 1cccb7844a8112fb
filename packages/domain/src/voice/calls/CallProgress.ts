import { Schema } from "effect"
import { choice } from "../../Choice.js"
import { MenuMatch } from "../VoiceCall.js"
import { WorkflowEdge, WorkflowNode } from "../workflows/WorkflowGraph.js"

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
  /** The next node; null at the end of the path. */
  node: Schema.NullOr(Schema.String),
  clockMs: Schema.Int,
  steps: Schema.Int,
  /** External actions so far: messages and HTTP requests. */
  errands: Schema.Int,
  answersUsed: Schema.Int,
  variables: Schema.Record({ key: Schema.String, value: Schema.String }),
  lines: Schema.Array(CallLine),
  matches: Schema.Array(Schema.Struct({ atMs: Schema.Int, match: MenuMatch }))
})
export type CallProgress = typeof CallProgress.Type

import { Schema } from "effect"
import { choice } from "../../Choice.js"
import { MenuMatch } from "../VoiceCall.js"
import { WorkflowEdge, WorkflowNode } from "../workflows/WorkflowGraph.js"

/** Something that was said, and when, in the time of the call; a note says what happened without a sound. */
export const CallLine = Schema.Struct({
  atMs: Schema.Int,
  durationMs: Schema.Int,
  speaker: choice("agent", "caller", "note"),
  text: Schema.String
})
export type CallLine = typeof CallLine.Type

/** How a call is to go: made when it is placed, so that nobody changes it while it lasts. */
export const CallScript = Schema.Struct({
  /** Whose call it is; calls that were placed before it was kept have none. */
  agentName: Schema.optional(Schema.String),
  nodes: Schema.Array(WorkflowNode),
  edges: Schema.Array(WorkflowEdge),
  /** What its agent is told to be. */
  systemPrompt: Schema.NullOr(Schema.String),
  /** What the person at the other end says, one after the other, in a call of the sandbox. */
  answers: Schema.Array(Schema.String)
})
export type CallScript = typeof CallScript.Type

/** How far a call is: all that it takes to go on with it, on any machine. */
export const CallProgress = Schema.Struct({
  /** Whether it is on the line, or over and following what comes after the end. */
  phase: choice("line", "after"),
  /** The node that comes next; null where the way ends. */
  node: Schema.NullOr(Schema.String),
  clockMs: Schema.Int,
  steps: Schema.Int,
  /** How often something was done outside. */
  errands: Schema.Int,
  answersUsed: Schema.Int,
  variables: Schema.Record({ key: Schema.String, value: Schema.String }),
  lines: Schema.Array(CallLine),
  matches: Schema.Array(Schema.Struct({ atMs: Schema.Int, match: MenuMatch }))
})
export type CallProgress = typeof CallProgress.Type

import type { MenuMatch } from "../VoiceCall.js"
import { defaultListenSeconds } from "../workflows/NodeConfig.js"
import type { WorkflowNode } from "../workflows/WorkflowGraph.js"
import type { CallLine, CallProgress, CallScript } from "./CallProgress.js"
import { evaluateCondition, fillText, matchMenu } from "./ChooseExit.js"

/** 2.5 words per second. Scripts without spaces between words are measured by characters. */
const msOfWord = 400
const msOfLetter = 60

/** The minimum duration of a text. */
const minSpeechMs = 1_000

/** The estimated duration of a spoken text in milliseconds. */
const speechMs = (text: string): number => {
  const spoken = text.trim()
  const words = spoken.split(/\s+/).length
  return spoken === "" ? 0 : Math.max(minSpeechMs, words * msOfWord, [...spoken].length * msOfLetter)
}

/** The maximum number of steps of a call. */
export const maxSteps = 1_000

/** The maximum number of external actions of a call: messages and HTTP requests. */
const maxExternalActions = 50

/** The maximum duration of a call in milliseconds: one hour. */
export const maxCallMs = 3_600_000

/** The pause between two spoken texts, in milliseconds. */
const pauseMs = 300

/** The caller's answer if the call and the node define none. */
export const defaultAnswer = "Yes, thank you."

/** A node with an action that runs outside the call. */
export type ExternalAction = Extract<WorkflowNode, { readonly type: "action.sendMessage" | "action.httpRequest" }>

/** The next step after the played part. */
export type PlayedNext =
  | { readonly _tag: "ExternalAction"; readonly node: ExternalAction }
  | { readonly _tag: "End"; readonly transferredTo: string | null }

/** The result of playing a call up to an external action or its end. */
export interface Played {
  readonly progress: CallProgress
  readonly next: PlayedNext
}

/** The result of an external action. */
export interface ActionResult {
  readonly note: string
  readonly tookMs: number
  readonly variables: Readonly<Record<string, string>>
}

const triggerOf = ({ nodes }: CallScript, type: "trigger.callStarted" | "trigger.callEnded") =>
  nodes.find((node) => node.type === type)?.id ?? null

/** The progress of a call that was just answered. */
export const initialProgress = (script: CallScript, variables: Readonly<Record<string, string>>): CallProgress => ({
  phase: "line",
  node: triggerOf(script, "trigger.callStarted"),
  ...{ clockMs: 0, steps: 0, errands: 0, answersUsed: 0, variables, lines: [], matches: [] }
})

/** The progress of a call that ended, at its trigger `trigger.callEnded`. */
export const progressAfterEnd = (script: CallScript, progress: CallProgress): CallProgress => ({
  ...progress,
  phase: "after",
  lines: [],
  node: triggerOf(script, "trigger.callEnded")
})

/** The target of the edge that leaves a node: the edge of `handle`, else the edge without a handle. */
const nextOf = ({ edges }: CallScript, node: WorkflowNode, handle?: string): string | null => {
  const outgoing = edges.filter(({ source }) => source === node.id)
  const edge =
    node.type === "action.menu" || node.type === "logic.condition"
      ? (outgoing.find(({ sourceHandle }) => handle !== undefined && sourceHandle === handle) ??
        outgoing.find(({ sourceHandle }) => sourceHandle === undefined))
      : outgoing[0]
  return edge?.target ?? null
}

const withLine = (progress: CallProgress, speaker: CallLine["speaker"], text: string): CallProgress => {
  if (text.trim() === "") return progress
  const durationMs = speaker === "note" ? 0 : speechMs(text)
  return {
    ...progress,
    clockMs: progress.clockMs + durationMs + (durationMs === 0 ? 0 : pauseMs),
    lines: [...progress.lines, { atMs: progress.clockMs, durationMs, speaker, text }]
  }
}

const speak = (progress: CallProgress, text: string) => withLine(progress, "agent", fillText(text, progress.variables))

/** The caller's next answer: from the script, else from the node, else the default. */
const takeReply = (
  { answers }: CallScript,
  progress: CallProgress,
  config: {
    readonly sandboxReply?: string | undefined
    readonly timeoutSeconds?: number | undefined
    readonly variable?: string | undefined
  },
  defaultReply: string
): { readonly reply: string; readonly progress: CallProgress } => {
  const reply = answers[progress.answersUsed] ?? config.sandboxReply ?? defaultReply
  const waitMs = Math.round((config.timeoutSeconds ?? defaultListenSeconds) * 1_000)
  const spoken =
    reply.trim() === "" ? { ...progress, clockMs: progress.clockMs + waitMs } : withLine(progress, "caller", reply)
  return {
    reply,
    progress: {
      ...spoken,
      answersUsed: progress.answersUsed + 1,
      variables: {
        ...progress.variables,
        reply,
        ...(config.variable === undefined ? {} : { [config.variable]: reply })
      }
    }
  }
}

const promptOf = ({ items, prompt }: Extract<WorkflowNode, { type: "action.menu" }>["data"]["config"]) =>
  prompt ?? `Please choose: ${items.map(({ label }) => label).join(", ")}.`

const matched = (progress: CallProgress, match: MenuMatch | null): CallProgress =>
  match === null ? progress : { ...progress, matches: [...progress.matches, { atMs: progress.clockMs, match }] }

const quoted = (prompt: string) => `“${[...prompt].slice(0, 200).join("")}”`

/** The reply of an `ai.respond` node: the sandbox has no model. */
const response = (prompt: string | null | undefined) =>
  `The sandbox carrier has no model.${prompt ? ` The prompt is: ${quoted(prompt)}` : ""}`

/** Runs one node: returns the progress after it, or the external action or end that follows. */
const step = (script: CallScript, before: CallProgress, node: WorkflowNode): CallProgress | PlayedNext => {
  const on = (progress: CallProgress, handle?: string) => ({ ...progress, node: nextOf(script, node, handle) })
  const isOnLine = before.phase === "line"
  switch (node.type) {
    case "trigger.callStarted":
    case "trigger.callEnded":
      return on(before)
    case "action.speak":
      return on(isOnLine ? speak(before, node.data.config.text) : before)
    case "ai.respond":
      return on(isOnLine ? speak(before, response(node.data?.config?.prompt ?? script.systemPrompt)) : before)
    case "action.listen": {
      const { prompt = "", ...config } = node.data?.config ?? {}
      return on(isOnLine ? takeReply(script, speak(before, prompt), config, defaultAnswer).progress : before)
    }
    case "action.menu": {
      if (!isOnLine) return on(before)
      const { config } = node.data
      const { reply, progress } = takeReply(
        script,
        speak(before, promptOf(config)),
        config,
        config.items[0]?.label ?? ""
      )
      const match = matchMenu(config.items, reply)
      return on(matched(progress, match), match?.menuItemId)
    }
    case "logic.condition":
      return on(before, String(evaluateCondition(node.data.config, before.variables)))
    case "logic.delay":
      return on({ ...before, clockMs: before.clockMs + Math.round(node.data.config.seconds * 1_000) })
    case "action.hangup":
      return { _tag: "End", transferredTo: null }
    case "action.transfer":
      return { _tag: "End", transferredTo: isOnLine ? node.data.config.to : null }
    case "action.sendMessage":
    case "action.httpRequest":
      return { _tag: "ExternalAction", node }
  }
}

const end: PlayedNext = { _tag: "End", transferredTo: null }

const stopped = (progress: CallProgress, reason: string): Played => ({
  progress: withLine({ ...progress, clockMs: Math.min(progress.clockMs, maxCallMs) }, "note", reason),
  next: end
})

/** Plays a call until an external action or its end. It is a pure function of script and progress. */
export const playWorkflow = (script: CallScript, from: CallProgress): Played => {
  const byId = new Map(script.nodes.map((node) => [node.id, node]))
  let progress = from
  for (;;) {
    const node = progress.node === null ? undefined : byId.get(progress.node)
    if (node === undefined) return { progress, next: end }
    if (progress.steps >= maxSteps) return stopped(progress, `The call has no more than ${maxSteps} steps`)
    if (progress.clockMs >= maxCallMs) return stopped(progress, "The call lasts no longer than an hour")
    progress = { ...progress, steps: progress.steps + 1 }
    const after = step(script, progress, node)
    if (!("_tag" in after)) {
      progress = after
    } else if (after._tag === "ExternalAction" && progress.errands >= maxExternalActions) {
      return stopped(progress, `The call has no more than ${maxExternalActions} messages and requests`)
    } else {
      const to = after._tag === "End" ? after.transferredTo : null
      return { progress: to === null ? progress : withLine(progress, "note", `Transferred to ${to}`), next: after }
    }
  }
}

/** Applies the result of an external action. */
export const applyActionResult = (
  script: CallScript,
  progress: CallProgress,
  node: ExternalAction,
  { note, tookMs, variables }: ActionResult
): CallProgress => ({
  ...withLine({ ...progress, clockMs: progress.clockMs + tookMs }, "note", note),
  errands: progress.errands + 1,
  variables: { ...progress.variables, ...variables },
  node: nextOf(script, node)
})

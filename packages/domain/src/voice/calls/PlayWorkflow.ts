import type { MenuMatch } from "../VoiceCall.js"
import { defaultListenSeconds } from "../workflows/NodeConfig.js"
import type { WorkflowNode } from "../workflows/WorkflowGraph.js"
import type { CallLine, CallProgress, CallScript } from "./CallProgress.js"
import { fillText } from "./FillText.js"
import { judgeCondition } from "./JudgeCondition.js"
import { matchMenu } from "./MatchMenu.js"
import { speechMs } from "./SpeechLength.js"

/** How many steps a call can have. */
export const mostSteps = 1_000

/** How often a call can have something done outside. */
export const mostErrands = 50

/** How long a call can last. */
export const longestCallMs = 3_600_000

/** Between what one says and what the next one says. */
const pauseMs = 300

/** What somebody says to a question that nobody wrote an answer to. */
export const usualAnswer = "Yes, thank you."

/** A node that has something done that is neither said nor heard. */
export type Errand = Extract<WorkflowNode, { readonly type: "action.sendMessage" | "action.httpRequest" }>

/** What comes after what was played. */
export type PlayedNext =
  | { readonly _tag: "Errand"; readonly node: Errand }
  | { readonly _tag: "End"; readonly transferredTo: string | null }

/** How far a call came by itself. */
export interface Played {
  readonly progress: CallProgress
  readonly next: PlayedNext
}

/** What became of what was done outside. */
export interface Done {
  readonly note: string
  readonly tookMs: number
  readonly variables: Readonly<Record<string, string>>
}

const triggerOf = ({ nodes }: CallScript, type: "trigger.callStarted" | "trigger.callEnded") =>
  nodes.find((node) => node.type === type)?.id ?? null

/** A call that was answered just now. */
export const beginning = (script: CallScript, variables: Readonly<Record<string, string>>): CallProgress => ({
  phase: "line",
  node: triggerOf(script, "trigger.callStarted"),
  ...{ clockMs: 0, steps: 0, errands: 0, answersUsed: 0, variables, lines: [], matches: [] }
})

/** A call that is over: what is still to be done, without anybody on the line. */
export const afterTheEnd = (script: CallScript, progress: CallProgress): CallProgress => ({
  ...progress,
  phase: "after",
  lines: [],
  node: triggerOf(script, "trigger.callEnded")
})

/** Where the way leads out of a node: by its own edge if there is one, else by the one that is taken where no other is. */
const nextOf = ({ edges }: CallScript, node: WorkflowNode, handle?: string): string | null => {
  const ways = edges.filter(({ source }) => source === node.id)
  const taken =
    node.type === "action.menu" || node.type === "logic.condition"
      ? (ways.find(({ sourceHandle }) => handle !== undefined && sourceHandle === handle) ??
        ways.find(({ sourceHandle }) => sourceHandle === undefined))
      : ways[0]
  return taken?.target ?? null
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

const say = (progress: CallProgress, text: string) => withLine(progress, "agent", fillText(text, progress.variables))

/** What the person at the other end says: what the call was given, else what the node says, else what is usual. */
const hear = (
  { answers }: CallScript,
  progress: CallProgress,
  config: {
    readonly sandboxReply?: string | undefined
    readonly timeoutSeconds?: number | undefined
    readonly variable?: string | undefined
  },
  usual: string
): { readonly heard: string; readonly progress: CallProgress } => {
  const heard = answers[progress.answersUsed] ?? config.sandboxReply ?? usual
  const waitMs = Math.round((config.timeoutSeconds ?? defaultListenSeconds) * 1_000)
  const spoken =
    heard.trim() === "" ? { ...progress, clockMs: progress.clockMs + waitMs } : withLine(progress, "caller", heard)
  return {
    heard,
    progress: {
      ...spoken,
      answersUsed: progress.answersUsed + 1,
      variables: {
        ...progress.variables,
        reply: heard,
        ...(config.variable === undefined ? {} : { [config.variable]: heard })
      }
    }
  }
}

const promptOf = ({ items, prompt }: Extract<WorkflowNode, { type: "action.menu" }>["data"]["config"]) =>
  prompt ?? `Please choose: ${items.map(({ label }) => label).join(", ")}.`

const matched = (progress: CallProgress, match: MenuMatch | null): CallProgress =>
  match === null ? progress : { ...progress, matches: [...progress.matches, { atMs: progress.clockMs, match }] }

const quoted = (prompt: string) => `“${[...prompt].slice(0, 200).join("")}”`

/** Nobody thinks in the sandbox, and it says so. */
const response = (prompt: string | null | undefined) =>
  `This is the sandbox, where no model answers.${prompt ? ` It would have been told: ${quoted(prompt)}` : ""}`

/** One node: how far the call is after it, or what comes after all that was played. */
const step = (script: CallScript, before: CallProgress, node: WorkflowNode): CallProgress | PlayedNext => {
  const on = (progress: CallProgress, handle?: string) => ({ ...progress, node: nextOf(script, node, handle) })
  const isHeard = before.phase === "line"
  switch (node.type) {
    case "trigger.callStarted":
    case "trigger.callEnded":
      return on(before)
    case "action.speak":
      return on(isHeard ? say(before, node.data.config.text) : before)
    case "ai.respond":
      return on(isHeard ? say(before, response(node.data?.config?.prompt ?? script.systemPrompt)) : before)
    case "action.listen": {
      const { prompt = "", ...config } = node.data?.config ?? {}
      return on(isHeard ? hear(script, say(before, prompt), config, usualAnswer).progress : before)
    }
    case "action.menu": {
      if (!isHeard) return on(before)
      const { config } = node.data
      const { heard, progress } = hear(script, say(before, promptOf(config)), config, config.items[0]?.label ?? "")
      const match = matchMenu(config.items, heard)
      return on(matched(progress, match), match?.menuItemId)
    }
    case "logic.condition":
      return on(before, String(judgeCondition(node.data.config, before.variables)))
    case "logic.delay":
      return on({ ...before, clockMs: before.clockMs + Math.round(node.data.config.seconds * 1_000) })
    case "action.hangup":
      return { _tag: "End", transferredTo: null }
    case "action.transfer":
      return { _tag: "End", transferredTo: isHeard ? node.data.config.to : null }
    case "action.sendMessage":
    case "action.httpRequest":
      return { _tag: "Errand", node }
  }
}

const end: PlayedNext = { _tag: "End", transferredTo: null }

const stopped = (progress: CallProgress, why: string): Played => ({
  progress: withLine({ ...progress, clockMs: Math.min(progress.clockMs, longestCallMs) }, "note", why),
  next: end
})

/**
 * Goes on with a call until something is to be done outside, or to its end. Whatever decides is in script and progress:
 * the same two always give the same call.
 */
export const playWorkflow = (script: CallScript, from: CallProgress): Played => {
  const byId = new Map(script.nodes.map((node) => [node.id, node]))
  let progress = from
  for (;;) {
    const node = progress.node === null ? undefined : byId.get(progress.node)
    if (node === undefined) return { progress, next: end }
    if (progress.steps >= mostSteps) return stopped(progress, `The call has no more than ${mostSteps} steps`)
    if (progress.clockMs >= longestCallMs) return stopped(progress, "The call lasts no longer than an hour")
    progress = { ...progress, steps: progress.steps + 1 }
    const after = step(script, progress, node)
    if (!("_tag" in after)) {
      progress = after
    } else if (after._tag === "Errand" && progress.errands >= mostErrands) {
      return stopped(progress, `The call has no more than ${mostErrands} messages and requests`)
    } else {
      const to = after._tag === "End" ? after.transferredTo : null
      return { progress: to === null ? progress : withLine(progress, "note", `Transferred to ${to}`), next: after }
    }
  }
}

/** Goes on after something was done outside. */
export const errandDone = (
  script: CallScript,
  progress: CallProgress,
  node: Errand,
  { note, tookMs, variables }: Done
): CallProgress => ({
  ...withLine({ ...progress, clockMs: progress.clockMs + tookMs }, "note", note),
  errands: progress.errands + 1,
  variables: { ...progress.variables, ...variables },
  node: nextOf(script, node)
})

import { defaultListenSeconds } from "../workflows/NodeConfig.js"
import type { WorkflowNode } from "../workflows/WorkflowGraph.js"
import type { CallCommand, CallEvent } from "./CallControl.js"
import { type CallLine, type CallProgress, type CallScript, cutCommand } from "./CallProgress.js"
import { evaluateCondition, fillText, matchMenu } from "./ChooseExit.js"

/** The maximum number of steps of a call. */
export const maxSteps = 1_000

/** The maximum number of external actions of a call: messages and HTTP requests. */
const maxExternalActions = 50

/** The maximum duration of a call in milliseconds: one hour. */
export const maxCallMs = 3_600_000

/** A node with an action that runs outside the call. */
export type ExternalAction = Extract<WorkflowNode, { readonly type: "action.sendMessage" | "action.httpRequest" }>

/** What the call waits for: the end of a command, an external action, or nothing, since it ends. */
export type PlayedNext =
  | { readonly _tag: "Command"; readonly command: CallCommand }
  | { readonly _tag: "ExternalAction"; readonly node: ExternalAction }
  | { readonly _tag: "End"; readonly transferredTo: string | null }

/** The result of playing a call until it waits. */
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

interface ListenConfig {
  readonly prompt?: string | undefined
  readonly sandboxReply?: string | undefined
  readonly timeoutSeconds?: number | undefined
}

const triggerOf = ({ nodes }: CallScript, type: "trigger.callStarted" | "trigger.callEnded") =>
  nodes.find((node) => node.type === type)?.id ?? null

/** The progress of a call that was just answered. */
export const initialProgress = (script: CallScript, variables: Readonly<Record<string, string>>): CallProgress => ({
  phase: "line",
  node: triggerOf(script, "trigger.callStarted"),
  ...{
    clockMs: 0,
    steps: 0,
    errands: 0,
    commands: [],
    issued: 0,
    gathered: 0,
    bargeIns: 0,
    variables,
    lines: [],
    matches: []
  }
})

/** The progress of a call that ended, at its trigger `trigger.callEnded`. */
export const progressAfterEnd = (script: CallScript, progress: CallProgress): CallProgress => ({
  ...progress,
  phase: "after",
  commands: [],
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

const withNote = (progress: CallProgress, text: string): CallProgress => ({
  ...progress,
  lines: [...progress.lines, { atMs: progress.clockMs, durationMs: 0, speaker: "note", text }]
})

/** A command without its number. */
type NewCommand = CallCommand extends infer Command ? (Command extends unknown ? Omit<Command, "id"> : never) : never

/** Adds commands in their order, without texts that are empty. */
const withCommands = (progress: CallProgress, ...commands: ReadonlyArray<NewCommand>): CallProgress => {
  const given = commands.filter((command) => !("text" in command) || command.text.trim() !== "")
  return {
    ...progress,
    issued: progress.issued + given.length,
    commands: given.map((command, at) => ({ ...command, id: progress.issued + at + 1 }))
  }
}

const say = ({ variables }: CallProgress, text: string): NewCommand => ({
  _tag: "Say",
  text: fillText(text, variables)
})

/** Says a prompt and listens for the caller. The sandbox replies by the call, else by the node. */
const gather = (
  { answers }: CallScript,
  { gathered, variables }: CallProgress,
  { prompt = "", sandboxReply, timeoutSeconds = defaultListenSeconds }: ListenConfig,
  hints: ReadonlyArray<string>
): NewCommand => ({
  _tag: "Gather",
  prompt: fillText(prompt, variables),
  timeoutMs: Math.round(timeoutSeconds * 1_000),
  hints,
  sandboxReply: answers[gathered] ?? sandboxReply
})

const promptOf = ({ items, prompt }: Extract<WorkflowNode, { type: "action.menu" }>["data"]["config"]) =>
  prompt ?? `Please choose: ${items.map(({ label }) => label).join(", ")}.`

const quoted = (prompt: string) => `“${[...prompt].slice(0, 200).join("")}”`

/** The reply of an `ai.respond` node: the sandbox has no model. */
const response = (prompt: string | null | undefined) =>
  `The sandbox carrier has no model.${prompt ? ` The prompt is: ${quoted(prompt)}` : ""}`

/** Enters a node: returns the progress with its commands, or the external action or end that follows. */
const enter = (script: CallScript, before: CallProgress, node: WorkflowNode): CallProgress | PlayedNext => {
  const on = (progress: CallProgress, handle?: string) => ({ ...progress, node: nextOf(script, node, handle) })
  const isOnLine = before.phase === "line"
  switch (node.type) {
    case "trigger.callStarted":
    case "trigger.callEnded":
      return on(before)
    case "action.speak": {
      if (!isOnLine) return on(before)
      const { audioUrl: url, text } = node.data.config
      return on(withCommands(before, url === undefined ? say(before, text) : { _tag: "Play", text, url }))
    }
    case "ai.respond": {
      const prompt = node.data?.config?.prompt ?? script.systemPrompt
      return on(isOnLine ? withCommands(before, say(before, response(prompt))) : before)
    }
    case "action.listen": {
      if (!isOnLine) return on(before)
      return withCommands(before, gather(script, before, node.data?.config ?? {}, []))
    }
    case "action.menu": {
      if (!isOnLine) return on(before)
      const { config } = node.data
      const hints = config.items.map(({ label }) => label)
      return withCommands(before, gather(script, before, { ...config, prompt: promptOf(config) }, hints))
    }
    case "logic.condition":
      return on(before, String(evaluateCondition(node.data.config, before.variables)))
    case "logic.delay":
      return on(withCommands(before, { _tag: "Wait", ms: Math.round(node.data.config.seconds * 1_000) }))
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
  progress: withNote({ ...progress, commands: [], clockMs: Math.min(progress.clockMs, maxCallMs) }, reason),
  next: end
})

/** Plays a call until it waits for an event, or ends. It is a pure function of script and progress. */
export const playWorkflow = (script: CallScript, from: CallProgress): Played => {
  const byId = new Map(script.nodes.map((node) => [node.id, node]))
  let progress = from
  for (;;) {
    const [command] = progress.commands
    const node = progress.node === null ? undefined : byId.get(progress.node)
    if (command === undefined && node === undefined) return { progress, next: end }
    if (progress.clockMs >= maxCallMs) return stopped(progress, "The call lasts no longer than an hour")
    if (command !== undefined || node === undefined)
      return { progress, next: command ? { _tag: "Command", command } : end }
    if (progress.steps >= maxSteps) return stopped(progress, `The call has no more than ${maxSteps} steps`)
    progress = { ...progress, steps: progress.steps + 1 }
    const after = enter(script, progress, node)
    if (!("_tag" in after)) {
      progress = after
    } else if (after._tag === "ExternalAction" && progress.errands >= maxExternalActions) {
      return stopped(progress, `The call has no more than ${maxExternalActions} messages and requests`)
    } else {
      const to = after._tag === "End" ? after.transferredTo : null
      return { progress: to === null ? progress : withNote(progress, `Transferred to ${to}`), next: after }
    }
  }
}

const heard = (
  progress: CallProgress,
  speaker: CallLine["speaker"],
  text: string,
  { durationMs, fromMs }: { readonly fromMs: number; readonly durationMs: number }
): CallProgress => ({ ...progress, lines: [...progress.lines, { atMs: fromMs, durationMs, speaker, text }] })

/** Continues behind the node that listens, with the reply of the caller; empty for silence. */
const takeReply = (script: CallScript, progress: CallProgress, reply: string): CallProgress => {
  const node = script.nodes.find(({ id }) => id === progress.node)
  if (node?.type !== "action.listen" && node?.type !== "action.menu") return progress
  const match = node.type === "action.menu" ? matchMenu(node.data.config.items, reply) : null
  const variable = node.data?.config?.variable
  return {
    ...progress,
    gathered: progress.gathered + 1,
    variables: { ...progress.variables, reply, ...(variable === undefined ? {} : { [variable]: reply }) },
    matches: match === null ? progress.matches : [...progress.matches, { atMs: progress.clockMs, match }],
    node: nextOf(script, node, match?.menuItemId)
  }
}

/** Applies an event to a call that is connected. An event that does not end the current command changes nothing. */
export const applyEvent = (script: CallScript, before: CallProgress, event: CallEvent): CallProgress => {
  const [current, ...commands] = before.commands
  if (current === undefined || !("of" in event) || event.of !== current.id) return before
  const prompted =
    current._tag === "Gather" ? cutCommand(before, "fromMs" in event ? event.fromMs : event.atMs) : before
  const progress: CallProgress = { ...prompted, commands, clockMs: Math.max(before.clockMs, event.atMs) }
  switch (event._tag) {
    case "Media":
      return "text" in current ? heard(progress, "agent", current.text, event) : progress
    case "Digits":
      return takeReply(script, heard(progress, "caller", event.digits, event), event.digits)
    case "Speech":
      return takeReply(script, heard(progress, "caller", event.text, event), event.text)
    case "Silence":
      return takeReply(script, progress, "")
    case "Elapsed":
      return progress
  }
}

/**
 * Applies events in their order, up to an external action or the end. After a lost worker, an event can end a command that
 * an event before it lets the call give: between two events the workflow is played. `played` is what follows `progress`.
 */
export const applyEvents = (
  script: CallScript,
  from: CallProgress,
  events: ReadonlyArray<CallEvent>
): { readonly applied: number; readonly progress: CallProgress; readonly played: Played } => {
  let progress = from
  let played = playWorkflow(script, from)
  for (const [applied, event] of events.entries()) {
    if (played.next._tag !== "Command") return { applied, progress, played }
    progress = applyEvent(script, played.progress, event)
    played = playWorkflow(script, progress)
  }
  return { applied: events.length, progress, played }
}

/** Applies the result of an external action. */
export const applyActionResult = (
  script: CallScript,
  progress: CallProgress,
  node: ExternalAction,
  { note, tookMs, variables }: ActionResult
): CallProgress => ({
  ...withNote({ ...progress, clockMs: progress.clockMs + tookMs }, note),
  errands: progress.errands + 1,
  variables: { ...progress.variables, ...variables },
  node: nextOf(script, node)
})

import { assert, describe, it } from "@effect/vitest"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { type CallCommand, type CallEvent, speechMs } from "@switchboard/domain/voice/calls/CallControl"
import { type CallProgress, type CallScript, cutCall } from "@switchboard/domain/voice/calls/CallProgress"
import {
  applyActionResult,
  applyEvent,
  applyEvents,
  type ExternalAction,
  initialProgress,
  maxCallMs,
  maxSteps,
  type Played,
  playWorkflow,
  progressAfterEnd
} from "@switchboard/domain/voice/calls/PlayWorkflow"
import { transcriptText } from "@switchboard/domain/voice/calls/SummarizeCall"
import type { WorkflowEdge, WorkflowNode } from "@switchboard/domain/voice/workflows/WorkflowGraph"
import { FastCheck, Schema } from "effect"
import { condition, delay, edge, listen, menu, speak, start } from "../workflows/Graphs.js"

const script = (
  nodes: ReadonlyArray<WorkflowNode>,
  edges: ReadonlyArray<WorkflowEdge>,
  answers: ReadonlyArray<string> = []
): CallScript => ({ nodes, edges, answers, systemPrompt: null })

/** One node after the other. */
const chain = (nodes: ReadonlyArray<WorkflowNode>, answers: ReadonlyArray<string> = []) =>
  script(
    nodes,
    nodes.slice(1).map(({ id }, at) => edge(nodes[at]?.id ?? "", id)),
    answers
  )

const pauseMs = 300

/** The event that ends a command, as the sandbox reports it. */
const endOf = (command: CallCommand, fromMs: number): CallEvent => {
  const { id: of } = command
  if (command._tag === "Wait") return { _tag: "Elapsed", of, atMs: fromMs + command.ms }
  const text = command._tag === "Gather" ? (command.sandboxReply ?? command.hints[0] ?? "Yes") : command.text
  const from = fromMs + (command._tag === "Gather" ? speechMs(command.prompt) : 0)
  if (command._tag === "Gather" && text === "") return { _tag: "Silence", of, atMs: from + command.timeoutMs }
  const durationMs = speechMs(text)
  const sound = { of, fromMs: from, durationMs, atMs: from + durationMs + pauseMs }
  return command._tag === "Gather" ? { _tag: "Speech", ...sound, text } : { _tag: "Media", ...sound }
}

/** Plays until an external action or the end: every command is followed by its event. */
const playFrom = (callScript: CallScript, from: CallProgress): Played => {
  const played = playWorkflow(callScript, from)
  const { next, progress } = played
  return next._tag === "Command"
    ? playFrom(callScript, applyEvent(callScript, progress, endOf(next.command, progress.clockMs)))
    : played
}

const play = (callScript: CallScript, variables: Readonly<Record<string, string>> = {}) =>
  playFrom(callScript, initialProgress(callScript, variables))

const transcript = ({ lines }: CallProgress) => lines.map(({ speaker, text }) => `${speaker}: ${text}`)

const send: ExternalAction = {
  id: "send",
  type: "action.sendMessage",
  data: {
    config: {
      channel: "email",
      to: Schema.decodeSync(EmailAddress)("ada@example.com"),
      subject: "Hello",
      text: "Hello"
    }
  }
}

describe("A played workflow", () => {
  it("speaks the configured texts for a duration that depends on their length", () => {
    const one = play(chain([start, speak("Good morning and welcome to the shop"), delay("wait"), speak("Goodbye")]))
    assert.deepStrictEqual(one.next, { _tag: "End", transferredTo: null })
    assert.deepStrictEqual(one.progress.lines, [
      { atMs: 0, durationMs: 2_800, speaker: "agent", text: "Good morning and welcome to the shop" },
      { atMs: 4_100, durationMs: 1_000, speaker: "agent", text: "Goodbye" }
    ])
    assert.strictEqual(one.progress.clockMs, 5_400)
    const other = play(chain([start, speak("Good morning"), delay("wait"), speak("Goodbye")]))
    assert.notDeepEqual(other.progress.lines, one.progress.lines)
    assert.isBelow(other.progress.clockMs, one.progress.clockMs)
  })

  const items = [
    ["Sales", "sales"],
    ["I would like support, please", "support"],
    ["2", "support"],
    ["cheese", "other"],
    ["", "other"]
  ] as const
  it.each(items)("follows the edge of the menu item chosen by %j", (answer, to) => {
    const nodes = [start, menu("menu", "sales", "support"), speak("sales"), speak("support"), speak("other")]
    const edges = [edge("start", "menu"), edge("menu", "sales", "sales"), edge("menu", "support", "support")]
    const { progress } = play(script(nodes, [...edges, edge("menu", "other")], [answer]))
    assert.strictEqual(progress.lines.at(-1)?.text, to)
    assert.strictEqual(progress.matches.at(-1)?.match.menuItemId, to === "other" ? undefined : to)
  })

  it("takes caller replies from the script, then from the node, then the default", () => {
    const withReply: WorkflowNode = {
      id: "with reply",
      type: "action.listen",
      data: { config: { sandboxReply: "By the node" } }
    }
    const again: WorkflowNode = { ...withReply, id: "again" }
    const nodes = [start, withReply, again, listen("third"), menu("menu", "sales", "support")]
    assert.deepStrictEqual(transcript(play(chain(nodes, ["Given"])).progress), [
      "caller: Given",
      "caller: By the node",
      "caller: Yes",
      "agent: Please choose: sales, support.",
      "caller: sales"
    ])
  })

  it("waits for the timeout if the caller is silent", () => {
    const { progress } = play(chain([start, listen("listen")], [""]))
    assert.deepStrictEqual([progress.lines, progress.clockMs], [[], 5_000])
  })

  it("inserts variables into texts and evaluates conditions on them", () => {
    const hello: WorkflowNode = {
      id: "hello",
      type: "action.speak",
      data: { config: { text: "You said {{ reply }} from {{from}}{{nothing}}" } }
    }
    const nodes = [start, listen("listen"), condition("heard"), hello, speak("no")]
    const edges = [edge("start", "listen"), edge("listen", "heard"), edge("heard", "hello", "true")]
    const callScript = (answer: string) => script(nodes, [...edges, edge("heard", "no", "false")], [answer])
    assert.strictEqual(play(callScript("hi"), { from: "+49" }).progress.lines.at(-1)?.text, "You said hi from +49")
    assert.strictEqual(play(callScript("")).progress.lines.at(-1)?.text, "no")
  })

  it("pauses at an external action and continues with its result", () => {
    const callScript = chain([start, send, speak("{{httpStatus}}")])
    const { next, progress } = play(callScript)
    assert.deepStrictEqual(next, { _tag: "ExternalAction", node: send })
    const done = { note: "A message was sent", tookMs: 250, variables: { httpStatus: "204" } }
    const after = playFrom(callScript, applyActionResult(callScript, progress, send, done))
    assert.deepStrictEqual(transcript(after.progress), ["note: A message was sent", "agent: 204"])
    assert.strictEqual(after.progress.clockMs, 1_550)
  })

  it("ends at a transfer or hangup and skips later nodes", () => {
    const transfer: WorkflowNode = { id: "t", type: "action.transfer", data: { config: { to: "+4930123456" } } }
    const { next, progress } = play(chain([start, transfer, speak("never")]))
    assert.deepStrictEqual(next, { _tag: "End", transferredTo: "+4930123456" })
    assert.deepStrictEqual(transcript(progress), ["note: Transferred to +4930123456"])
    assert.deepStrictEqual(
      transcript(play(chain([start, { id: "h", type: "action.hangup" }, speak("n")])).progress),
      []
    )
  })

  it("ends at the step limit or the time limit if it loops", () => {
    const nodes = [start, listen("listen")]
    const circle = play(script(nodes, [edge("start", "listen"), edge("listen", "listen")]))
    assert.strictEqual(circle.progress.steps, maxSteps)
    const long = { id: "wait", type: "logic.delay", data: { config: { seconds: 3_600 } } } as const
    const waits = play(script([start, long], [edge("start", "wait"), edge("wait", "wait")]))
    assert.strictEqual(waits.progress.clockMs, maxCallMs)
  })

  it("runs nodes after the end of the call without speech", () => {
    const ended: WorkflowNode = { id: "ended", type: "trigger.callEnded" }
    const nodes = [start, speak("Hello"), ended, speak("Not spoken"), menu("menu", "a"), send]
    const edges = [["ended", "Not spoken"] as const, ["Not spoken", "menu"] as const, ["menu", "send"] as const]
    const callScript = script(nodes, [edge("start", "Hello"), ...edges.map(([from, to]) => edge(from, to))])
    const { progress } = play(callScript)
    const after = playFrom(callScript, progressAfterEnd(callScript, progress))
    assert.deepStrictEqual([transcript(after.progress), after.next], [[], { _tag: "ExternalAction", node: send }])
  })

  it("gives a command and waits for its event; other events change nothing", () => {
    const callScript = chain([start, speak("Hello"), listen("l"), speak("Goodbye")])
    const { next, progress } = playWorkflow(callScript, initialProgress(callScript, {}))
    assert.deepStrictEqual(next, { _tag: "Command", command: { _tag: "Say", id: 1, text: "Hello" } })
    const sound = { fromMs: 0, durationMs: 1_000, atMs: 1_200 }
    for (const of of [0, 2])
      assert.strictEqual(applyEvent(callScript, progress, { _tag: "Media", of, ...sound }), progress)
    const said = playWorkflow(callScript, applyEvent(callScript, progress, { _tag: "Media", of: 1, ...sound }))
    assert.deepInclude(said.next, { _tag: "Command" })
    assert.strictEqual(applyEvent(callScript, said.progress, { _tag: "Media", of: 1, ...sound }), said.progress)
    const digits = { _tag: "Digits", of: 2, fromMs: 2_000, durationMs: 500, atMs: 2_500, digits: "12#" } as const
    const after = applyEvent(callScript, said.progress, digits)
    assert.deepStrictEqual(after.lines.at(-1), { atMs: 2_000, durationMs: 500, speaker: "caller", text: "12#" })
    assert.deepStrictEqual([after.variables.reply, after.clockMs, after.node], ["12#", 2_500, "Goodbye"])
  })

  it("applies the events of commands that a lost worker gave, up to an external action", () => {
    const callScript = chain([start, speak("Hello"), delay("wait"), send, speak("Goodbye")])
    const media = { _tag: "Media", of: 1, fromMs: 0, durationMs: 1_000, atMs: 1_300 } as const
    const [elapsed, late] = [
      { _tag: "Elapsed", of: 2, atMs: 2_300 } as const,
      { _tag: "Elapsed", of: 3, atMs: 9_000 } as const
    ]
    const { applied, played } = applyEvents(callScript, initialProgress(callScript, {}), [media, elapsed, late])
    assert.deepStrictEqual([applied, played.next], [2, { _tag: "ExternalAction", node: send }])
    assert.deepStrictEqual([transcript(played.progress), played.progress.clockMs], [["agent: Hello"], 2_300])
    const waiting = applyEvents(callScript, initialProgress(callScript, {}), [media])
    assert.deepStrictEqual(waiting.played.next, { _tag: "Command", command: { _tag: "Wait", id: 2, ms: 1_000 } })
    assert.isEmpty(waiting.progress.commands)
  })

  it("stops a prompt when the caller speaks, and takes the speech as the reply", () => {
    const ask: WorkflowNode = {
      id: "ask",
      type: "action.listen",
      data: { config: { prompt: "one two three four five" } }
    }
    const callScript = chain([start, ask, speak("{{reply}}")])
    const { next, progress } = playWorkflow(callScript, initialProgress(callScript, {}))
    assert.deepInclude(next, { _tag: "Command" })
    const speech = { _tag: "Speech", of: 1, durationMs: 1_000, text: "Stop" } as const
    const interrupted = applyEvent(callScript, progress, { ...speech, fromMs: 900, atMs: 2_000 })
    assert.deepStrictEqual(interrupted.lines, [
      { atMs: 0, durationMs: 900, speaker: "agent", text: "one two –" },
      { atMs: 900, durationMs: 1_000, speaker: "caller", text: "Stop" }
    ])
    assert.deepStrictEqual([interrupted.bargeIns, interrupted.clockMs, interrupted.node], [1, 2_000, "{{reply}}"])
    const after = applyEvent(callScript, progress, { ...speech, fromMs: 2_400, atMs: 3_500 })
    assert.deepStrictEqual([after.bargeIns, transcript(after)[0]], [0, "agent: one two three four five"])
    const cut = cutCall(progress, 900)
    assert.deepStrictEqual([transcript(cut), cut.bargeIns, cut.commands], [["agent: one two –"], 0, []])
  })

  it("plays an audio file with its text", () => {
    const url = "https://example.com/welcome.wav"
    const welcome: WorkflowNode = {
      id: "w",
      type: "action.speak",
      data: { config: { text: "Welcome", audioUrl: url } }
    }
    const callScript = chain([start, welcome])
    const { next } = playWorkflow(callScript, initialProgress(callScript, {}))
    assert.deepStrictEqual(next, { _tag: "Command", command: { _tag: "Play", id: 1, text: "Welcome", url } })
    assert.deepStrictEqual(transcript(play(callScript).progress), ["agent: Welcome"])
  })

  it("keeps only complete words before the time at which it is cut", () => {
    const callScript = chain([start, speak("one two three four five"), listen("l")], ["six"])
    const { progress } = playWorkflow(callScript, initialProgress(callScript, {}))
    const cut = cutCall(progress, 900)
    assert.deepStrictEqual([transcript(cut), cut.clockMs, cut.commands], [["agent: one two –"], 900, []])
    assert.deepStrictEqual(transcript(cutCall(progress, 2_000)), ["agent: one two three four five"])
    const ended = play(callScript).progress
    assert.deepStrictEqual(cutCall(ended, ended.clockMs), ended)
    FastCheck.assert(
      FastCheck.property(FastCheck.integer({ min: 0, max: 10_000 }), (ms) => {
        const { clockMs, lines } = cutCall(progress, ms)
        return lines.every(({ atMs, durationMs }) => atMs + durationMs <= clockMs)
      })
    )
  })

  it("is rendered as a transcript", () => {
    const { progress } = play(chain([start, speak("Hello\nthere"), listen("l"), delay("d")], ["Hi"]))
    const note = { atMs: 61_000, durationMs: 0, speaker: "note", text: "Something happened" } as const
    assert.strictEqual(
      transcriptText([...progress.lines, note]),
      "[00:00] Agent: Hello there\n[00:01] Caller: Hi\n[01:01] (Something happened)\n"
    )
  })
})

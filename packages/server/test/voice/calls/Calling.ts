import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type caller, LiveService, until } from "../../LiveService.js"

type Call = ReturnType<typeof caller>

/** A workflow of consecutive steps. */
export const chain = (...steps: ReadonlyArray<{ readonly type: string; readonly config?: unknown }>) => {
  const all = [{ type: "trigger.callStarted", config: undefined }, ...steps]
  return {
    nodes: all.map(({ config, type }, at) => ({
      id: `n${at}`,
      type,
      ...(config === undefined ? {} : { data: { config } })
    })),
    edges: steps.map((_, at) => ({ id: `e${at}`, source: `n${at}`, target: `n${at + 1}` }))
  }
}

export const speak = (text: string) => ({ type: "action.speak", config: { text } })
export const delay = (seconds: number) => ({ type: "logic.delay", config: { seconds } })
export const get = (url: string) => ({ type: "action.httpRequest", config: { url, method: "GET" } })

/** Creates an agent with a workflow. */
export const agentWith = Effect.fnUntraced(function* (
  call: Call,
  graph: { readonly nodes: unknown; readonly edges: unknown },
  overrides: Readonly<Record<string, unknown>> = {}
) {
  const { body: agent } = yield* call("POST", "/v1/voice/agents", { name: "Front desk", ...overrides })
  const { body: workflow } = yield* call("POST", "/v1/voice/workflows", { name: "Calls", ...graph })
  yield* call("POST", `/v1/voice/workflows/${workflow.id}/link/${agent.id}`)
  const published = yield* call("POST", `/v1/voice/workflows/${workflow.id}/publish`)
  assert.strictEqual(published.status, 200, JSON.stringify([agent, workflow, published.body]))
  return agent
})

/** Places a call. */
export const placed = Effect.fnUntraced(function* (
  call: Call,
  agent: { readonly id: string },
  overrides: Readonly<Record<string, unknown>> = {}
) {
  const answer = yield* call("POST", "/v1/voice/calls", { voiceAgentId: agent.id, to: "+442079460018", ...overrides })
  assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
  const id: string = answer.body.id
  return { ...answer.body, id }
})

const look = (call: Call, id: string) => Effect.map(call("GET", `/v1/voice/calls/${id}`), ({ body }) => body)

/** Waits until the call has this status. */
export const once = (call: Call, id: string, status: string) =>
  Effect.catchAll(
    until(look(call, id), (found) => found.status === status),
    (last) => Effect.dieMessage(`It never was ${status}: ${JSON.stringify(last)}`)
  )

const download = Effect.fnUntraced(function* (url: string) {
  const { baseUrl } = yield* LiveService
  const answer = yield* Effect.promise(() => fetch(baseUrl + new URL(url).pathname))
  assert.strictEqual(answer.status, 200)
  return Buffer.from(yield* Effect.promise(() => answer.arrayBuffer()))
})

/** The transcript of a completed call. */
export const transcriptOf = Effect.fnUntraced(function* (call: Call, id: string) {
  const { body } = yield* call("GET", `/v1/voice/calls/${id}/transcript`)
  assert.deepStrictEqual(Object.keys(body).sort(), ["callId", "hasTranscript", "transcriptUrl"])
  return (yield* download(body.transcriptUrl)).toString("utf8")
})

/** The duration of a recording, in seconds. */
export const recordedSeconds = Effect.fnUntraced(function* ({ recordingUrl }: { readonly recordingUrl: string }) {
  const wav = yield* download(recordingUrl)
  assert.deepStrictEqual([wav.toString("latin1", 0, 4), wav.toString("latin1", 8, 16)], ["RIFF", "WAVEfmt "])
  assert.strictEqual(wav.readUInt32LE(40), wav.length - 44)
  return (wav.length - 44) / 16_000
})

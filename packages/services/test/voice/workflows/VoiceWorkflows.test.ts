import { assert, layer } from "@effect/vitest"
import { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import type { VoiceWorkflowFilters } from "@switchboard/domain/voice/workflows/VoiceWorkflow"
import type { WorkflowEdge, WorkflowNode } from "@switchboard/domain/voice/workflows/WorkflowGraph"
import { VoiceAgents } from "@switchboard/services/voice/agents/VoiceAgents"
import { VoiceWorkflows } from "@switchboard/services/voice/workflows/VoiceWorkflows"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { Effect } from "effect"
import { v7 } from "uuid"
import { VoiceLive } from "../VoiceLive.js"

const start: WorkflowNode = { id: "start", type: "trigger.callStarted", position: { x: 0, y: -1.5 } }
const speak = (id: string): WorkflowNode => ({
  id,
  type: "action.speak",
  data: { label: "é", config: { text: "Hello", editor: { color: [1, null, true] } } }
})
const edge = (source: string, target: string): WorkflowEdge => ({ id: `${source} ${target}`, source, target })
const flow = { name: "Flow", nodes: [start, speak("a")], edges: [edge("start", "a")] }
const firstPage = { page: 1, limit: 20 }
const view = { withHeaders: true }

const plain = (value: object) => JSON.parse(JSON.stringify(value))

layer(VoiceLive, { excludeTestServices: true })("VoiceWorkflows on PostgreSQL", (it) => {
  it.effect("stores, updates and publishes a workflow", () =>
    Effect.gen(function* () {
      const workflows = yield* VoiceWorkflows
      const own = yield* makeOrganization()
      const created = yield* workflows.create(own, { ...flow, description: "d", viewport: { x: 1, y: 2, zoom: 3 } })
      const { id } = created
      assert.deepInclude(plain(created), { ...flow, isEnabled: true, version: 0 })
      assert.deepStrictEqual(plain(yield* workflows.get(own, id)), plain(created))
      const published = yield* workflows.publish(own, id)
      assert.deepStrictEqual(plain(yield* workflows.get(own, id)), plain(published))
      const changed = yield* workflows.update(own, id, { nodes: [start], edges: [], description: null, viewport: null })
      const found = yield* workflows.get(own, id)
      assert.deepStrictEqual(plain(found), plain(changed))
      assert.deepInclude(plain(found), {
        nodes: [start],
        publishedNodes: flow.nodes,
        publishedEdges: flow.edges,
        publishedViewport: { x: 1, y: 2, zoom: 3 }
      })
      for (const field of ["description", "viewport", "voiceAgentId"]) assert.notProperty(plain(found), field)
    })
  )

  it.effect("rejects an invalid graph, also with concurrent updates of nodes and edges", () =>
    Effect.gen(function* () {
      const workflows = yield* VoiceWorkflows
      const own = yield* makeOrganization()
      const { id } = yield* workflows.create(own, { ...flow, edges: [] })
      const outcomes = yield* Effect.all(
        [workflows.update(own, id, { nodes: [start] }), workflows.update(own, id, { edges: flow.edges })].map(
          Effect.either
        ),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(outcomes.map(({ _tag }) => _tag).sort(), ["Left", "Right"])
    })
  )

  it.effect("increments the version with each publication", () =>
    Effect.gen(function* () {
      const workflows = yield* VoiceWorkflows
      const own = yield* makeOrganization()
      const { id } = yield* workflows.create(own, flow)
      const published = yield* Effect.all(
        Array.from({ length: 6 }, () => workflows.publish(own, id)),
        {
          concurrency: "unbounded"
        }
      )
      assert.sameMembers(
        published.map(({ version }) => version),
        [1, 2, 3, 4, 5, 6]
      )
    })
  )

  it.effect("links one workflow with one agent", () =>
    Effect.gen(function* () {
      const workflows = yield* VoiceWorkflows
      const agents = yield* VoiceAgents
      const own = yield* makeOrganization()
      const [first, second] = [yield* workflows.create(own, flow), yield* workflows.create(own, flow)]
      const [ada, bob] = [yield* agents.create(own, { name: "Ada" }), yield* agents.create(own, { name: "Bob" })]
      const links = Effect.gen(function* () {
        const ofWorkflows = yield* Effect.forEach([first, second], ({ id }) => workflows.get(own, id))
        const ofAgents = yield* Effect.forEach([ada, bob], ({ id }) => agents.get(own, id, view))
        return [ofWorkflows.map(({ voiceAgentId }) => voiceAgentId), ofAgents.map(({ workflowId }) => workflowId)]
      })
      const linked = yield* workflows.link(own, first.id, ada.id)
      assert.strictEqual(linked.voiceAgentId, ada.id)
      assert.deepStrictEqual(yield* links, [
        [ada.id, undefined],
        [first.id, undefined]
      ])
      // A repeated link changes nothing.
      assert.deepStrictEqual(plain(yield* workflows.link(own, first.id, ada.id)), plain(linked))
      // Linking another workflow replaces the agent's link.
      yield* workflows.link(own, second.id, ada.id)
      assert.deepStrictEqual(yield* links, [
        [undefined, ada.id],
        [second.id, undefined]
      ])
      // Linking another agent replaces the workflow's link.
      yield* workflows.link(own, second.id, bob.id)
      assert.deepStrictEqual(yield* links, [
        [undefined, bob.id],
        [undefined, second.id]
      ])
      // Other changes keep the link.
      yield* workflows.update(own, second.id, { name: "Renamed" })
      yield* agents.update(own, bob.id, { name: "Robert" })
      assert.deepStrictEqual(yield* links, [
        [undefined, bob.id],
        [undefined, second.id]
      ])
      assert.strictEqual((yield* agents.duplicate(own, bob.id, {})).workflowId, undefined)
      const listed = yield* agents.list(own, {}, firstPage, view)
      assert.strictEqual(listed.items.find(({ id }) => id === bob.id)?.workflowId, second.id)

      yield* agents.remove(own, bob.id)
      assert.strictEqual((yield* workflows.get(own, second.id)).voiceAgentId, undefined)
      yield* workflows.link(own, first.id, ada.id)
      yield* workflows.remove(own, first.id)
      assert.strictEqual((yield* agents.get(own, ada.id, view)).workflowId, undefined)
    })
  )

  it.effect("keeps both sides of links consistent with concurrent links and removals", () =>
    Effect.gen(function* () {
      const workflows = yield* VoiceWorkflows
      const agents = yield* VoiceAgents
      const own = yield* makeOrganization()
      const flows = yield* Effect.all(Array.from({ length: 4 }, () => workflows.create(own, flow)))
      const voiceAgents = yield* Effect.all(Array.from({ length: 4 }, () => agents.create(own, { name: "n" })))
      const [removed] = voiceAgents
      const links = flows.flatMap(({ id }) => voiceAgents.map((agent) => workflows.link(own, id, agent.id)))
      const removal = removed === undefined ? Effect.void : agents.remove(own, removed.id)
      const outcomes = yield* Effect.all(
        [...links, removal].map(Effect.either<unknown, { readonly _tag: string }, never>),
        { concurrency: "unbounded" }
      )
      for (const outcome of outcomes) {
        if (outcome._tag === "Left")
          assert.deepInclude(plain({ ...outcome.left }), { resource: "voiceAgent", id: removed?.id })
      }
      const ofWorkflows = (yield* workflows.list(own, {}, firstPage)).items.flatMap(({ id, voiceAgentId }) =>
        voiceAgentId === undefined ? [] : [`${id} ${voiceAgentId}`]
      )
      const ofAgents = (yield* agents.list(own, {}, firstPage, view)).items.flatMap(({ id, workflowId }) =>
        workflowId === undefined ? [] : [`${workflowId} ${id}`]
      )
      assert.sameMembers(ofWorkflows, ofAgents)
      assert.notInclude(ofWorkflows.join(), removed?.id ?? "")
    })
  )

  it.effect("lists workflows newest first, filtered", () =>
    Effect.gen(function* () {
      const workflows = yield* VoiceWorkflows
      const agents = yield* VoiceAgents
      const own = yield* makeOrganization()
      const agent = yield* agents.create(own, { name: "Ada" })
      const { id } = yield* workflows.create(own, { ...flow, name: "Shop 100%" })
      yield* workflows.create(own, { ...flow, name: "Blog", description: "of the SHOP", isEnabled: false })
      yield* workflows.create(own, { ...flow, name: "Third" })
      yield* workflows.link(own, id, agent.id)
      const names = (filters: VoiceWorkflowFilters, request = firstPage) =>
        Effect.map(workflows.list(own, filters, request), ({ items, pagination }) => [
          items.map(({ name }) => name),
          pagination.total
        ])
      assert.deepStrictEqual(yield* names({}), [["Third", "Blog", "Shop 100%"], 3])
      assert.deepStrictEqual(yield* names({}, { page: 2, limit: 2 }), [["Shop 100%"], 3])
      assert.deepStrictEqual(yield* names({ search: "shop" }), [["Blog", "Shop 100%"], 2])
      assert.deepStrictEqual(yield* names({ isEnabled: false }), [["Blog"], 1])
      assert.deepStrictEqual(yield* names({ voiceAgentId: agent.id }), [["Shop 100%"], 1])
      assert.deepStrictEqual(yield* names({ voiceAgentId: VoiceAgentId.make(v7()) }), [[], 0])
    })
  )
})

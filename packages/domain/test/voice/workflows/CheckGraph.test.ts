import { assert, describe, it } from "@effect/vitest"
import { checkGraph } from "@switchboard/domain/voice/workflows/CheckGraph"
import type { WorkflowEdge, WorkflowNode } from "@switchboard/domain/voice/workflows/WorkflowGraph"
import { FastCheck } from "effect"
import { condition, delay, edge, listen, menu, speak, start } from "./Graphs.js"

const check = (nodes: ReadonlyArray<WorkflowNode>, ...edges: ReadonlyArray<WorkflowEdge>) =>
  checkGraph({ nodes, edges }).map(({ message, path }) => `${path.join(".")} ${message}`)

describe("A workflow graph", () => {
  it("requires a trigger, and edges between existing nodes", () => {
    assert.deepStrictEqual(check([start]), [])
    assert.deepStrictEqual(check([{ id: "end", type: "trigger.callEnded" }]), [])
    assert.deepStrictEqual(check([start, speak("a")], edge("start", "a")), [])
    const noTrigger = "nodes must have a trigger: a node of the type trigger.callStarted or trigger.callEnded"
    assert.deepStrictEqual(check([]), [noTrigger])
    assert.deepStrictEqual(check([speak("a")]), [noTrigger])
    assert.deepStrictEqual(check([start], edge("start", "gone"), edge("__proto__", "start")), [
      "edges.0.target is not the id of a node",
      "edges.1.source is not the id of a node"
    ])
  })

  it("can have unreachable nodes", () => {
    assert.deepStrictEqual(check([start, speak("a"), speak("b")], edge("a", "b")), [])
  })

  it("requires unique ids and at most one trigger of each type", () => {
    assert.deepStrictEqual(check([start, speak("a"), listen("a")]), ["nodes.2.id is the id of node 1 too"])
    assert.deepStrictEqual(check([start, { ...start, id: "again" }]), [
      "nodes.1.type is a second trigger.callStarted: there can be one"
    ])
    const same = { ...edge("a", "b"), id: "start--a" }
    assert.deepStrictEqual(check([start, speak("a"), speak("b")], edge("start", "a"), same), [
      "edges.1.id is the id of edge 0 too"
    ])
  })

  it("restricts the handles of menu and condition nodes", () => {
    const choice = menu("m", "sales", "help")
    const outgoing = [edge("m", "a", "sales"), edge("m", "b", "help"), edge("m", "m")]
    assert.deepStrictEqual(check([start, choice, speak("a"), speak("b")], edge("start", "m"), ...outgoing), [])
    assert.deepStrictEqual(check([start, choice, speak("a")], edge("m", "a", "billing")), [
      "edges.0.sourceHandle must be one of sales, help, or left out"
    ])
    const both = [edge("c", "a", "true"), edge("c", "b", "false")]
    assert.deepStrictEqual(check([start, condition("c"), speak("a"), speak("b")], ...both), [])
    assert.deepStrictEqual(check([start, condition("c"), speak("a")], edge("c", "a", "yes")), [
      "edges.0.sourceHandle must be one of true, false, or left out"
    ])
  })

  it("rejects two edges with the same source and handle", () => {
    const twice = "edges.1.source is left by edge 0 the same way: only one can be taken"
    const nodes = [start, menu("m", "x"), speak("a"), speak("b")]
    assert.deepStrictEqual(check(nodes, edge("a", "b"), edge("a", "m")), [twice])
    assert.deepStrictEqual(check(nodes, edge("a", "b", "left"), edge("a", "m", "right")), [twice])
    assert.deepStrictEqual(check(nodes, edge("m", "a", "x"), edge("m", "b", "x")), [twice])
    assert.deepStrictEqual(check(nodes, edge("m", "a", "x"), edge("m", "b")), [])
  })

  it("rejects a loop without a waiting node, also if it is unreachable", () => {
    const closes = (loop: string) =>
      `closes a loop without a wait (${loop}): put an action.listen, action.menu or logic.delay into it`
    const circle = [edge("a", "b"), edge("b", "a")]
    assert.deepStrictEqual(check([start, speak("a"), speak("b")], ...circle), [`edges.1 ${closes("a → b → a")}`])
    assert.deepStrictEqual(check([start, speak("a")], edge("a", "a")), [`edges.0 ${closes("a → a")}`])
    for (const waiting of [listen("b"), menu("b", "x"), delay("b")]) {
      assert.deepStrictEqual(check([start, speak("a"), waiting], ...circle), [])
    }
  })

  it("is limited to 256 KiB", () => {
    const large: WorkflowNode = {
      id: "a",
      type: "action.speak",
      data: { config: { text: "a", note: "é".repeat(131_072) } }
    }
    assert.deepStrictEqual(check([start, large]), ["nodes must be at most 256 KiB together with the edges"])
  })

  it("can be a chain of 500 nodes", () => {
    const nodes = [start, ...Array.from({ length: 499 }, (_, at) => speak(String(at)))]
    const chain = nodes.slice(1).map(({ id }, at) => edge(nodes[at]?.id ?? "", id))
    assert.deepStrictEqual(check(nodes, ...chain), [])
    const [problem] = check(nodes, ...chain, edge("498", "start"))
    assert.include(problem, "edges.499 closes a loop without a wait (start → 0 → 1 → 2 → … → 497 → 498 → start)")
  })
})

const kinds = [speak, listen, delay, condition] as const

/** An arbitrary graph of a few nodes: condition nodes have two handles. */
const graphs = FastCheck.record({
  kinds: FastCheck.array(FastCheck.nat(kinds.length - 1), { minLength: 1, maxLength: 8 }),
  outgoing: FastCheck.array(FastCheck.tuple(FastCheck.nat(8), FastCheck.nat(8), FastCheck.boolean()), { maxLength: 16 })
}).map((given) => {
  const nodes = [start, ...given.kinds.map((kind, at) => (kinds[kind] ?? speak)(`n${at}`))]
  const used = new Set<string>()
  const edges = given.outgoing.flatMap(([from, to, truth]) => {
    const [source, target] = [nodes[from % nodes.length] ?? start, nodes[to % nodes.length] ?? start]
    const handle = source.type === "logic.condition" ? String(truth) : undefined
    const handleKey = `${source.id} ${handle}`
    if (used.has(handleKey)) return []
    used.add(handleKey)
    return [edge(source.id, target.id, handle)]
  })
  return { nodes, edges }
})

/** Reference check: repeatedly removes nodes without predecessors; a loop is left. */
const hasLoop = ({ edges, nodes }: { nodes: ReadonlyArray<WorkflowNode>; edges: ReadonlyArray<WorkflowEdge> }) => {
  const left = new Set(nodes.filter(({ type }) => !/listen|delay/.test(type)).map(({ id }) => id))
  for (;;) {
    const idle = [...left].filter(
      (id) => !edges.some(({ source, target }) => target === id && left.has(source) && left.has(target))
    )
    if (idle.length === 0) return left.size > 0
    for (const id of idle) left.delete(id)
  }
}

describe("In any graph", () => {
  it("loops without a waiting node are reported, and nothing else", () => {
    let loops = 0
    FastCheck.assert(
      FastCheck.property(graphs, (graph) => {
        const problems = checkGraph(graph)
        assert.strictEqual(problems.length > 0, hasLoop(graph))
        assert.isTrue(problems.every(({ message }) => message.startsWith("closes a loop without a wait")))
        loops += problems.length
      }),
      { numRuns: 2_000 }
    )
    assert.isAbove(loops, 100)
  })

  it("removing the reported edges removes all loops", () => {
    FastCheck.assert(
      FastCheck.property(graphs, ({ edges, nodes }) => {
        const closing = new Set(checkGraph({ nodes, edges }).map(({ path: [, at] }) => at))
        assert.deepStrictEqual(checkGraph({ nodes, edges: edges.filter((_, at) => !closing.has(at)) }), [])
      }),
      { numRuns: 1_000 }
    )
  })

  it("edges of a removed node are reported", () => {
    FastCheck.assert(
      FastCheck.property(graphs, FastCheck.nat(8), ({ edges, nodes }, at) => {
        const removed = nodes[1 + (at % (nodes.length - 1))]?.id
        const problems = checkGraph({ nodes: nodes.filter(({ id }) => id !== removed), edges })
        const named = problems
          .filter(({ message }) => message === "is not the id of a node")
          .map(({ path }) => path.join("."))
        assert.sameMembers(
          named,
          edges.flatMap(({ source, target }, index) => [
            ...(source === removed ? [`edges.${index}.source`] : []),
            ...(target === removed ? [`edges.${index}.target`] : [])
          ])
        )
      })
    )
  })
})

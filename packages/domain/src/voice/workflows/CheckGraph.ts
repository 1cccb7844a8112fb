import type { WorkflowGraph, WorkflowNode, WorkflowNodeType } from "./WorkflowGraph.js"

/** Nodes that take time: a loop that contains one of them does not run continuously. */
const waitingTypes: ReadonlySet<WorkflowNodeType> = new Set(["action.listen", "action.menu", "logic.delay"])

/**
 * The loops without a waiting node: one error for each edge that closes a loop. A depth-first search finds such an edge
 * in every loop. Its depth is at most the maximum number of nodes.
 */
const endlessLoops = ({ edges, nodes }: WorkflowGraph): ReadonlyArray<GraphProblem> => {
  const waiting = new Set(nodes.filter(({ type }) => waitingTypes.has(type)).map(({ id }) => id))
  const next = new Map<string, Array<{ readonly target: string; readonly edge: number }>>()
  for (const [edge, { source, target }] of edges.entries()) {
    if (!waiting.has(source)) next.set(source, [...(next.get(source) ?? []), { target, edge }])
  }
  const path = new Set<string>()
  const done = new Set<string>()
  const search = (node: string): ReadonlyArray<GraphProblem> => {
    if (done.has(node)) return []
    path.add(node)
    const problems = (next.get(node) ?? []).flatMap(({ edge, target }) => {
      if (!path.has(target)) return search(target)
      const loop = [...path]
      const shown = describe([...loop.slice(loop.indexOf(target)), target])
      const message = `closes a loop without a wait (${shown}): put an action.listen, action.menu or logic.delay into it`
      return [{ path: ["edges", edge], message }]
    })
    path.delete(node)
    done.add(node)
    return problems
  }
  return nodes.flatMap(({ id }) => search(id))
}

const maxShownNodes = 8

/** The nodes of a loop in order; a long loop is abbreviated. */
const describe = (loop: ReadonlyArray<string>) =>
  (loop.length <= maxShownNodes ? loop : [...loop.slice(0, 4), "…", ...loop.slice(-3)]).join(" → ")

/** A validation error of a graph and its path. */
export interface GraphProblem {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

/** The maximum size of all nodes and edges as JSON, in bytes: 256 KiB. */
const graphLimitBytes = 256 * 1024

const encoder = new TextEncoder()

const octetsOf = ({ edges, nodes }: WorkflowGraph) => encoder.encode(JSON.stringify([nodes, edges])).byteLength

/** The source handles of a node. A node without handles has at most one outgoing edge. */
const handlesOf = (node: WorkflowNode): ReadonlyArray<string> => {
  switch (node.type) {
    case "action.menu":
      return node.data.config.items.map(({ id }) => id)
    case "logic.condition":
      return ["true", "false"]
    default:
      return []
  }
}

/** The keys that occurred before, with the index of the first occurrence. */
const repeated = (keys: ReadonlyArray<string>) => {
  const seen = new Map<string, number>()
  return keys.flatMap((key, at) => {
    const first = seen.get(key)
    if (first === undefined) seen.set(key, at)
    return first === undefined ? [] : [{ at, first }]
  })
}

const isTrigger = ({ type }: WorkflowNode) => type.startsWith("trigger.")

const nodeProblems = ({ nodes }: WorkflowGraph): ReadonlyArray<GraphProblem> => {
  const noTrigger = "must have a trigger: a node of the type trigger.callStarted or trigger.callEnded"
  return [
    ...(nodes.some(isTrigger) ? [] : [{ path: ["nodes"], message: noTrigger }]),
    ...repeated(nodes.map(({ id }) => id)).map(({ at, first }) => ({
      path: ["nodes", at, "id"],
      message: `is the id of node ${first} too`
    })),
    ...nodes.flatMap((node, at) =>
      isTrigger(node) && nodes.findIndex(({ type }) => type === node.type) < at
        ? [{ path: ["nodes", at, "type"], message: `is a second ${node.type}: there can be one` }]
        : []
    )
  ]
}

const edgeProblems = ({ edges, nodes }: WorkflowGraph): ReadonlyArray<GraphProblem> => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const outgoing = edges.map(({ source, sourceHandle = "" }) => {
    const node = byId.get(source)
    return JSON.stringify([source, node !== undefined && handlesOf(node).length > 0 ? sourceHandle : ""])
  })
  return [
    ...repeated(edges.map(({ id }) => id)).map(({ at, first }) => ({
      path: ["edges", at, "id"],
      message: `is the id of edge ${first} too`
    })),
    ...edges.flatMap(({ source, sourceHandle, target }, at) => {
      const from = byId.get(source)
      const handles = from === undefined ? [] : handlesOf(from)
      return [
        ...(from === undefined ? [{ path: ["edges", at, "source"], message: "is not the id of a node" }] : []),
        ...(byId.has(target) ? [] : [{ path: ["edges", at, "target"], message: "is not the id of a node" }]),
        ...(sourceHandle === undefined || handles.length === 0 || handles.includes(sourceHandle)
          ? []
          : [{ path: ["edges", at, "sourceHandle"], message: `must be one of ${handles.join(", ")}, or left out` }])
      ]
    }),
    ...repeated(outgoing).map(({ at, first }) => ({
      path: ["edges", at, "source"],
      message: `is left by edge ${first} the same way: only one can be taken`
    }))
  ]
}

/** Validates a graph. Nodes without an incoming edge are allowed, since editors keep unused nodes. */
export const checkGraph = (graph: WorkflowGraph): ReadonlyArray<GraphProblem> => [
  ...(octetsOf(graph) > graphLimitBytes
    ? [{ path: ["nodes"], message: "must be at most 256 KiB together with the edges" }]
    : []),
  ...nodeProblems(graph),
  ...edgeProblems(graph),
  ...endlessLoops(graph)
]

import { endlessLoops } from "./EndlessLoops.js"
import type { WorkflowGraph, WorkflowNode } from "./WorkflowGraph.js"

/** A validation error of a graph and its path. */
export interface GraphProblem {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

/** The maximum size of all nodes and edges as JSON, in bytes: 256 KiB. */
export const graphLimitBytes = 256 * 1024

const encoder = new TextEncoder()

const octetsOf = ({ edges, nodes }: WorkflowGraph) => encoder.encode(JSON.stringify([nodes, edges])).byteLength

/** The source handles of a node. A node without handles has at most one outgoing edge. */
export const handlesOf = (node: WorkflowNode): ReadonlyArray<string> => {
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

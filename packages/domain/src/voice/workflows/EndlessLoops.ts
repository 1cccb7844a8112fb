import type { GraphProblem } from "./CheckGraph.js"
import type { WorkflowGraph, WorkflowNodeType } from "./WorkflowGraph.js"

/** Nodes that take time: a loop that contains one of them does not run continuously. */
const waitingTypes: ReadonlySet<WorkflowNodeType> = new Set(["action.listen", "action.menu", "logic.delay"])

/** A node on the current path of the search, with its edges that are still to be searched. */
interface Step {
  readonly node: string
  readonly next: Array<{ readonly target: string; readonly edge: number }>
}

/**
 * The loops without a waiting node: one error for each edge that closes a loop. A depth-first search finds such an edge
 * in every loop. The stack is explicit, since a path can be as long as the graph.
 */
export const endlessLoops = ({ edges, nodes }: WorkflowGraph): ReadonlyArray<GraphProblem> => {
  const waiting = new Set(nodes.filter(({ type }) => waitingTypes.has(type)).map(({ id }) => id))
  const next = new Map<string, Array<{ readonly target: string; readonly edge: number }>>()
  for (const [edge, { source, target }] of edges.entries()) {
    if (waiting.has(source)) continue
    const known = next.get(source)
    if (known === undefined) next.set(source, [{ target, edge }])
    else known.push({ target, edge })
  }

  const done = new Set<string>()
  const problems: Array<GraphProblem> = []
  for (const { id } of nodes) {
    if (done.has(id)) continue
    const path: Array<Step> = [{ node: id, next: [...(next.get(id) ?? [])] }]
    const onPath = new Set([id])
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const edge = step.next.shift()
      if (edge === undefined) {
        path.pop()
        onPath.delete(step.node)
        done.add(step.node)
      } else if (onPath.has(edge.target)) {
        const loop = path.slice(path.findIndex(({ node }) => node === edge.target)).map(({ node }) => node)
        problems.push({
          path: ["edges", edge.edge],
          message: `closes a loop without a wait (${describe([...loop, edge.target])}): put an action.listen, action.menu or logic.delay into it`
        })
      } else if (!done.has(edge.target)) {
        path.push({ node: edge.target, next: [...(next.get(edge.target) ?? [])] })
        onPath.add(edge.target)
      }
    }
  }
  return problems
}

const maxShownNodes = 8

/** The nodes of a loop in order; a long loop is abbreviated. */
const describe = (loop: ReadonlyArray<string>) =>
  (loop.length <= maxShownNodes ? loop : [...loop.slice(0, 4), "…", ...loop.slice(-3)]).join(" → ")

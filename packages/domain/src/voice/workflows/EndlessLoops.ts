import type { GraphProblem } from "./CheckGraph.js"
import type { WorkflowGraph, WorkflowNodeType } from "./WorkflowGraph.js"

/** Steps that take time of themselves: a loop through one of them does not run hot. */
const waits: ReadonlySet<WorkflowNodeType> = new Set(["action.listen", "action.menu", "logic.delay"])

/** The way that a search took to where it is, with the steps that are still to be tried from each node of it. */
interface Step {
  readonly node: string
  readonly next: Array<{ readonly target: string; readonly edge: number }>
}

/**
 * The loops of a graph that have no wait in them, one problem for each edge that closes one: a search that goes deep
 * finds such an edge wherever there is a loop. It keeps its own stack, for a chain may be as long as a graph is large.
 */
export const endlessLoops = ({ edges, nodes }: WorkflowGraph): ReadonlyArray<GraphProblem> => {
  const waiting = new Set(nodes.filter(({ type }) => waits.has(type)).map(({ id }) => id))
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
    const way: Array<Step> = [{ node: id, next: [...(next.get(id) ?? [])] }]
    const onWay = new Set([id])
    for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
      const taken = step.next.shift()
      if (taken === undefined) {
        way.pop()
        onWay.delete(step.node)
        done.add(step.node)
      } else if (onWay.has(taken.target)) {
        const loop = way.slice(way.findIndex(({ node }) => node === taken.target)).map(({ node }) => node)
        problems.push({
          path: ["edges", taken.edge],
          message: `closes a loop without a wait (${describe([...loop, taken.target])}): put an action.listen, action.menu or logic.delay into it`
        })
      } else if (!done.has(taken.target)) {
        way.push({ node: taken.target, next: [...(next.get(taken.target) ?? [])] })
        onWay.add(taken.target)
      }
    }
  }
  return problems
}

const longestShown = 8

/** The nodes of a loop in order; of a long one its ends. */
const describe = (loop: ReadonlyArray<string>) =>
  (loop.length <= longestShown ? loop : [...loop.slice(0, 4), "…", ...loop.slice(-3)]).join(" → ")

import type { VoiceWorkflow } from "../app/Types.js"
import { DataTable, ScrollRegion } from "../components/DataTable.js"
import { shortened } from "../components/Format.js"
import { Card } from "../components/Resource.js"

/** The nodes and edges of a workflow. */
type Graph = Pick<VoiceWorkflow, "nodes" | "edges">

/** The place of the upper left corner of a node. */
interface Place {
  readonly x: number
  readonly y: number
}

const nodeWidth = 184
const nodeHeight = 54
const gapX = 72
const gapY = 28

/** The maximum width and height of a drawing in pixels. Wider graphs are laid out anew. */
const maxSize = 12_000

/** The places of the editor; undefined if a node has none, or if they are too far apart. */
const givenPlaces = ({ nodes }: Graph): ReadonlyMap<string, Place> | undefined => {
  const places = nodes.flatMap(({ id, position }) => (position === undefined ? [] : [[id, position] as const]))
  if (places.length < nodes.length) return undefined
  const left = Math.min(...places.map(([, { x }]) => x))
  const top = Math.min(...places.map(([, { y }]) => y))
  const moved = new Map(places.map(([id, { x, y }]) => [id, { x: x - left, y: y - top }] as const))
  return [...moved.values()].every(({ x, y }) => x <= maxSize && y <= maxSize) ? moved : undefined
}

/** The distance of each node from the triggers, in edges. */
const depths = ({ edges, nodes }: Graph): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  const visit = (id: string, depth: number, queue: Array<string>) => {
    if (found.has(id)) return
    found.set(id, depth)
    queue.push(id)
  }
  const walk = (queue: Array<string>) => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const depth = found.get(id) ?? 0
      for (const { source, target } of edges) if (source === id) visit(target, depth + 1, queue)
    }
  }
  const queue: Array<string> = []
  for (const { id, type } of nodes) if (type.startsWith("trigger.")) visit(id, 0, queue)
  walk(queue)
  for (const { id } of nodes) {
    visit(id, 0, queue)
    walk(queue)
  }
  return found
}

/** Places in columns by the distance from the triggers. */
const columnPlaces = (graph: Graph): ReadonlyMap<string, Place> => {
  const depthOf = depths(graph)
  const rows = new Map<number, number>()
  return new Map(
    graph.nodes.map(({ id }) => {
      const depth = depthOf.get(id) ?? 0
      const row = rows.get(depth) ?? 0
      rows.set(depth, row + 1)
      return [id, { x: depth * (nodeWidth + gapX), y: row * (nodeHeight + gapY) }]
    })
  )
}

/** The places of the nodes, from 0: those of the editor, or columns. */
const layOut = (graph: Graph): ReadonlyMap<string, Place> => givenPlaces(graph) ?? columnPlaces(graph)

/** The line between two nodes: from the side that faces the other one, with the point of its label. */
const edgeLine = (from: Place, to: Place) => {
  const isDown = Math.abs(to.y - from.y) > Math.abs(to.x - from.x)
  const sign = (isDown ? to.y < from.y : to.x < from.x) ? -1 : 1
  const [width, height] = [nodeWidth / 2, nodeHeight / 2]
  const start = isDown
    ? { x: from.x + width, y: from.y + height + sign * height }
    : { x: from.x + width + sign * width, y: from.y + height }
  const end = isDown
    ? { x: to.x + width, y: to.y + height - sign * height }
    : { x: to.x + width - sign * width, y: to.y + height }
  const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }
  const path = isDown
    ? `M${start.x} ${start.y}C${start.x} ${middle.y} ${end.x} ${middle.y} ${end.x} ${end.y}`
    : `M${start.x} ${start.y}C${middle.x} ${start.y} ${middle.x} ${end.y} ${end.x} ${end.y}`
  return { path, middle }
}

/** The label of a node, or else the text that it speaks, or else its id. */
const stepName = ({ data, id }: Graph["nodes"][number]): string => {
  const config: object = data?.config ?? {}
  const spoken = "text" in config && typeof config.text === "string" ? config.text : undefined
  return data?.label ?? spoken ?? id
}

const margin = 16

/** The number of characters that fit into a node. */
const maxLabelLength = 24

const Node = ({ node, place }: { readonly node: Graph["nodes"][number]; readonly place: Place }) => (
  <g class={`node ${node.type.split(".")[0]}`} transform={`translate(${place.x} ${place.y})`}>
    <title>{stepName(node)}</title>
    <rect width={nodeWidth} height={nodeHeight} rx="9" />
    <text x="12" y="22" class="type">
      {node.type}
    </text>
    <text x="12" y="41">
      {shortened(stepName(node), maxLabelLength)}
    </text>
  </g>
)

const Edge = ({
  edge,
  from,
  to
}: {
  readonly edge: Graph["edges"][number]
  readonly from: Place
  readonly to: Place
}) => {
  const { middle, path } = edgeLine(from, to)
  const label = edge.label ?? edge.sourceHandle ?? ""
  return (
    <g class="edge">
      <path d={path} marker-end="url(#arrow)" />
      {label !== "" && (
        <text x={middle.x} y={middle.y - 5} text-anchor="middle">
          {shortened(label, maxLabelLength)}
        </text>
      )}
    </g>
  )
}

/** The graph of a workflow: its nodes by their positions in the editor. The table of its steps has the same content. */
export const WorkflowGraph = (graph: Graph) => {
  if (graph.nodes.length === 0) return <p class="hint">The graph has no nodes.</p>
  const places = layOut(graph)
  const all = [...places.values()]
  const width = Math.max(...all.map(({ x }) => x)) + nodeWidth + 2 * margin
  const height = Math.max(...all.map(({ y }) => y)) + nodeHeight + 2 * margin
  return (
    <ScrollRegion class="card graph" label="Graph">
      <svg
        width={width}
        height={height}
        viewBox={`${-margin} ${-margin} ${width} ${height}`}
        role="img"
        aria-label={`${graph.nodes.length} nodes, ${graph.edges.length} edges; the steps follow as a table`}
      >
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0 8 4 0 8Z" />
          </marker>
        </defs>
        {graph.edges.map((edge) => {
          const from = places.get(edge.source)
          const to = places.get(edge.target)
          return from === undefined || to === undefined ? null : <Edge key={edge.id} edge={edge} from={from} to={to} />
        })}
        {graph.nodes.map((node) => {
          const place = places.get(node.id)
          return place === undefined ? null : <Node key={node.id} node={node} place={place} />
        })}
      </svg>
    </ScrollRegion>
  )
}

/** The steps of a workflow as a table, each with the steps that follow. */
export const WorkflowSteps = ({ edges, nodes }: Graph) => {
  const names = new Map(nodes.map((node) => [node.id, stepName(node)]))
  const nextOf = (id: string) =>
    edges
      .filter(({ source }) => source === id)
      .map(({ label, sourceHandle, target }) => {
        const outcome = label ?? sourceHandle
        const name = names.get(target) ?? target
        return outcome === undefined ? name : `${outcome}: ${name}`
      })
      .join("; ")
  return (
    <Card class="padded steps" title="Steps">
      <DataTable
        caption="Steps"
        columns={["Step", "Type", "Next"]}
        rows={nodes.map((node) => [stepName(node), node.type, nextOf(node.id)])}
      />
    </Card>
  )
}

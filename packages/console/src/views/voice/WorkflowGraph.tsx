import { ScrollRegion } from "../../components/ScrollRegion.js"
import { edgeLine, type Graph, layOut, nodeHeight, nodeWidth, type Place } from "./GraphLayout.js"
import { stepName } from "./StepName.js"

const margin = 16

/** The number of characters that fit into a node. */
const maxLabelLength = 24

const shortened = (text: string) => (text.length <= maxLabelLength ? text : `${text.slice(0, maxLabelLength - 1)}…`)

const Node = ({ node, place }: { readonly node: Graph["nodes"][number]; readonly place: Place }) => (
  <g class={`node ${node.type.split(".")[0]}`} transform={`translate(${place.x} ${place.y})`}>
    <title>{stepName(node)}</title>
    <rect width={nodeWidth} height={nodeHeight} rx="9" />
    <text x="12" y="22" class="type">
      {node.type}
    </text>
    <text x="12" y="41">
      {shortened(stepName(node))}
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
          {shortened(label)}
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

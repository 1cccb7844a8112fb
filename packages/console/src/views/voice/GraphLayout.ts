import type { VoiceWorkflow } from "../../app/Types.js"

/** The nodes and edges of a workflow. */
export type Graph = Pick<VoiceWorkflow, "nodes" | "edges">

/** The place of the upper left corner of a node. */
export interface Place {
  readonly x: number
  readonly y: number
}

export const nodeWidth = 184
export const nodeHeight = 54
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
export const layOut = (graph: Graph): ReadonlyMap<string, Place> => givenPlaces(graph) ?? columnPlaces(graph)

/** The line between two nodes: from the side that faces the other one, with the point of its label. */
export const edgeLine = (from: Place, to: Place) => {
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

import { Schema } from "effect"
import { text } from "../../Text.js"
import { nodeConfigs } from "./NodeConfig.js"

const words = {
  label: Schema.optional(Schema.String),
  description: Schema.optional(Schema.String)
}

/** The position of a node in the editor. */
export const NodePosition = Schema.Struct({ x: Schema.Finite, y: Schema.Finite }).annotations({
  identifier: "NodePosition"
})

const place = {
  id: text(1, 100),
  position: Schema.optional(NodePosition),
  selected: Schema.optional(Schema.Boolean),
  dragging: Schema.optional(Schema.Boolean)
}

type Configs = typeof nodeConfigs

/** A node type without a required configuration. */
const optionalConfig = <Type extends keyof Configs>(type: Type) =>
  Schema.Struct({
    ...place,
    type: Schema.Literal(type),
    data: Schema.optional(Schema.Struct({ ...words, config: Schema.optional(nodeConfigs[type]) }))
  })

/** A node type that requires a configuration. */
const requiredConfig = <Type extends keyof Configs>(type: Type) =>
  Schema.Struct({
    ...place,
    type: Schema.Literal(type),
    data: Schema.Struct({ ...words, config: nodeConfigs[type] })
  })

/** A node of a workflow. */
export const WorkflowNode = Schema.Union(
  optionalConfig("trigger.callStarted"),
  optionalConfig("trigger.callEnded"),
  requiredConfig("action.speak"),
  optionalConfig("action.listen"),
  requiredConfig("action.menu"),
  requiredConfig("action.transfer"),
  requiredConfig("action.sendMessage"),
  requiredConfig("action.httpRequest"),
  optionalConfig("action.hangup"),
  requiredConfig("logic.condition"),
  requiredConfig("logic.delay"),
  optionalConfig("ai.respond")
).annotations({ identifier: "WorkflowNode" })
export type WorkflowNode = typeof WorkflowNode.Type
export type WorkflowNodeType = WorkflowNode["type"]

/** An edge between nodes. `sourceHandle` selects the exit of a menu or a condition. */
export const WorkflowEdge = Schema.Struct({
  id: text(1, 200),
  source: Schema.String.annotations({ description: "the id of the source node" }),
  target: Schema.String.annotations({ description: "the id of the target node" }),
  sourceHandle: Schema.optional(
    Schema.String.annotations({
      description:
        "after a menu the id of the item, after a condition `true` or `false`; an edge without it is used if no other matches"
    })
  ),
  targetHandle: Schema.optional(Schema.String),
  label: Schema.optional(Schema.String),
  type: Schema.optional(Schema.String),
  animated: Schema.optional(Schema.Boolean)
}).annotations({ identifier: "WorkflowEdge" })
export type WorkflowEdge = typeof WorkflowEdge.Type

/** The visible section of the graph in the editor. */
export const WorkflowViewport = Schema.Struct({
  x: Schema.Finite,
  y: Schema.Finite,
  zoom: Schema.Finite
}).annotations({ identifier: "WorkflowViewport" })
export type WorkflowViewport = typeof WorkflowViewport.Type

/** The nodes and edges of a workflow. */
export interface WorkflowGraph {
  readonly nodes: ReadonlyArray<WorkflowNode>
  readonly edges: ReadonlyArray<WorkflowEdge>
}

import { Schema } from "effect"
import { filledText } from "../FilledText.js"
import { nodeConfigs } from "./NodeConfig.js"

const words = {
  label: Schema.optional(Schema.String),
  description: Schema.optional(Schema.String)
}

/** Where a node stands in the editor. */
export const NodePosition = Schema.Struct({ x: Schema.Finite, y: Schema.Finite }).annotations({
  identifier: "NodePosition"
})

const place = {
  id: filledText(100),
  position: Schema.optional(NodePosition),
  selected: Schema.optional(Schema.Boolean),
  dragging: Schema.optional(Schema.Boolean)
}

type Configs = typeof nodeConfigs

/** A node whose configuration may be left out: there is nothing that it needs. */
const free = <Type extends keyof Configs>(type: Type) =>
  Schema.Struct({
    ...place,
    type: Schema.Literal(type),
    data: Schema.optional(Schema.Struct({ ...words, config: Schema.optional(nodeConfigs[type]) }))
  })

/** A node that can do nothing without a configuration. */
const configured = <Type extends keyof Configs>(type: Type) =>
  Schema.Struct({
    ...place,
    type: Schema.Literal(type),
    data: Schema.Struct({ ...words, config: nodeConfigs[type] })
  })

/** One step of a call. */
export const WorkflowNode = Schema.Union(
  free("trigger.callStarted"),
  free("trigger.callEnded"),
  configured("action.speak"),
  free("action.listen"),
  configured("action.menu"),
  configured("action.transfer"),
  configured("action.sendMessage"),
  configured("action.httpRequest"),
  free("action.hangup"),
  configured("logic.condition"),
  configured("logic.delay"),
  free("ai.respond")
).annotations({ identifier: "WorkflowNode" })
export type WorkflowNode = typeof WorkflowNode.Type
export type WorkflowNodeType = WorkflowNode["type"]

/** The way from one step to the next. Out of a menu or a condition, `sourceHandle` says which way it is. */
export const WorkflowEdge = Schema.Struct({
  id: filledText(200),
  source: Schema.String.annotations({ description: "the id of the node that it leaves" }),
  target: Schema.String.annotations({ description: "the id of the node that it leads to" }),
  sourceHandle: Schema.optional(
    Schema.String.annotations({
      description:
        "out of a menu the id of the item, out of a condition `true` or `false`; the edge without one is taken where no other is"
    })
  ),
  targetHandle: Schema.optional(Schema.String),
  label: Schema.optional(Schema.String),
  type: Schema.optional(Schema.String),
  animated: Schema.optional(Schema.Boolean)
}).annotations({ identifier: "WorkflowEdge" })
export type WorkflowEdge = typeof WorkflowEdge.Type

/** What the editor shows of the graph. */
export const WorkflowViewport = Schema.Struct({
  x: Schema.Finite,
  y: Schema.Finite,
  zoom: Schema.Finite
}).annotations({ identifier: "WorkflowViewport" })
export type WorkflowViewport = typeof WorkflowViewport.Type

/** The steps of a call, and the ways between them. */
export interface WorkflowGraph {
  readonly nodes: ReadonlyArray<WorkflowNode>
  readonly edges: ReadonlyArray<WorkflowEdge>
}

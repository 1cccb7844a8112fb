import type { WorkflowEdge, WorkflowNode } from "@switchboard/domain/voice/workflows/WorkflowGraph"

/** Where a call begins. */
export const start: WorkflowNode = { id: "start", type: "trigger.callStarted" }

/** A step that takes no time of its own. */
export const speak = (id: string): WorkflowNode => ({ id, type: "action.speak", data: { config: { text: id } } })

/** A step that waits. */
export const listen = (id: string): WorkflowNode => ({ id, type: "action.listen" })

export const delay = (id: string): WorkflowNode => ({ id, type: "logic.delay", data: { config: { seconds: 1 } } })

export const menu = (id: string, ...items: ReadonlyArray<string>): WorkflowNode => ({
  id,
  type: "action.menu",
  data: { config: { items: items.map((item) => ({ id: item, label: item })) } }
})

export const condition = (id: string): WorkflowNode => ({
  id,
  type: "logic.condition",
  data: { config: { variable: "reply", operator: "exists" } }
})

/** A way from one step to another. */
export const edge = (source: string, target: string, sourceHandle?: string): WorkflowEdge => ({
  id: `${source}-${sourceHandle ?? ""}-${target}`,
  source,
  target,
  ...(sourceHandle === undefined ? {} : { sourceHandle })
})

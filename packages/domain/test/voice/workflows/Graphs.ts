import type { WorkflowEdge, WorkflowNode } from "@switchboard/domain/voice/workflows/WorkflowGraph"

/** The trigger of a call. */
export const start: WorkflowNode = { id: "start", type: "trigger.callStarted" }

/** A node without a wait. */
export const speak = (id: string): WorkflowNode => ({ id, type: "action.speak", data: { config: { text: id } } })

/** A node that waits. */
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

/** An edge between two nodes. */
export const edge = (source: string, target: string, sourceHandle?: string): WorkflowEdge => ({
  id: `${source}-${sourceHandle ?? ""}-${target}`,
  source,
  target,
  ...(sourceHandle === undefined ? {} : { sourceHandle })
})

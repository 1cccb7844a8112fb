import type { WorkflowGraph } from "@switchboard/domain/voice/workflows/WorkflowGraph"

/** What a call of an agent without a published workflow is: a greeting. */
export const greetingGraph = (agentName: string): WorkflowGraph => ({
  nodes: [
    { id: "start", type: "trigger.callStarted" },
    { id: "greeting", type: "action.speak", data: { config: { text: `Hello, this is ${agentName}.` } } }
  ],
  edges: [{ id: "start-greeting", source: "start", target: "greeting" }]
})

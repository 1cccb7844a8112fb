const nodes = [
  { id: "start", type: "trigger.callStarted", position: { x: 0, y: 0 }, data: { label: "Call started" } },
  {
    id: "welcome",
    type: "action.menu",
    position: { x: 0, y: 120 },
    data: {
      label: "Welcome",
      config: {
        prompt: "Hello. Would you like to book a room?",
        items: [{ id: "book", label: "Book a room", keywords: ["room", "book"] }]
      }
    }
  },
  {
    id: "booking",
    type: "action.speak",
    position: { x: 0, y: 240 },
    data: { label: "Booking", config: { text: "You will get a mail with a link. Goodbye." } }
  }
]

const edges = [
  { id: "e1", source: "start", target: "welcome" },
  { id: "e2", source: "welcome", target: "booking", sourceHandle: "book" }
]

const viewport = { x: 0, y: 0, zoom: 1 }

const workflow = {
  id: "01a1fc1d-d2b0-7c31-9a41-6f1de0a4b802",
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  name: "Front desk",
  description: "Greets callers of the hotel",
  nodes,
  edges,
  viewport,
  isEnabled: true,
  version: 0,
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.000Z"
}

const linked = {
  ...workflow,
  voiceAgentId: "01a1fc1d-d2b0-7c31-9a41-6f1de0a4b801",
  updatedAt: "2026-11-20T09:40:00.000Z"
}

const published = {
  ...linked,
  publishedNodes: nodes,
  publishedEdges: edges,
  publishedViewport: viewport,
  version: 1,
  publishedAt: "2026-11-20T10:15:20.000Z",
  updatedAt: "2026-11-20T10:15:20.000Z"
}

/** Examples by operation id. */
export const voiceWorkflowExamples = {
  "voiceWorkflows.list": {
    response: { items: [linked], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } }
  },
  "voiceWorkflows.create": {
    request: { name: workflow.name, description: workflow.description, nodes, edges, viewport },
    response: workflow
  },
  "voiceWorkflows.get": { response: published },
  "voiceWorkflows.update": {
    request: { description: workflow.description },
    response: published
  },
  "voiceWorkflows.remove": { response: { success: true } },
  "voiceWorkflows.publish": { request: {}, response: published },
  "voiceWorkflows.link": { request: {}, response: linked }
}

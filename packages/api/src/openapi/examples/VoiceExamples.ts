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

const linkedWorkflow = {
  ...workflow,
  voiceAgentId: "01a1fc1d-d2b0-7c31-9a41-6f1de0a4b801",
  updatedAt: "2026-11-20T09:40:00.000Z"
}

const published = {
  ...linkedWorkflow,
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
    response: { items: [linkedWorkflow], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } }
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
  "voiceWorkflows.link": { request: {}, response: linkedWorkflow }
}

const base = {
  id: "01a1fc1e-0b5c-7a41-8f7e-3f4b0c2d9a10",
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  name: "Shop",
  description: "Opening hours, addresses and prices",
  documentCount: 1,
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:31:12.000Z"
}

const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 }

const document = {
  id: "01a1fc1e-1c6d-7b52-9a8f-4a5c1d3e0b21",
  knowledgeBaseId: base.id,
  filename: "opening-hours.pdf",
  contentType: "application/pdf",
  contentLength: 48_213,
  storageKey: "01a1fc1d-cf8f-76d9-be28-52307925009f/knowledge/01a1fc1e-1c6d-7b52-9a8f-4a5c1d3e0b21",
  status: "ready",
  createdAt: "2026-11-20T09:31:02.000Z"
}

/** Examples by operation id. */
export const knowledgeBaseExamples = {
  "knowledgeBases.list": { response: { items: [base], pagination } },
  "knowledgeBases.create": {
    request: { name: base.name, description: base.description },
    response: { ...base, documentCount: 0, updatedAt: base.createdAt }
  },
  "knowledgeBases.get": { response: base },
  "knowledgeBases.remove": { response: { success: true } },
  "knowledgeBases.documents": { response: { items: [document], pagination } },
  "knowledgeBases.requestUpload": {
    request: {
      filename: document.filename,
      contentType: document.contentType,
      contentLength: document.contentLength
    },
    response: {
      uploadUrl:
        "http://127.0.0.1:3000/v1/uploads/01a1fc1d-cf8f-76d9-be28-52307925009f.01a1fc1e-1c6d-7b52-9a8f-4a5c1d3e0b21.5f0c2b9e71d84a3692bd",
      documentId: document.id,
      storageKey: document.storageKey
    }
  }
}

const id = "01a1fc1e-5e77-7d2f-8b1c-3a4b5c6d7e8f"
const link = (token: string) => `https://switchboard.example.com/v1/objects/${token}`

const transcriptUrl = link("eyJrZXkiOiIwMWExZmMxZCJ9.0b1c2d3e4f5a6b7c8d9e")

const placed = {
  id,
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  phoneNumberId: "5f0c2b9e-71d8-4a36-92bd-0b1c2d3e4f5a",
  voiceAgentId: "01a1fc1d-d2b0-7c31-9a41-6f1de0a4b801",
  conversationId: "01a1fc1e-5e70-7a11-8b1c-2c1d3e4f5a6b",
  transport: "pstn",
  direction: "outbound",
  from: "+4930123456",
  to: "+442079460018",
  status: "queued",
  metadata: { sttLanguage: "en-GB", ttsVoice: "alloy", customFields: { carrier: "sandbox", speed: 5 } },
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.000Z"
}

const chosen = { menuItemId: "book", menuItemLabel: "Book a room", matchedText: "A room, please", confidence: 0.8 }

const completed = {
  ...placed,
  callControlId: `sandbox-${id}`,
  sessionId: `sandbox-session-${id}`,
  status: "completed",
  summary:
    "Front desk spoke twice and the caller once, in 12 seconds. The caller chose Book a room. " +
    "The workflow came to its end.",
  transcriptUrl,
  recordingUrl: link("eyJrZXkiOiIwMWExZmMxZSJ9.9e8d7c6b5a4f3e2d1c0b"),
  initiatedAt: "2026-11-20T09:30:00.041Z",
  answeredAt: "2026-11-20T09:30:00.512Z",
  endedAt: "2026-11-20T09:30:02.932Z",
  durationSeconds: 12,
  metadata: {
    ...placed.metadata,
    menuMatches: [chosen],
    menuFinalSelection: chosen,
    customFields: { carrier: "sandbox", speed: 5, variables: { reply: "A room, please" }, endedBy: "workflow" }
  },
  updatedAt: "2026-11-20T09:30:02.948Z"
}

/** Examples by operation id. */
export const voiceCallExamples = {
  "voiceCalls.list": {
    response: { items: [completed], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } }
  },
  "voiceCalls.place": {
    request: {
      voiceAgentId: placed.voiceAgentId,
      to: placed.to,
      from: placed.from,
      sandbox: { answers: [chosen.matchedText] }
    },
    response: placed
  },
  "voiceCalls.simulate": {
    request: { from: placed.to, to: placed.from, sandbox: { answers: [chosen.matchedText] } },
    response: {
      ...placed,
      ...{ direction: "inbound", from: placed.to, to: placed.from },
      ...{ callControlId: `sandbox-${id}`, initiatedAt: placed.createdAt }
    }
  },
  "voiceCalls.get": { response: completed },
  "voiceCalls.transcript": { response: { callId: id, transcriptUrl, hasTranscript: true } },
  "voiceCalls.hangUp": { request: {}, response: { success: true } },
  "voiceCalls.startRecording": { request: {}, response: { success: true } },
  "voiceCalls.stopRecording": { request: {}, response: { success: true } }
}

const agent = {
  id: "01a1fc1d-d2b0-7c31-9a41-6f1de0a4b801",
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  name: "Front desk",
  systemPrompt: "You answer the phone of a hotel.",
  voiceId: "alloy",
  language: "en-GB",
  transport: "webrtc",
  webhookConfig: {
    url: "https://example.com/calls",
    headers: { "X-Team": "desk" },
    events: ["call.started", "call.ended"]
  },
  isActive: true,
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.000Z"
}

const linked = { ...agent, workflowId: "01a1fc1d-d2b0-7c31-9a41-6f1de0a4b802" }

/** Examples by operation id. */
export const voiceAgentExamples = {
  "voiceAgents.list": {
    response: { items: [linked], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } }
  },
  "voiceAgents.create": {
    request: {
      name: agent.name,
      systemPrompt: agent.systemPrompt,
      voiceId: agent.voiceId,
      language: agent.language,
      webhookConfig: agent.webhookConfig
    },
    response: {
      ...agent,
      webhookConfig: { ...agent.webhookConfig, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwXj0mq0fFq3o=" }
    }
  },
  "voiceAgents.get": { response: linked },
  "voiceAgents.update": {
    request: { language: "de-DE", systemPrompt: null },
    response: {
      ...linked,
      systemPrompt: undefined,
      language: "de-DE",
      updatedAt: "2026-11-20T10:15:20.000Z"
    }
  },
  "voiceAgents.remove": { response: { success: true } },
  "voiceAgents.duplicate": {
    request: { name: "Night desk" },
    response: { ...agent, id: "01a1fc1d-d2b0-7c31-9a41-6f1de0a4b803", name: "Night desk" }
  }
}

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

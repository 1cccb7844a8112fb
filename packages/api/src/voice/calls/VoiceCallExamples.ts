const id = "01a1fc1e-5e77-7d2f-8b1c-3a4b5c6d7e8f"
const link = (token: string) => `https://switchboard.example.com/v1/objects/${token}`

const transcriptUrl = link("eyJrZXkiOiIwMWExZmMxZCJ9.0b1c2d3e4f5a6b7c8d9e")

const placed = {
  id,
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  voiceAgentId: "01a1fc1d-d2b0-7c31-9a41-6f1de0a4b801",
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
  "voiceCalls.get": { response: completed },
  "voiceCalls.transcript": { response: { callId: id, transcriptUrl, hasTranscript: true } },
  "voiceCalls.hangUp": { request: {}, response: { success: true } },
  "voiceCalls.startRecording": { request: {}, response: { success: true } },
  "voiceCalls.stopRecording": { request: {}, response: { success: true } }
}

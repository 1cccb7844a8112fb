import { exampleConversation } from "@switchboard/domain/events/ExampleData"
import { exampleApiKeyId, exampleAt } from "@switchboard/domain/events/ExampleFacts"

const ada = "01a1fc1d-e1b3-70c2-a5d2-d20017eabdaa"

const created = {
  ...exampleConversation("active"),
  externalId: "ticket-1815",
  urgency: "low",
  participantTracking: JSON.stringify({
    participants: [{ id: ada, name: "Ada Lovelace", joinedAt: exampleAt, messageCount: 0 }]
  }),
  metrics: JSON.stringify({ messageCount: 0, inboundCount: 0, outboundCount: 0 }),
  createdBy: exampleApiKeyId
}
const { lastActivityAt: _, ...quiet } = created

const repliedAt = "2026-11-20T10:12:00.000Z"
const lively = {
  ...created,
  participantTracking: JSON.stringify({
    participants: [{ id: ada, name: "Ada Lovelace", joinedAt: exampleAt, messageCount: 1, lastMessageAt: repliedAt }]
  }),
  metrics: JSON.stringify({ messageCount: 2, inboundCount: 1, outboundCount: 1 }),
  lastActivityAt: repliedAt,
  lastHumanActivityAt: repliedAt
}

/** Examples by operation id. */
export const conversationExamples = {
  "conversations.list": {
    response: { items: [lively], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } }
  },
  "conversations.create": {
    request: {
      title: created.title,
      externalId: created.externalId,
      channels: created.channels,
      tags: created.tags,
      participantIds: [ada]
    },
    response: quiet
  },
  "conversations.get": { response: lively },
  "conversations.update": {
    request: { status: "resolved", resolutionNotes: "Sent again" },
    response: {
      ...lively,
      status: "resolved",
      resolvedAt: "2026-11-21T08:15:00.000Z",
      resolvedBy: exampleApiKeyId,
      resolutionType: "manual",
      resolutionNotes: "Sent again",
      updatedAt: "2026-11-21T08:15:00.000Z"
    }
  },
  "conversations.addParticipants": { request: { id: created.id, participantIds: [ada] }, response: lively },
  "conversations.removeParticipants": {
    request: { participantIds: [ada] },
    response: { ...lively, participantTracking: JSON.stringify({ participants: [] }) }
  }
}

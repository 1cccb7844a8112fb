import {
  exampleApiKeyId,
  exampleAt,
  exampleConversation,
  exampleOrganization
} from "@switchboard/domain/events/ExampleData"

const window = {
  serviceWindowId: "01a1fc1e-3a10-7b52-9c7e-5d2e1f3a4b60",
  isServiceWindowActive: true,
  isFreeEntryPointActive: false,
  serviceWindowExpiresAt: "2026-11-21T09:30:00.000Z"
}

const ofAda = { ...window, participantId: "01a1fc1d-e1b3-70c2-a5d2-d20017eabdaa" }

/** Examples by operation id. */
export const serviceWindowExamples = {
  "serviceWindows.list": {
    response: { items: [ofAda], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } }
  },
  "serviceWindows.open": { request: { participantId: ofAda.participantId }, response: ofAda },
  "serviceWindows.get": { response: ofAda },
  "serviceWindows.activate": {
    request: { serviceWindowId: window.serviceWindowId, source: "ads" },
    response: { ...window, isFreeEntryPointActive: true, freeEntryPointExpiresAt: "2026-11-23T10:02:11.000Z" }
  }
}

const newParticipant = {
  name: "Ada Lovelace",
  displayName: "Ada",
  email: "ada@example.com",
  phone: "+44 20 7946 0018",
  country: "GB",
  metadata: { customer: 1815 }
}

const participant = {
  id: "01a1fc1d-e1b3-70c2-a5d2-d20017eabdaa",
  organizationId: exampleOrganization,
  name: newParticipant.name,
  displayName: newParticipant.displayName,
  type: "contact",
  channelIdentities: { email: [newParticipant.email], phone: ["+442079460018"] },
  country: newParticipant.country,
  metadata: newParticipant.metadata,
  createdAt: exampleAt,
  updatedAt: exampleAt
}

/** Examples by operation id. */
export const participantExamples = {
  "participants.list": {
    response: { items: [participant], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } }
  },
  "participants.create": { request: newParticipant, response: participant },
  "participants.get": { response: participant },
  "participants.update": {
    request: { whatsappId: "442079460018", region: "London" },
    response: {
      ...participant,
      channelIdentities: { ...participant.channelIdentities, whatsapp: ["+442079460018"] },
      region: "London",
      updatedAt: "2026-11-21T08:15:00.000Z"
    }
  },
  "participants.remove": { response: { success: true } }
}

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

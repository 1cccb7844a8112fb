import { exampleAt, exampleOrganization } from "@switchboard/domain/events/ExampleFacts"

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

import { messageExample } from "../messages/MessageExamples.js"

const draft = {
  id: "01a1fc1e-2d8e-7f96-8dc3-8e9051724f65",
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  channel: "email",
  recipients: [{ email: "ada@example.com", name: "Ada Lovelace" }],
  content: { subject: "Our offer", body: "Dear Ada,\n\nhere is our offer." },
  title: "Offer for Ada",
  lastEditedAt: "2026-11-20T09:30:00.000Z",
  createdAt: "2026-11-20T09:30:00.000Z",
  createdBy: "01a1fc1d-cf9d-766f-8d6a-43d494c1944f"
}

const { channel, content, recipients, title } = draft

/** Examples by operation id. */
export const draftExamples = {
  "drafts.list": { response: { items: [draft], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } } },
  "drafts.create": { request: { channel, recipients, content, title }, response: draft },
  "drafts.get": { response: draft },
  "drafts.update": {
    request: { content: { ...content, subject: "Our new offer" }, title: null },
    response: {
      id: draft.id,
      organizationId: draft.organizationId,
      channel,
      recipients,
      content: { ...content, subject: "Our new offer" },
      lastEditedAt: "2026-11-20T09:41:07.000Z",
      createdAt: draft.createdAt,
      createdBy: draft.createdBy
    }
  },
  "drafts.remove": { response: { success: true } },
  "drafts.send": { request: {}, response: messageExample }
}

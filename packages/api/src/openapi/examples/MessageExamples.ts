import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { EventId } from "@switchboard/domain/events/EventType"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { serverSentEvent } from "../../events/ServerSentEvents.js"
import { attachmentExample } from "./MailExamples.js"

/** An example of one event in a stream. */
export const eventStreamExample = serverSentEvent({
  id: EventId.make("01a1fc1d-e1a0-7029-814e-d493ca640e3c"),
  type: "email_block.created",
  timestamp: "2026-11-20T09:30:02.000Z",
  organizationId: OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f"),
  data: eventExamples["email_block.created"]
})

const attachment = {
  id: "01a1fc1e-2c7d-7e85-9cb2-7d8f40613e54",
  filename: "offer.txt",
  contentType: "text/plain",
  size: 10,
  createdAt: "2026-11-20T09:29:30.000Z"
}

/** Examples by operation id. */
export const attachmentExamples = {
  "attachments.upload": {
    request: { filename: "offer.txt", contentType: "text/plain", content: "SGVsbG8gQWRhIQ==" },
    response: attachment
  },
  "attachments.get": { response: attachment }
}

const id = "01a1fc1d-e1a0-7029-814e-d493ca640e3c"
const organization = "01a1fc1d-cf8f-76d9-be28-52307925009f"
const sender = "01a1fc1d-e1b3-70c2-a5d2-cede27759200"
const contact = "01a1fc1d-e1b3-70c2-a5d2-d20017eabdaa"
const apiKey = "01a1fc1d-cf9d-766f-8d6a-43d494c1944f"
const at = "2026-11-20T09:30:00.000Z"

/** The request of a send. */
export const sendExample = {
  channel: "email",
  to: [{ email: "ada@example.com" }],
  email: { subject: "Your order has shipped", html: "<p>Your order left our house this morning.</p>" },
  idempotencyKey: "order-1815-shipped"
}

/** The message of that send. */
export const messageExample = {
  id,
  organizationId: organization,
  conversationId: null,
  threadId: null,
  parentMessageId: null,
  fromParticipantId: sender,
  toParticipantIds: [contact],
  participantMetadata: null,
  channel: "email",
  direction: "outbound",
  content: {
    subject: "Your order has shipped",
    html: "<p>Your order left our house this morning.</p>",
    text: "Your order left our house this morning.",
    from: "Switchboard <hello@localhost.test>",
    replyTo: [],
    attachments: []
  },
  scheduledAt: null,
  cost: "0.0004",
  currency: "USD",
  maxRetries: 8,
  workflowRunId: null,
  queueMessageId: "01a1fc1d-e1a0-7646-a630-5694697c4669",
  tags: [],
  categories: [],
  isTest: false,
  isInternal: false,
  isAutomated: false,
  externalId: null,
  referenceId: null,
  apiKeyId: apiKey,
  httpMethod: "POST",
  apiRequestMetadata: {
    method: "POST",
    endpoint: "/v1/messages",
    ipAddress: "192.0.2.7",
    userAgent: "curl/8.5.0",
    headers: { "content-type": "application/json" },
    query: {}
  },
  apiResponseMetadata: null,
  createdAt: at,
  createdBy: null,
  status: "pending",
  statusHistory: [{ status: "pending", timestamp: at }],
  provider: null,
  providerMessageId: null,
  providerStatus: null,
  providerResponse: null,
  providerCost: null,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
  retryCount: 0,
  deliveryAttempts: 0,
  lastError: null,
  errorDetails: null,
  lastAttemptAt: null,
  updatedAt: at,
  fromParticipant: {
    id: sender,
    name: "Switchboard",
    displayName: null,
    type: "sender",
    channelIdentities: { email: ["hello@localhost.test"] }
  },
  toParticipants: [
    {
      id: contact,
      name: "ada@example.com",
      displayName: null,
      type: "contact",
      channelIdentities: { email: ["ada@example.com"] }
    }
  ],
  emailMetadata: {
    messageId: `<${id}@localhost.test>`,
    to: ["ada@example.com"],
    cc: [],
    bcc: [],
    headers: {},
    tags: [],
    deliveries: [{ recipient: "ada@example.com", status: "pending", at }]
  }
}

const cancelledExample = {
  ...messageExample,
  status: "failed",
  scheduledAt: "2026-11-21T09:30:00.000Z",
  statusHistory: [
    { status: "scheduled", timestamp: at },
    { status: "failed", timestamp: at, reason: "cancelled" }
  ],
  failedAt: at,
  lastError: "Cancelled before its time came",
  errorDetails: { code: "cancelled", message: "Cancelled before its time came", retryable: false }
}

const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 }

/** Examples by operation id. */
export const messageExamples = {
  "messages.list": { response: { items: [messageExample], pagination } },
  "messages.send": { request: sendExample, response: messageExample },
  "messages.batch": {
    request: { messages: [sendExample] },
    response: { results: [{ status: 201, message: messageExample }] }
  },
  "messages.get": { response: messageExample },
  "messages.remove": { response: { success: true } },
  "messages.timeline": {
    response: {
      id,
      status: "delivered",
      events: [
        { type: "message.created", timestamp: at },
        { type: "message.pending", status: "pending", timestamp: at },
        { type: "message.processing", status: "processing", timestamp: at },
        { type: "message.sent", status: "sent", timestamp: at },
        { type: "message.delivered", status: "delivered", timestamp: at },
        {
          type: "recipient.delivered",
          timestamp: at,
          recipient: "ada@example.com",
          reason: "250 OK",
          metadata: { smtpCode: 250 }
        }
      ]
    }
  },
  "messages.attachments": { response: { items: [attachmentExample] } },
  "messages.cancel": { response: cancelledExample },
  "messages.resend": { request: {}, response: messageExample }
}

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

import type { MessageStatus } from "../messages/state/MessageStatus.js"
import type { EventType } from "./EventType.js"
import {
  type EncodedData,
  exampleApiKey,
  exampleApiKeyId,
  exampleAt,
  exampleBlock,
  exampleCall,
  exampleConversation,
  exampleDomain,
  exampleEndpoint,
  exampleMessageId,
  exampleOrganization,
  exampleOrganizationData,
  exampleSender
} from "./ExampleData.js"

const sender = "01a1fc1d-e1b3-70c2-a5d2-cede27759200"
const contact = "01a1fc1d-e1b3-70c2-a5d2-d20017eabdaa"

const reached = (steps: ReadonlyArray<MessageStatus>, ...any: ReadonlyArray<MessageStatus>) =>
  steps.some((step) => any.includes(step)) ? exampleAt : null

const emailMetadata = {
  messageId: `<${exampleMessageId}@example.com>`,
  to: ["ada@example.com"],
  cc: [],
  bcc: [],
  headers: {},
  tags: [],
  deliveries: []
}

/** An example of an e-mail with this status history. */
export const exampleMessage = (...steps: ReadonlyArray<MessageStatus>): EncodedData<"message.created"> => {
  const status = steps.at(-1) ?? "pending"
  const ended = status === "failed" || status === "bounced"
  const sent = reached(steps, "sent")
  return {
    id: exampleMessageId,
    organizationId: exampleOrganization,
    conversationId: null,
    threadId: null,
    parentMessageId: null,
    fromParticipantId: sender,
    toParticipantIds: [contact],
    participantMetadata: null,
    channel: "email",
    direction: "outbound",
    content: { subject: "Your order has shipped", from: "Analytical Engines <hello@example.com>", replyTo: [] },
    scheduledAt: status === "scheduled" ? "2026-11-21T09:30:00.000Z" : null,
    cost: "0.0004",
    currency: "USD",
    maxRetries: 8,
    workflowRunId: null,
    queueMessageId: "01a1fc1d-e1a0-7646-a630-5694697c4669",
    tags: ["orders"],
    categories: [],
    isTest: false,
    isInternal: false,
    isAutomated: false,
    externalId: "order-1815",
    referenceId: null,
    apiKeyId: exampleApiKeyId,
    httpMethod: "POST",
    apiRequestMetadata: null,
    apiResponseMetadata: null,
    createdAt: exampleAt,
    createdBy: null,
    status,
    statusHistory: steps.map((step) => ({ status: step, timestamp: exampleAt })),
    provider: sent === null ? null : "smtp",
    providerMessageId: null,
    providerStatus: sent === null ? null : "250",
    providerResponse: null,
    providerCost: null,
    sentAt: sent,
    deliveredAt: reached(steps, "delivered"),
    readAt: reached(steps, "read"),
    failedAt: ended ? exampleAt : null,
    retryCount: 0,
    deliveryAttempts: reached(steps, "processing") === null ? 0 : 1,
    lastError: ended ? "550 5.1.1 No such user" : null,
    errorDetails: ended
      ? {
          code: "recipient_refused",
          message: "550 5.1.1 No such user",
          details: { smtpCode: 550, reason: "user_unknown" },
          retryable: false
        }
      : null,
    lastAttemptAt: reached(steps, "processing"),
    updatedAt: exampleAt,
    fromParticipant: {
      id: sender,
      name: "Analytical Engines",
      displayName: null,
      type: "sender",
      channelIdentities: { email: ["hello@example.com"] }
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
    emailMetadata
  }
}

const exampleDeletedMessage: EncodedData<"message.deleted"> = {
  id: exampleMessageId,
  channel: "email",
  tags: ["orders"],
  isTest: false,
  externalId: "order-1815",
  referenceId: null,
  deletedAt: exampleAt
}

const exampleClick = {
  url: "https://example.com/orders/1815",
  recipient: "ada@example.com",
  at: exampleAt,
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
}

/** An encoded example of each event, for the API description and for webhook tests. */
export const eventExamples: { readonly [Type in EventType]: EncodedData<Type> } = {
  "message.created": exampleMessage(),
  "message.pending": exampleMessage("pending"),
  "message.scheduled": exampleMessage("scheduled"),
  "message.queued": exampleMessage("pending", "processing", "queued"),
  "message.processing": exampleMessage("pending", "processing"),
  "message.sent": exampleMessage("pending", "processing", "sent"),
  "message.delivered": exampleMessage("pending", "processing", "sent", "delivered"),
  "message.read": exampleMessage("pending", "processing", "sent", "delivered", "read"),
  "message.clicked": {
    ...exampleMessage("pending", "processing", "sent", "delivered", "read"),
    emailMetadata: { ...emailMetadata, clicks: [exampleClick] }
  },
  "message.failed": exampleMessage("pending", "processing", "failed"),
  "message.bounced": exampleMessage("pending", "processing", "bounced"),
  "message.complained": exampleMessage("pending", "processing", "sent", "delivered", "complained"),
  "message.received": { ...exampleMessage("delivered"), direction: "inbound" },
  "message.deleted": exampleDeletedMessage,
  "email_domain.created": exampleDomain("pending"),
  "email_domain.verified": exampleDomain("verified"),
  "email_domain.degraded": exampleDomain("degraded"),
  "email_domain.failed": exampleDomain("failed"),
  "email_domain.paused": {
    ...exampleDomain("verified"),
    pause: { reason: "bounces", rate: 0.12, bound: 0.1, messages: 1250, pausedAt: exampleAt }
  },
  "email_domain.resumed": exampleDomain("verified"),
  "email_domain.deleted": exampleDomain("verified"),
  "email_sender.created": exampleSender("pending"),
  "email_sender.verified": exampleSender("verified"),
  "email_sender.deleted": exampleSender("verified"),
  "email_block.created": exampleBlock,
  "email_block.deleted": exampleBlock,
  "conversation.created": exampleConversation("active"),
  "conversation.updated": exampleConversation("waiting"),
  "conversation.resolved": exampleConversation("resolved"),
  "conversation.reopened": exampleConversation("active"),
  "conversation.participant_added": exampleConversation("active"),
  "conversation.participant_removed": exampleConversation("active"),
  "api_key.created": exampleApiKey,
  "api_key.rotated": exampleApiKey,
  "api_key.deleted": { ...exampleApiKey, isActive: false },
  "call.started": exampleCall("ringing"),
  "call.answered": exampleCall("in_progress"),
  "call.ended": exampleCall("completed"),
  "call.failed": exampleCall("failed"),
  "recording.ready": { ...exampleCall("completed"), recordingUrl: "https://example.com/recordings/1815.wav" },
  "transcript.ready": { ...exampleCall("completed"), transcriptUrl: "https://example.com/transcripts/1815.txt" },
  "webhook_endpoint.test": exampleEndpoint("active"),
  "webhook_endpoint.disabled": exampleEndpoint("disabled"),
  "organization.updated": exampleOrganizationData,
  "organization.usage_exceeded": exampleOrganizationData
}

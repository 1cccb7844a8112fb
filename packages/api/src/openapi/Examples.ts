import { analyticsExamples } from "../analytics/AnalyticsExamples.js"
import { apiKeyExamples } from "../apiKeys/ApiKeyExamples.js"
import { attachmentExamples } from "../attachments/AttachmentExamples.js"
import { conversationExamples } from "../conversations/ConversationExamples.js"
import { draftExamples } from "../drafts/DraftExamples.js"
import { blockExamples } from "../email/blocks/BlockExamples.js"
import { domainExamples } from "../email/domains/DomainExamples.js"
import { forwardingExamples } from "../email/forwarding/ForwardingExamples.js"
import { receivingExamples } from "../email/receiving/ReceivingExamples.js"
import { emailRecordExamples } from "../email/records/EmailRecordExamples.js"
import { emailSendExamples } from "../email/send/EmailSendExamples.js"
import { senderExamples } from "../email/senders/SenderExamples.js"
import { emailStatsExamples } from "../email/stats/EmailStatsExamples.js"
import { templateExamples } from "../email/templates/TemplateExamples.js"
import { threadExamples } from "../email/threads/ThreadExamples.js"
import { eventStreamExample } from "../events/EventStreamExample.js"
import { participantExamples } from "../participants/ParticipantExamples.js"
import { voiceAgentExamples } from "../voice/agents/VoiceAgentExamples.js"
import { voiceCallExamples } from "../voice/calls/VoiceCallExamples.js"
import { knowledgeBaseExamples } from "../voice/knowledgeBases/KnowledgeBaseExamples.js"
import { voiceWorkflowExamples } from "../voice/workflows/VoiceWorkflowExamples.js"
import { webhookExamples } from "../webhooks/WebhookExamples.js"
import { serviceWindowExamples } from "../whatsapp/ServiceWindowExamples.js"
import { whatsAppStatsExamples } from "../whatsapp/WhatsAppStatsExamples.js"

const id = "01a1fc1d-e1a0-7029-814e-d493ca640e3c"
const organization = "01a1fc1d-cf8f-76d9-be28-52307925009f"
const sender = "01a1fc1d-e1b3-70c2-a5d2-cede27759200"
const contact = "01a1fc1d-e1b3-70c2-a5d2-d20017eabdaa"
const apiKey = "01a1fc1d-cf9d-766f-8d6a-43d494c1944f"
const at = "2026-11-20T09:30:00.000Z"

/** A send as callers write it. */
export const sendExample = {
  channel: "email",
  to: [{ email: "ada@example.com" }],
  email: { subject: "Your order has shipped", html: "<p>Your order left our house this morning.</p>" },
  idempotencyKey: "order-1815-shipped"
}

/** The message that it becomes. */
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

/** An organization with everything that it may have. */
export const organizationExample = {
  id: organization,
  name: "Analytical Engines",
  slug: "analytical-engines",
  logo: "https://example.com/logo.png",
  defaultCurrency: "EUR",
  countryCode: "DE",
  timezone: "Europe/Berlin",
  billingEmail: "billing@example.com",
  plan: "growth",
  isActive: true,
  metadata: { costCentre: 1815 },
  messagesUsed: 48_213,
  messagesUsedThisMonth: 1_207,
  smsUsed: 0,
  smsUsedThisMonth: 0,
  whatsappUsed: 0,
  whatsappUsedThisMonth: 0,
  emailUsed: 48_213,
  emailUsedThisMonth: 1_207,
  participantsUsed: 8_190,
  conversationsUsed: 0,
  teamMembersUsed: 0,
  messagesResetAt: "2026-12-01T00:00:00.000Z",
  createdAt: at,
  updatedAt: at
}

const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 }

const mail = {
  id: "01a1fc1d-e263-75b0-8c63-b51e27abcdaf",
  messageId: `<${id}@localhost.test>`,
  mailFrom: "hello@localhost.test",
  rcptTo: ["ada@example.com"],
  size: 695,
  receivedAt: at,
  from: "hello@localhost.test",
  to: ["ada@example.com"],
  subject: "Your order has shipped"
}

/** What each operation takes and answers, by its id. */
export const examples: Readonly<Record<string, { readonly request?: unknown; readonly response: unknown }>> = {
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
  "messages.cancel": { response: cancelledExample },
  "organizations.get": { response: organizationExample },
  "organizations.update": {
    request: { timezone: "Europe/Berlin", metadata: { costCentre: 1815 } },
    response: organizationExample
  },
  "sessions.create": {
    request: { apiKey: "sk_sm_0123456789abcdefghijklmnopqrstuvwxyzABCD" },
    response: { csrfToken: "5f0c2b9e71d84a3692bd", expiresAt: "2026-11-20T21:30:00.000Z" }
  },
  "sessions.remove": { response: { success: true } },
  ...apiKeyExamples,
  ...webhookExamples,
  ...blockExamples,
  ...domainExamples,
  ...receivingExamples,
  ...forwardingExamples,
  ...senderExamples,
  ...templateExamples,
  ...emailSendExamples,
  ...conversationExamples,
  ...participantExamples,
  ...threadExamples,
  ...emailRecordExamples,
  ...emailStatsExamples,
  ...analyticsExamples,
  ...whatsAppStatsExamples,
  ...serviceWindowExamples,
  ...voiceAgentExamples,
  ...voiceWorkflowExamples,
  ...voiceCallExamples,
  ...knowledgeBaseExamples,
  ...draftExamples,
  "drafts.send": { request: {}, response: messageExample },
  ...attachmentExamples,
  "events.stream": { response: eventStreamExample },
  "mailbox.list": { response: { items: [mail], pagination } },
  "mailbox.reply": {
    request: { text: "Thank you! When will it be here?" },
    response: {
      messageId: "<01a1fc1f-0b2c-7d51-9a3e-6c1f4be0d2a7@example.com>",
      from: "ada@example.com",
      to: [`r+${id}.5f0c2b9e71d84a3692bd@localhost.test`],
      subject: "Re: Your order has shipped",
      response: "250 OK: message queued"
    }
  },
  "mailbox.get": {
    response: {
      ...mail,
      cc: [],
      headers: [{ name: "subject", value: "Your order has shipped" }],
      text: "Your order left our house this morning.",
      html: "<p>Your order left our house this morning.</p>",
      attachments: [],
      raw: "Subject: Your order has shipped\r\n\r\n…"
    }
  }
}

/** An example of every error, by its tag. */
export const errorExamples: Readonly<Record<string, unknown>> = {
  BadRequestError: { _tag: "BadRequestError", message: "The parameter limit must be a whole number from 1 to 100" },
  ValidationError: {
    _tag: "ValidationError",
    message: "The request body is invalid",
    fields: { "email.subject": ["is required without a template"] }
  },
  ResourceNotFoundError: { _tag: "ResourceNotFoundError", resource: "message", id },
  UnauthorizedError: { _tag: "UnauthorizedError", message: "The API key is missing or invalid" },
  PaymentRequiredError: { _tag: "PaymentRequiredError", resource: "messages", currentUsage: 1000, limit: 1000 },
  ForbiddenError: { _tag: "ForbiddenError", message: "The API key lacks the permission messages.send" },
  ConflictError: {
    _tag: "ConflictError",
    message: "The idempotency key was used before with a different request",
    resource: "message"
  },
  RateLimitedError: { _tag: "RateLimitedError", retryAfterSeconds: 1 },
  PayloadTooLargeError: {
    _tag: "PayloadTooLargeError",
    message: "The body is larger than 36700160 bytes",
    limitBytes: 36_700_160
  },
  ExternalServiceError: {
    _tag: "ExternalServiceError",
    provider: "dns",
    message: "No name server answered for TXT _switchboard.example.com (ESERVFAIL)"
  },
  InternalError: { _tag: "InternalError", message: "An unexpected error. It has been logged with the request's id." },
  ServiceUnavailableError: {
    _tag: "ServiceUnavailableError",
    message: "The database can't be reached",
    retryAfterSeconds: 1
  }
}

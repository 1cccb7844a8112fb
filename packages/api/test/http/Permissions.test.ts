import { operationRules } from "@switchboard/api/OperationRules"
import { assert, it } from "vitest"

/** The operations that each permission allows, by method and path. */
const operationsOf = {
  "messages.read": `GET /v1/messages, GET /v1/messages/:id, GET /v1/messages/:id/timeline, GET /v1/messages/:id/attachments, GET /v1/mailbox, GET /v1/mailbox/:id,
    GET /v1/numbers, GET /v1/sms/opt-outs, GET /v1/handset, GET /v1/handset/:id, GET /resend/emails, GET /resend/emails/:id,
    GET /resend/emails/:id/attachments, GET /resend/emails/:id/attachments/:attachmentId`,
  "messages.send": `POST /v1/messages, POST /v1/messages/batch, POST /v1/messages/:id/cancel, POST /v1/messages/:id/resend,
    POST /v1/mailbox/:id/reply, POST /v1/mailbox/:id/simulate, POST /v1/handset/:id/reply, POST /v1/email/send, POST /v1/drafts/:id/send, POST /resend/emails, POST /resend/emails/batch,
    PATCH /resend/emails/:id, POST /resend/emails/:id/cancel`,
  "messages.delete": `DELETE /v1/messages/:id`,
  "organization.read": `GET /v1/organizations/current`,
  "organization.write": `PATCH /v1/organizations/current`,
  "apiKeys.read": `GET /v1/api-keys, GET /v1/api-keys/:id, GET /v1/api-keys/:id/activity, GET /v1/api-keys/:id/stats, GET /resend/api-keys`,
  "apiKeys.write": `POST /v1/api-keys, PATCH /v1/api-keys/:id, DELETE /v1/api-keys/:id, POST /v1/api-keys/:id/rotate,
    POST /resend/api-keys, PATCH /resend/api-keys/:id, DELETE /resend/api-keys/:id`,
  "users.read": `GET /v1/users, GET /v1/users/invitations, GET /v1/users/:id`,
  "users.write": `POST /v1/users/invitations, DELETE /v1/users/invitations/:id, PATCH /v1/users/:id, DELETE /v1/users/:id, DELETE /v1/users/:id/totp`,
  "webhooks.read": `GET /v1/webhook-endpoints, GET /v1/webhook-endpoints/:id, GET /v1/webhook-endpoints/:id/logs,
    GET /v1/webhook-endpoints/:id/deliveries/:deliveryId, GET /v1/webhook-endpoints/:id/stats, GET /v1/events,
    GET /resend/webhooks, GET /resend/webhooks/:id`,
  "webhooks.write": `POST /v1/webhook-endpoints, PATCH /v1/webhook-endpoints/:id, DELETE /v1/webhook-endpoints/:id,
    POST /v1/webhook-endpoints/:webhookId/regenerate-secret, POST /v1/webhook-endpoints/:id/test,
    POST /v1/webhook-endpoints/:id/deliveries/:deliveryId/retry, POST /v1/webhook-endpoints/:id/recover,
    POST /resend/webhooks, PATCH /resend/webhooks/:id, DELETE /resend/webhooks/:id, POST /resend/webhooks/:id/signing-secret/rotate`,
  "email.read": `GET /v1/email/blocks, GET /v1/email/blocks/check, GET /v1/email/blocks/logs, GET /v1/email/blocks/export,
    GET /v1/email/catch-all/config, GET /v1/email/catch-all/stats, GET /v1/email/forwarding/rules,
    GET /v1/email/forwarding/log, GET /v1/email/threads/counts, GET /v1/email/threads,
    GET /v1/email/threads/by-message/:messageId, GET /v1/email/threads/:id, GET /v1/email/threads/:id/metadata,
    GET /v1/email/threads/:id/messages, GET /v1/email/:id, GET /v1/email/:id/raw, GET /v1/email/:id/html,
    GET /v1/email/stats, GET /resend/emails/receiving, GET /resend/emails/receiving/:id,
    GET /resend/emails/receiving/:id/attachments, GET /resend/emails/receiving/:id/attachments/:attachmentId`,
  "email.write": `POST /v1/email/blocks, POST /v1/email/blocks/import, PATCH /v1/email/blocks/:id,
    DELETE /v1/email/blocks/:id, POST /v1/email/catch-all/enable, POST /v1/email/catch-all/disable,
    PATCH /v1/email/catch-all/config, POST /v1/email/forwarding/rules, PATCH /v1/email/forwarding/rules/:id,
    DELETE /v1/email/forwarding/rules/:id, POST /v1/email/threads/:id/read,
    POST /v1/sms/opt-outs, DELETE /v1/sms/opt-outs/:id`,
  "domains.read": `GET /v1/email/domains, POST /v1/email/domains/check-verification, GET /v1/email/domains/detect-registrar,
    GET /v1/email/domains/:id, GET /v1/email/domains/:id/reports, GET /v1/email/domains/:id/status, GET /v1/email/senders,
    GET /v1/email/senders/:id/verification, GET /resend/domains, GET /resend/domains/:id`,
  "domains.write": `POST /v1/email/domains, POST /v1/email/domains/verify, PATCH /v1/email/domains/:id,
    DELETE /v1/email/domains/:id, POST /v1/email/domains/:id/rotate-dkim, POST /v1/email/domains/:id/pause,
    POST /v1/email/domains/:id/resume, POST /v1/email/domains/enable-receiving, POST /v1/email/senders,
    DELETE /v1/email/senders/:id, POST /resend/domains, POST /resend/domains/:id/verify, PATCH /resend/domains/:id,
    DELETE /resend/domains/:id`,
  "templates.read": `GET /v1/email/templates, GET /v1/email/templates/:id, GET /v1/email/templates/:id/versions,
    POST /v1/email/templates/:id/render, GET /v1/email/templates/:id/html, GET /resend/templates, GET /resend/templates/:id`,
  "templates.write": `POST /v1/email/templates, PATCH /v1/email/templates/:id, DELETE /v1/email/templates/:id,
    POST /resend/templates, PATCH /resend/templates/:id, DELETE /resend/templates/:id, POST /resend/templates/:id/publish,
    POST /resend/templates/:id/duplicate`,
  "conversations.read": `GET /v1/conversations, GET /v1/conversations/:id`,
  "conversations.write": `POST /v1/conversations, PATCH /v1/conversations/:id, POST /v1/conversations/:id/participants,
    DELETE /v1/conversations/:id/participants`,
  "participants.read": `GET /v1/participants, GET /v1/participants/:id`,
  "participants.write": `POST /v1/participants, PATCH /v1/participants/:id, DELETE /v1/participants/:id`,
  "voice.read": `GET /v1/voice/agents, GET /v1/voice/agents/:id, GET /v1/voice/workflows, GET /v1/voice/workflows/:id,
    GET /v1/voice/calls, GET /v1/voice/calls/:id, GET /v1/voice/calls/:id/transcript,
    GET /v1/voice/knowledge-bases, GET /v1/voice/knowledge-bases/:id,
    GET /v1/voice/knowledge-bases/:id/documents`,
  "voice.write": `POST /v1/voice/agents, PATCH /v1/voice/agents/:id, DELETE /v1/voice/agents/:id,
    POST /v1/voice/agents/:id/duplicate, POST /v1/voice/workflows, PATCH /v1/voice/workflows/:id,
    DELETE /v1/voice/workflows/:id, POST /v1/voice/workflows/:id/publish,
    POST /v1/voice/workflows/:workflowId/link/:agentId, POST /v1/voice/calls, POST /v1/voice/calls/simulate, POST /v1/voice/calls/:id/hangup,
    POST /v1/voice/calls/:id/recording/start, POST /v1/voice/calls/:id/recording/stop,
    POST /v1/voice/knowledge-bases, DELETE /v1/voice/knowledge-bases/:id,
    POST /v1/voice/knowledge-bases/:knowledgeBaseId/upload-url`,
  "analytics.read": `GET /v1/analytics/stats, GET /v1/analytics/channel-stats, GET /v1/analytics/delivery-metrics,
    GET /v1/analytics/hourly-distribution, GET /v1/analytics/top-participants,
    GET /v1/analytics/geographic-distribution, GET /v1/analytics/failures, GET /v1/analytics/export`,
  "audit.read": `GET /v1/audit, GET /v1/audit/export`,
  "whatsapp.read": `GET /v1/whatsapp/stats, GET /v1/whatsapp/service-windows, GET /v1/whatsapp/service-windows/:id`,
  "whatsapp.write": `POST /v1/whatsapp/service-windows, POST /v1/whatsapp/service-window/activate-fep`,
  "drafts.read": `GET /v1/drafts, GET /v1/drafts/:id, GET /v1/attachments/:id`,
  "drafts.write": `POST /v1/drafts, PATCH /v1/drafts/:id, DELETE /v1/drafts/:id, POST /v1/attachments`,
  "system.read": `GET /v1/system`
}

it("Every operation that takes an API key requires the permission of the table", () => {
  const required = [...operationRules].flatMap(([operation, { credentials, permission }]) =>
    credentials.includes("apiKey") ? [[operation, permission] as [string, string | null]] : []
  )
  const expected = Object.entries(operationsOf).flatMap(([permission, found]) =>
    found.split(/,\s+/).map((operation): [string, string | null] => [operation, permission])
  )
  assert.deepStrictEqual(new Map(required), new Map(expected))
})

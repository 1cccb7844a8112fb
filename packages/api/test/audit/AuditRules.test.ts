import { auditReasons } from "@switchboard/api/Annotations"
import { Api } from "@switchboard/api/Api"
import { operationRules, ruleOf } from "@switchboard/api/OperationRules"
import { ResendApi } from "@switchboard/api/resend/ResendApi"
import { auditResources } from "@switchboard/domain/audit/AuditEntry"
import { expect, it } from "vitest"

/** The rule of each operation that can change something, so that a rule is chosen for each new operation. */
it("Every operation that can change something has a rule for the audit log", () => {
  const rules = [...operationRules].flatMap(([operation, { audit, credentials }]) => {
    if (operation.startsWith("GET ")) return []
    if (audit === null) return [`${operation}: ${credentials.length === 0 ? "public" : "no rule"}`]
    if ("unaudited" in audit) return [`${operation}: none. ${audit.unaudited}`]
    if ("withoutValues" in audit) return [`${operation}: without values. ${audit.withoutValues}`]
    const { path = "", resourceId = "" } = audit
    return [`${operation}: ${[audit.values, path, resourceId].filter((part) => part !== "").join(" ")}`]
  })
  expect(rules.toSorted().join("\n")).toMatchInlineSnapshot(`
    "DELETE /resend/api-keys/:id: resource /v1/api-keys/:id
    DELETE /resend/domains/:id: resource /v1/email/domains/:id
    DELETE /resend/templates/:id: resource
    DELETE /resend/webhooks/:id: resource /v1/webhook-endpoints/:id
    DELETE /v1/api-keys/:id: resource
    DELETE /v1/conversations/:id/participants: resource
    DELETE /v1/drafts/:id: without values. Deleted or erased content must not stay in the log.
    DELETE /v1/email/blocks/:id: resource
    DELETE /v1/email/domains/:id: resource
    DELETE /v1/email/forwarding/rules/:id: resource
    DELETE /v1/email/senders/:id: resource
    DELETE /v1/email/templates/:id: resource
    DELETE /v1/messages/:id: without values. Deleted or erased content must not stay in the log.
    DELETE /v1/participants/:id: without values. Deleted or erased content must not stay in the log.
    DELETE /v1/session: none. Its handler records it: the request has no key.
    DELETE /v1/sms/opt-outs/:id: resource
    DELETE /v1/users/:id/totp: resource
    DELETE /v1/users/:id: resource
    DELETE /v1/users/invitations/:id: resource
    DELETE /v1/voice/agents/:id: resource
    DELETE /v1/voice/knowledge-bases/:id: resource
    DELETE /v1/voice/workflows/:id: resource
    DELETE /v1/webhook-endpoints/:id: resource
    PATCH /resend/api-keys/:id: resource /v1/api-keys/:id
    PATCH /resend/domains/:id: resource /v1/email/domains/:id
    PATCH /resend/emails/:id: without values. The message has a history of its own.
    PATCH /resend/templates/:id: resource
    PATCH /resend/webhooks/:id: resource /v1/webhook-endpoints/:id
    PATCH /v1/api-keys/:id: resource
    PATCH /v1/conversations/:id: resource
    PATCH /v1/drafts/:id: without values. Deleted or erased content must not stay in the log.
    PATCH /v1/email/blocks/:id: resource
    PATCH /v1/email/catch-all/config: resource /v1/email/catch-all/config domain
    PATCH /v1/email/domains/:id: resource
    PATCH /v1/email/forwarding/rules/:id: resource
    PATCH /v1/email/templates/:id: resource
    PATCH /v1/organizations/current: resource
    PATCH /v1/participants/:id: without values. Deleted or erased content must not stay in the log.
    PATCH /v1/users/:id: resource
    PATCH /v1/voice/agents/:id: resource
    PATCH /v1/voice/workflows/:id: resource
    PATCH /v1/webhook-endpoints/:id: resource
    POST /resend/api-keys: resource /v1/api-keys/:id
    POST /resend/domains/:id/verify: resource /v1/email/domains/:id
    POST /resend/domains: resource /v1/email/domains/:id
    POST /resend/emails/:id/cancel: without values. The message has a history of its own.
    POST /resend/emails/batch: none. The message has a record of its own, with its key.
    POST /resend/emails: none. The message has a record of its own, with its key.
    POST /resend/templates/:id/duplicate: response
    POST /resend/templates/:id/publish: none. It changes nothing.
    POST /resend/templates: resource /v1/email/templates/:id
    POST /resend/webhooks/:id/signing-secret/rotate: resource /v1/webhook-endpoints/:id
    POST /resend/webhooks: resource /v1/webhook-endpoints/:id
    POST /v1/api-keys/:id/rotate: resource
    POST /v1/api-keys: resource
    POST /v1/attachments: none. The file is deleted unless a message or a draft refers to it.
    POST /v1/conversations/:id/participants: resource
    POST /v1/conversations: resource
    POST /v1/drafts/:id/send: none. The message has a record of its own, with its key.
    POST /v1/drafts: without values. Deleted or erased content must not stay in the log.
    POST /v1/email/blocks/import: response
    POST /v1/email/blocks: resource /v1/email/blocks/:id
    POST /v1/email/catch-all/disable: resource /v1/email/catch-all/config domain
    POST /v1/email/catch-all/enable: resource /v1/email/catch-all/config domain
    POST /v1/email/domains/:id/pause: resource
    POST /v1/email/domains/:id/resume: resource
    POST /v1/email/domains/:id/rotate-dkim: resource
    POST /v1/email/domains/check-verification: none. It changes nothing.
    POST /v1/email/domains/enable-receiving: response domain
    POST /v1/email/domains/verify: response domain
    POST /v1/email/domains: resource
    POST /v1/email/forwarding/rules: resource /v1/email/forwarding/rules/:id
    POST /v1/email/send: none. The message has a record of its own, with its key.
    POST /v1/email/senders/confirm: public
    POST /v1/email/senders: resource /v1/email/senders/:id
    POST /v1/email/templates/:id/render: none. It changes nothing.
    POST /v1/email/templates: resource
    POST /v1/email/threads/:id/read: none. It marks messages as read.
    POST /v1/handset/:id/reply: none. It simulates a recipient.
    POST /v1/mailbox/:id/reply: none. It simulates a recipient.
    POST /v1/mailbox/:id/simulate: none. It simulates a recipient.
    POST /v1/messages/:id/cancel: without values. The message has a history of its own.
    POST /v1/messages/:id/resend: none. The message has a record of its own, with its key.
    POST /v1/messages/batch: none. The message has a record of its own, with its key.
    POST /v1/messages: none. The message has a record of its own, with its key.
    POST /v1/participants: without values. Deleted or erased content must not stay in the log.
    POST /v1/providers/twilio: public
    POST /v1/providers/whatsapp: public
    POST /v1/session/password: none. Its handler records it: the request has no key.
    POST /v1/session/totp/confirm: none. Its handler records it: the request has no key.
    POST /v1/session/totp/remove: none. Its handler records it: the request has no key.
    POST /v1/session/totp: none. It has no effect before its confirmation.
    POST /v1/session: public
    POST /v1/sms/opt-outs: resource /v1/sms/opt-outs/:id
    POST /v1/users/invitations/accept: public
    POST /v1/users/invitations: resource /v1/users/invitations/:id
    POST /v1/users/password-resets/confirm: public
    POST /v1/users/password-resets: public
    POST /v1/voice/agents/:id/duplicate: resource
    POST /v1/voice/agents: resource
    POST /v1/voice/calls/:id/hangup: without values. The call has a history of its own.
    POST /v1/voice/calls/:id/recording/start: without values. The call has a history of its own.
    POST /v1/voice/calls/:id/recording/stop: without values. The call has a history of its own.
    POST /v1/voice/calls/simulate: none. It simulates a recipient.
    POST /v1/voice/calls: none. The call has a record of its own, with its key.
    POST /v1/voice/knowledge-bases/:knowledgeBaseId/upload-url: without values. The response has a link that needs no key.
    POST /v1/voice/knowledge-bases: resource
    POST /v1/voice/workflows/:id/publish: resource
    POST /v1/voice/workflows/:workflowId/link/:agentId: resource /v1/voice/agents/:agentId
    POST /v1/voice/workflows: resource
    POST /v1/webhook-endpoints/:id/deliveries/:deliveryId/retry: without values. The delivery has a record of each attempt.
    POST /v1/webhook-endpoints/:id/recover: without values. The deliveries have a record of each attempt.
    POST /v1/webhook-endpoints/:id/test: none. It changes nothing.
    POST /v1/webhook-endpoints/:webhookId/regenerate-secret: resource
    POST /v1/webhook-endpoints: resource
    POST /v1/whatsapp/service-window/activate-fep: resource /v1/whatsapp/service-windows/:serviceWindowId
    POST /v1/whatsapp/service-windows: resource"
  `)
})

it("The resources of entries are the groups of the operations that are recorded", () => {
  const groups = [...Object.values(Api.groups), ...Object.values(ResendApi.groups)].filter((group) =>
    Object.values(group.endpoints).some((endpoint) => {
      const audit = ruleOf(endpoint)?.audit ?? null
      return audit !== null && !("unaudited" in audit && audit.unaudited !== auditReasons.session)
    })
  )
  expect(auditResources).toEqual([...new Set(groups.map(({ identifier }) => identifier))].toSorted())
})

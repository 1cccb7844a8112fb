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
import { mailboxExamples } from "../mailbox/MailboxExamples.js"
import { messageExamples } from "../messages/MessageExamples.js"
import { organizationExamples } from "../organizations/OrganizationExamples.js"
import { participantExamples } from "../participants/ParticipantExamples.js"
import { sessionExamples } from "../sessions/SessionExamples.js"
import { systemExamples } from "../system/SystemExamples.js"
import { voiceAgentExamples } from "../voice/agents/VoiceAgentExamples.js"
import { voiceCallExamples } from "../voice/calls/VoiceCallExamples.js"
import { knowledgeBaseExamples } from "../voice/knowledgeBases/KnowledgeBaseExamples.js"
import { voiceWorkflowExamples } from "../voice/workflows/VoiceWorkflowExamples.js"
import { webhookExamples } from "../webhooks/WebhookExamples.js"
import { serviceWindowExamples } from "../whatsapp/ServiceWindowExamples.js"
import { whatsAppStatsExamples } from "../whatsapp/WhatsAppStatsExamples.js"

/** Examples of an operation: request, response, errors by tag, and other media types of the response. */
export interface Example {
  readonly request?: unknown
  readonly response?: unknown
  readonly errors?: Readonly<Record<string, unknown>>
  readonly otherContents?: object
}

/** Examples by operation id. */
export type Examples = Readonly<Record<string, Example>>

/** Examples of the operations of the API. The declaration has none: clients import it. */
export const operationExamples: Examples = {
  ...analyticsExamples,
  ...apiKeyExamples,
  ...attachmentExamples,
  ...blockExamples,
  ...conversationExamples,
  ...domainExamples,
  ...draftExamples,
  ...emailRecordExamples,
  ...emailSendExamples,
  ...emailStatsExamples,
  ...forwardingExamples,
  ...knowledgeBaseExamples,
  ...mailboxExamples,
  ...messageExamples,
  ...organizationExamples,
  ...participantExamples,
  ...receivingExamples,
  ...senderExamples,
  ...serviceWindowExamples,
  ...sessionExamples,
  ...systemExamples,
  ...templateExamples,
  ...threadExamples,
  ...voiceAgentExamples,
  ...voiceCallExamples,
  ...voiceWorkflowExamples,
  ...webhookExamples,
  ...whatsAppStatsExamples,
  "events.stream": { response: eventStreamExample }
}

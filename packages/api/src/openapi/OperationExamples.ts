import { auditExamples } from "../audit/AuditExamples.js"
import { blockExamples } from "../email/blocks/BlockExamples.js"
import { providerExamples } from "../providers/ProviderExamples.js"
import { smsExamples } from "../sms/SmsExamples.js"
import {
  apiKeyExamples,
  organizationExamples,
  sessionExamples,
  systemExamples,
  userExamples
} from "./examples/AccountExamples.js"
import { analyticsExamples, emailStatsExamples, whatsAppStatsExamples } from "./examples/AnalyticsExamples.js"
import { conversationExamples, participantExamples, serviceWindowExamples } from "./examples/ConversationExamples.js"
import { domainExamples, senderExamples } from "./examples/EmailExamples.js"
import { handsetExamples } from "./examples/HandsetExamples.js"
import { mailboxExamples, receivingExamples, threadExamples } from "./examples/InboundExamples.js"
import {
  emailRecordExamples,
  emailSendExamples,
  forwardingExamples,
  templateExamples
} from "./examples/MailExamples.js"
import { attachmentExamples, draftExamples, eventStreamExample, messageExamples } from "./examples/MessageExamples.js"
import {
  knowledgeBaseExamples,
  voiceAgentExamples,
  voiceCallExamples,
  voiceWorkflowExamples
} from "./examples/VoiceExamples.js"
import { webhookExamples } from "./examples/WebhookExamples.js"

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
  ...auditExamples,
  ...blockExamples,
  ...conversationExamples,
  ...domainExamples,
  ...draftExamples,
  ...emailRecordExamples,
  ...emailSendExamples,
  ...emailStatsExamples,
  ...forwardingExamples,
  ...handsetExamples,
  ...knowledgeBaseExamples,
  ...mailboxExamples,
  ...messageExamples,
  ...organizationExamples,
  ...participantExamples,
  ...providerExamples,
  ...receivingExamples,
  ...senderExamples,
  ...serviceWindowExamples,
  ...sessionExamples,
  ...smsExamples,
  ...systemExamples,
  ...templateExamples,
  ...threadExamples,
  ...userExamples,
  ...voiceAgentExamples,
  ...voiceCallExamples,
  ...voiceWorkflowExamples,
  ...webhookExamples,
  ...whatsAppStatsExamples,
  "events.stream": { response: eventStreamExample }
}

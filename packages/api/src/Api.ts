import { HttpApi, OpenApi } from "@effect/platform"
import { BadRequestError, InternalError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import { AnalyticsApi } from "./analytics/AnalyticsApi.js"
import { ApiKeysApi } from "./apiKeys/ApiKeysApi.js"
import { AttachmentsApi } from "./attachments/AttachmentsApi.js"
import { AuditApi } from "./audit/AuditApi.js"
import { ConversationsApi } from "./conversations/ConversationsApi.js"
import { DraftsApi } from "./drafts/DraftsApi.js"
import { BlocksApi } from "./email/blocks/BlocksApi.js"
import { DomainsApi } from "./email/domains/DomainsApi.js"
import { ForwardingApi } from "./email/forwarding/ForwardingApi.js"
import { CatchAllApi, ReceivingApi } from "./email/receiving/ReceivingApi.js"
import { EmailRecordsApi, EmailStatsApi } from "./email/records/EmailRecordsApi.js"
import { EmailSendApi } from "./email/send/EmailSendApi.js"
import { SenderConfirmationsApi, SendersApi } from "./email/senders/SendersApi.js"
import { TemplatesApi } from "./email/templates/TemplatesApi.js"
import { ThreadsApi } from "./email/threads/ThreadsApi.js"
import { EventsApi } from "./events/EventsApi.js"
import { HandsetApi } from "./handset/HandsetApi.js"
import { MailboxApi } from "./mailbox/MailboxApi.js"
import { MessagesApi } from "./messages/MessagesApi.js"
import { OrganizationsApi } from "./organizations/OrganizationsApi.js"
import { ParticipantsApi } from "./participants/ParticipantsApi.js"
import { ProvidersApi } from "./providers/ProvidersApi.js"
import { SessionsApi } from "./sessions/SessionsApi.js"
import { NumbersApi, OptOutsApi } from "./sms/SmsApi.js"
import { SystemApi } from "./system/SystemApi.js"
import { UsersApi } from "./users/UsersApi.js"
import { VoiceAgentsApi } from "./voice/agents/VoiceAgentsApi.js"
import { VoiceCallsApi } from "./voice/calls/VoiceCallsApi.js"
import { KnowledgeBasesApi } from "./voice/knowledgeBases/KnowledgeBasesApi.js"
import { VoiceWorkflowsApi } from "./voice/workflows/VoiceWorkflowsApi.js"
import { WebhookEndpointsApi } from "./webhooks/WebhookEndpointsApi.js"
import { ServiceWindowsApi, WhatsAppStatsApi } from "./whatsapp/WhatsAppApi.js"

/** The HTTP interface: implemented by the server, described by the OpenAPI document, called by the client. */
export class Api extends HttpApi.make("switchboard")
  .add(MessagesApi)
  .add(MailboxApi)
  .add(HandsetApi)
  .add(OrganizationsApi)
  .add(SessionsApi)
  .add(UsersApi)
  .add(ApiKeysApi)
  .add(WebhookEndpointsApi)
  .add(BlocksApi)
  .add(DomainsApi)
  .add(ReceivingApi)
  .add(CatchAllApi)
  .add(ForwardingApi)
  .add(SendersApi)
  .add(SenderConfirmationsApi)
  .add(TemplatesApi)
  .add(EmailSendApi)
  .add(ThreadsApi)
  .add(EmailRecordsApi)
  .add(EmailStatsApi)
  .add(ConversationsApi)
  .add(ParticipantsApi)
  .add(VoiceAgentsApi)
  .add(VoiceWorkflowsApi)
  .add(VoiceCallsApi)
  .add(KnowledgeBasesApi)
  .add(AnalyticsApi)
  .add(NumbersApi)
  .add(OptOutsApi)
  .add(ProvidersApi)
  .add(WhatsAppStatsApi)
  .add(ServiceWindowsApi)
  .add(DraftsApi)
  .add(AttachmentsApi)
  .add(EventsApi)
  .add(AuditApi)
  .add(SystemApi)
  .addError(BadRequestError)
  .addError(InternalError)
  .addError(ServiceUnavailableError)
  .prefix("/v1")
  .annotate(OpenApi.Title, "Switchboard")
  .annotate(OpenApi.Version, "1.0.0")
  .annotate(
    OpenApi.Description,
    "Sends messages and tracks each from `pending` to `delivered`. Every error is a flat JSON object; `_tag` is its name."
  ) {}

import { AnalyticsStats } from "@switchboard/domain/analytics/AnalyticsStats"
import { DeliveryMetrics } from "@switchboard/domain/analytics/DeliveryMetrics"
import { Export } from "@switchboard/domain/analytics/Export"
import { HourlyDistribution } from "@switchboard/domain/analytics/HourlyDistribution"
import { ApiKey } from "@switchboard/domain/apiKeys/ApiKey"
import { ApiKeyStats } from "@switchboard/domain/apiKeys/ApiKeyActivity"
import { CreateApiKey, RotateApiKey, UpdateApiKey } from "@switchboard/domain/apiKeys/ApiKeyRequests"
import { UploadAttachment, UploadedAttachment } from "@switchboard/domain/attachments/UploadedAttachment"
import { Conversation } from "@switchboard/domain/conversations/Conversation"
import {
  AddParticipants,
  CreateConversation,
  RemoveParticipants,
  UpdateConversation
} from "@switchboard/domain/conversations/ConversationRequests"
import { Draft } from "@switchboard/domain/drafts/Draft"
import { CreateDraft, UpdateDraft } from "@switchboard/domain/drafts/DraftRequests"
import { ApiError } from "@switchboard/domain/Errors"
import { Block } from "@switchboard/domain/email/blocks/Block"
import { BlockImport } from "@switchboard/domain/email/blocks/BlockImport"
import { BlockCheck } from "@switchboard/domain/email/blocks/BlockLog"
import { CreateBlock, UpdateBlock } from "@switchboard/domain/email/blocks/BlockRequests"
import { DetectedRegistrar } from "@switchboard/domain/email/domains/DnsProviders"
import { DomainReport, DomainVerified } from "@switchboard/domain/email/domains/DomainReport"
import { CreateEmailDomain, NamedEmailDomain } from "@switchboard/domain/email/domains/DomainRequests"
import { EmailDomain } from "@switchboard/domain/email/domains/EmailDomain"
import { ForwardingRule } from "@switchboard/domain/email/forwarding/ForwardingRule"
import { CreateForwardingRule, UpdateForwardingRule } from "@switchboard/domain/email/forwarding/ForwardingRuleRequests"
import {
  CatchAllConfig,
  CatchAllStats,
  SwitchCatchAll,
  UpdateCatchAll
} from "@switchboard/domain/email/receiving/CatchAll"
import { EnableReceiving, ReceivingEnabled } from "@switchboard/domain/email/receiving/EnableReceiving"
import { EmailRecord } from "@switchboard/domain/email/records/EmailRecord"
import { EmailSendRequest } from "@switchboard/domain/email/send/EmailSendRequest"
import { EmailSender } from "@switchboard/domain/email/senders/EmailSender"
import { CreateEmailSender } from "@switchboard/domain/email/senders/SenderRequests"
import { SenderStanding } from "@switchboard/domain/email/senders/SenderStanding"
import { EmailStats } from "@switchboard/domain/email/stats/EmailStats"
import { Template } from "@switchboard/domain/email/templates/Template"
import {
  CreateTemplate,
  RenderedTemplate,
  RenderTemplate,
  UpdateTemplate
} from "@switchboard/domain/email/templates/TemplateRequests"
import { Thread, ThreadCounts, ThreadMetadata } from "@switchboard/domain/email/threads/Thread"
import { MailboxMail } from "@switchboard/domain/mailbox/MailboxMail"
import { MailboxAnswer, MailboxReply } from "@switchboard/domain/mailbox/MailboxReply"
import { Message, MessageTimeline } from "@switchboard/domain/messages/Message"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { Organization } from "@switchboard/domain/organizations/Organization"
import { UpdateOrganization } from "@switchboard/domain/organizations/UpdateOrganization"
import { Participant } from "@switchboard/domain/participants/Participant"
import { CreateParticipant, UpdateParticipant } from "@switchboard/domain/participants/ParticipantRequests"
import { CreateSession, Session } from "@switchboard/domain/sessions/Session"
import { VoiceAgent } from "@switchboard/domain/voice/agents/VoiceAgent"
import {
  CreateVoiceAgent,
  DuplicateVoiceAgent,
  UpdateVoiceAgent
} from "@switchboard/domain/voice/agents/VoiceAgentRequests"
import { CallTranscript } from "@switchboard/domain/voice/calls/CallTranscript"
import { PlaceVoiceCall } from "@switchboard/domain/voice/calls/VoiceCallRequests"
import { KnowledgeBase } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import {
  CreateKnowledgeBase,
  RequestUpload,
  UploadTarget
} from "@switchboard/domain/voice/knowledgeBases/KnowledgeBaseRequests"
import { VoiceCall } from "@switchboard/domain/voice/VoiceCall"
import { VoiceWorkflow } from "@switchboard/domain/voice/workflows/VoiceWorkflow"
import { CreateVoiceWorkflow, UpdateVoiceWorkflow } from "@switchboard/domain/voice/workflows/VoiceWorkflowRequests"
import {
  RecoveredWebhook,
  RecoverWebhook,
  RegeneratedSecret,
  TestWebhook
} from "@switchboard/domain/webhooks/WebhookActions"
import { WebhookDelivery, WebhookEndpoint, WebhookStats } from "@switchboard/domain/webhooks/WebhookEndpoint"
import {
  CreateWebhookEndpoint,
  RegenerateSecret,
  UpdateWebhookEndpoint
} from "@switchboard/domain/webhooks/WebhookRequests"
import { ParticipantServiceWindow, ServiceWindow } from "@switchboard/domain/whatsapp/ServiceWindow"
import { WhatsAppStats } from "@switchboard/domain/whatsapp/WhatsAppStats"
import { Context, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { type Example, Examples } from "../src/Annotations.js"
import { Api } from "../src/Api.js"
import { AllChannelStats, GeographicDistribution, TopParticipants } from "../src/analytics/AnalyticsApi.js"
import { ApiKeyActivityPage, ApiKeyPage } from "../src/apiKeys/ApiKeysApi.js"
import { ConversationPage } from "../src/conversations/ConversationsApi.js"
import { DraftPage } from "../src/drafts/DraftsApi.js"
import { BlockLogPage, BlockPage } from "../src/email/blocks/BlocksApi.js"
import { EmailDomainPage } from "../src/email/domains/DomainsApi.js"
import { ForwardingLogPage, ForwardingRulePage } from "../src/email/forwarding/ForwardingApi.js"
import { EmailSent } from "../src/email/send/EmailSendApi.js"
import { EmailSenderPage } from "../src/email/senders/SendersApi.js"
import { TemplatePage } from "../src/email/templates/TemplatesApi.js"
import { ThreadMessagePage, ThreadPage } from "../src/email/threads/ThreadsApi.js"
import { EventStreamText } from "../src/events/EventsApi.js"
import { MailboxPage } from "../src/mailbox/MailboxApi.js"
import { BatchRequest, BatchResult, MessagePage } from "../src/messages/MessagesApi.js"
import { operationRules } from "../src/OperationRules.js"
import { makeDocument } from "../src/openapi/Document.js"
import { errorExamples } from "../src/openapi/ErrorExamples.js"
import { ParticipantPage } from "../src/participants/ParticipantsApi.js"
import { VoiceAgentPage } from "../src/voice/agents/VoiceAgentsApi.js"
import { CallTold, VoiceCallPage } from "../src/voice/calls/VoiceCallsApi.js"
import { KnowledgeBasePage, KnowledgeDocumentPage } from "../src/voice/knowledgeBases/KnowledgeBasesApi.js"
import { VoiceWorkflowPage } from "../src/voice/workflows/VoiceWorkflowsApi.js"
import { Removed } from "../src/Wire.js"
import { WebhookDeliveryPage, WebhookEndpointPage } from "../src/webhooks/WebhookEndpointsApi.js"
import { ServiceWindowPage } from "../src/whatsapp/ServiceWindowsApi.js"

const text = JSON.stringify(makeDocument())

const examples: Readonly<Record<string, Example>> = Object.fromEntries(
  Object.values(Api.groups).flatMap(({ annotations }) => Object.entries(Context.unsafeGet(annotations, Examples)))
)

interface Operation {
  readonly operationId: string
  readonly security: ReadonlyArray<object>
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }>
  >
}

const operations: ReadonlyArray<Operation> = Object.values<Record<string, Operation>>(JSON.parse(text).paths).flatMap(
  (methods) => Object.values(methods)
)

const strict = <A, I>(schema: Schema.Schema<A, I>) => Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })

describe("The OpenAPI document", () => {
  it("is of version 1.0.0 and resolves every reference", () => {
    const parsed = JSON.parse(text)
    assert.strictEqual(parsed.info.version, "1.0.0")
    const names = new Set(Object.keys(parsed.components.schemas))
    const missing = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].filter(([, name = ""]) => !names.has(name))
    assert.deepStrictEqual(missing, [])
    assert.notInclude(text, "HttpApiDecodeError")
  })

  it("asks a permission of every operation that takes a key", () => {
    assert.deepStrictEqual(
      [...operationRules].filter(
        ([, { credentials, permission }]) => credentials.includes("apiKey") && permission === null
      ),
      []
    )
  })

  it("shows an example of every answer, and each error with its own status", () => {
    const described = operations.filter(({ operationId }) => operationId in examples)
    assert.strictEqual(described.length, operationRules.size)
    for (const { operationId, responses, security } of described) {
      const statuses = security.some((scheme) => "apiKey" in scheme) ? ["401", "403", "429"] : []
      for (const status of [...statuses, "400", "500", "503"]) assert.property(responses, status, operationId)
      for (const [status, { content }] of Object.entries(responses)) {
        const [described, ...others] = Object.values(content)
        assert.isDefined(described?.example, `${operationId} ${status}`)
        const forms = operationId === "analytics.export" && status === "200" ? 3 : 1
        assert.lengthOf([described, ...others], forms)
        for (const { example } of others) assert.isString(example)
      }
    }
  })

  it("shows examples that are what they are examples of", () => {
    const answers: Record<string, (value: unknown) => unknown> = {
      "messages.list": strict(MessagePage),
      "messages.send": strict(Message),
      "messages.batch": strict(BatchResult),
      "messages.get": strict(Message),
      "messages.remove": strict(Removed),
      "messages.timeline": strict(MessageTimeline),
      "messages.cancel": strict(Message),
      "organizations.get": strict(Organization),
      "organizations.update": strict(Organization),
      "sessions.create": strict(Session),
      "sessions.remove": strict(Removed),
      "apiKeys.list": strict(ApiKeyPage),
      "apiKeys.create": strict(ApiKey),
      "apiKeys.get": strict(ApiKey),
      "apiKeys.update": strict(ApiKey),
      "apiKeys.remove": strict(Removed),
      "apiKeys.rotate": strict(ApiKey),
      "apiKeys.activity": strict(ApiKeyActivityPage),
      "apiKeys.stats": strict(ApiKeyStats),
      "webhookEndpoints.list": strict(WebhookEndpointPage),
      "webhookEndpoints.create": strict(WebhookEndpoint),
      "webhookEndpoints.get": strict(WebhookEndpoint),
      "webhookEndpoints.update": strict(WebhookEndpoint),
      "webhookEndpoints.remove": strict(Removed),
      "webhookEndpoints.regenerateSecret": strict(RegeneratedSecret),
      "webhookEndpoints.logs": strict(WebhookDeliveryPage),
      "webhookEndpoints.stats": strict(WebhookStats),
      "webhookEndpoints.test": strict(WebhookDelivery),
      "webhookEndpoints.retry": strict(WebhookDelivery),
      "webhookEndpoints.recover": strict(RecoveredWebhook),
      "blocks.list": strict(BlockPage),
      "blocks.create": strict(Block),
      "blocks.check": strict(BlockCheck),
      "blocks.import": strict(BlockImport),
      "blocks.export": strict(Schema.String),
      "blocks.logs": strict(BlockLogPage),
      "blocks.update": strict(Block),
      "blocks.remove": strict(Removed),
      "domains.list": strict(EmailDomainPage),
      "domains.create": strict(EmailDomain),
      "domains.verify": strict(DomainVerified),
      "domains.checkVerification": strict(DomainReport),
      "domains.detectRegistrar": strict(DetectedRegistrar),
      "domains.get": strict(EmailDomain),
      "domains.status": strict(DomainReport),
      "domains.remove": strict(Removed),
      "domains.rotateDkim": strict(EmailDomain),
      "receiving.enable": strict(ReceivingEnabled),
      "catchAll.enable": strict(CatchAllConfig),
      "catchAll.disable": strict(CatchAllConfig),
      "catchAll.config": strict(CatchAllConfig),
      "catchAll.update": strict(CatchAllConfig),
      "catchAll.stats": strict(CatchAllStats),
      "forwarding.list": strict(ForwardingRulePage),
      "forwarding.create": strict(ForwardingRule),
      "forwarding.update": strict(ForwardingRule),
      "forwarding.remove": strict(Removed),
      "forwarding.log": strict(ForwardingLogPage),
      "senders.list": strict(EmailSenderPage),
      "senders.create": strict(EmailSender),
      "senders.verification": strict(SenderStanding),
      "senders.remove": strict(Removed),
      "senderConfirmations.look": strict(Schema.String),
      "senderConfirmations.confirm": strict(Schema.String),
      "email.send": strict(EmailSent),
      "emailStats.get": strict(EmailStats),
      "analytics.stats": strict(AnalyticsStats),
      "analytics.channelStats": strict(AllChannelStats),
      "analytics.deliveryMetrics": strict(DeliveryMetrics),
      "analytics.hourlyDistribution": strict(HourlyDistribution),
      "analytics.export": strict(Export),
      "analytics.topParticipants": strict(TopParticipants),
      "analytics.geographicDistribution": strict(GeographicDistribution),
      "whatsappStats.get": strict(WhatsAppStats),
      "serviceWindows.list": strict(ServiceWindowPage),
      "serviceWindows.open": strict(ParticipantServiceWindow),
      "serviceWindows.get": strict(ParticipantServiceWindow),
      "serviceWindows.activate": strict(ServiceWindow),
      "templates.list": strict(TemplatePage),
      "templates.create": strict(Template),
      "templates.get": strict(Template),
      "templates.update": strict(Template),
      "templates.remove": strict(Removed),
      "templates.render": strict(RenderedTemplate),
      "threads.counts": strict(ThreadCounts),
      "threads.list": strict(ThreadPage),
      "threads.getByMessage": strict(Thread),
      "threads.get": strict(Thread),
      "threads.metadata": strict(ThreadMetadata),
      "threads.messages": strict(ThreadMessagePage),
      "threads.markRead": strict(Thread),
      "emailRecords.get": strict(EmailRecord),
      "conversations.list": strict(ConversationPage),
      "conversations.create": strict(Conversation),
      "conversations.get": strict(Conversation),
      "conversations.update": strict(Conversation),
      "conversations.addParticipants": strict(Conversation),
      "conversations.removeParticipants": strict(Conversation),
      "participants.list": strict(ParticipantPage),
      "participants.create": strict(Participant),
      "participants.get": strict(Participant),
      "participants.update": strict(Participant),
      "participants.remove": strict(Removed),
      "voiceAgents.list": strict(VoiceAgentPage),
      "voiceAgents.create": strict(VoiceAgent),
      "voiceAgents.get": strict(VoiceAgent),
      "voiceAgents.update": strict(VoiceAgent),
      "voiceAgents.remove": strict(Removed),
      "voiceAgents.duplicate": strict(VoiceAgent),
      "voiceWorkflows.list": strict(VoiceWorkflowPage),
      "voiceWorkflows.create": strict(VoiceWorkflow),
      "voiceWorkflows.get": strict(VoiceWorkflow),
      "voiceWorkflows.update": strict(VoiceWorkflow),
      "voiceWorkflows.remove": strict(Removed),
      "voiceWorkflows.publish": strict(VoiceWorkflow),
      "voiceWorkflows.link": strict(VoiceWorkflow),
      "voiceCalls.list": strict(VoiceCallPage),
      "voiceCalls.place": strict(VoiceCall),
      "voiceCalls.get": strict(VoiceCall),
      "voiceCalls.transcript": strict(CallTranscript),
      "voiceCalls.hangUp": strict(CallTold),
      "voiceCalls.startRecording": strict(CallTold),
      "voiceCalls.stopRecording": strict(CallTold),
      "knowledgeBases.list": strict(KnowledgeBasePage),
      "knowledgeBases.create": strict(KnowledgeBase),
      "knowledgeBases.get": strict(KnowledgeBase),
      "knowledgeBases.remove": strict(Removed),
      "knowledgeBases.documents": strict(KnowledgeDocumentPage),
      "knowledgeBases.requestUpload": strict(UploadTarget),
      "drafts.list": strict(DraftPage),
      "drafts.create": strict(Draft),
      "drafts.get": strict(Draft),
      "drafts.update": strict(Draft),
      "drafts.remove": strict(Removed),
      "drafts.send": strict(Message),
      "attachments.upload": strict(UploadedAttachment),
      "mailbox.list": strict(MailboxPage),
      "mailbox.get": strict(MailboxMail),
      "mailbox.reply": strict(MailboxAnswer),
      "events.stream": strict(EventStreamText)
    }
    assert.sameMembers(Object.keys(answers), Object.keys(examples))
    for (const [id, decode] of Object.entries(answers)) decode(examples[id]?.response)
    strict(SendRequest)(examples["messages.send"]?.request)
    strict(MailboxReply)(examples["mailbox.reply"]?.request)
    strict(CreateDraft)(examples["drafts.create"]?.request)
    strict(UpdateDraft)(examples["drafts.update"]?.request)
    strict(UploadAttachment)(examples["attachments.upload"]?.request)
    strict(CreateBlock)(examples["blocks.create"]?.request)
    strict(UpdateBlock)(examples["blocks.update"]?.request)
    strict(CreateEmailDomain)(examples["domains.create"]?.request)
    strict(CreateEmailSender)(examples["senders.create"]?.request)
    strict(NamedEmailDomain)(examples["domains.verify"]?.request)
    strict(NamedEmailDomain)(examples["domains.checkVerification"]?.request)
    strict(CreateForwardingRule)(examples["forwarding.create"]?.request)
    strict(UpdateForwardingRule)(examples["forwarding.update"]?.request)
    strict(EnableReceiving)(examples["receiving.enable"]?.request)
    strict(SwitchCatchAll)(examples["catchAll.enable"]?.request)
    strict(SwitchCatchAll)(examples["catchAll.disable"]?.request)
    strict(UpdateCatchAll)(examples["catchAll.update"]?.request)
    strict(EmailSendRequest)(examples["email.send"]?.request)
    strict(CreateConversation)(examples["conversations.create"]?.request)
    strict(UpdateConversation)(examples["conversations.update"]?.request)
    strict(AddParticipants)(examples["conversations.addParticipants"]?.request)
    strict(RemoveParticipants)(examples["conversations.removeParticipants"]?.request)
    strict(CreateParticipant)(examples["participants.create"]?.request)
    strict(UpdateParticipant)(examples["participants.update"]?.request)
    strict(CreateVoiceAgent)(examples["voiceAgents.create"]?.request)
    strict(UpdateVoiceAgent)(examples["voiceAgents.update"]?.request)
    strict(DuplicateVoiceAgent)(examples["voiceAgents.duplicate"]?.request)
    strict(CreateKnowledgeBase)(examples["knowledgeBases.create"]?.request)
    strict(RequestUpload)(examples["knowledgeBases.requestUpload"]?.request)
    strict(CreateVoiceWorkflow)(examples["voiceWorkflows.create"]?.request)
    strict(PlaceVoiceCall)(examples["voiceCalls.place"]?.request)
    strict(UpdateVoiceWorkflow)(examples["voiceWorkflows.update"]?.request)
    strict(CreateTemplate)(examples["templates.create"]?.request)
    strict(UpdateTemplate)(examples["templates.update"]?.request)
    strict(RenderTemplate)(examples["templates.render"]?.request)
    strict(CreateApiKey)(examples["apiKeys.create"]?.request)
    strict(UpdateApiKey)(examples["apiKeys.update"]?.request)
    strict(RotateApiKey)(examples["apiKeys.rotate"]?.request)
    strict(CreateWebhookEndpoint)(examples["webhookEndpoints.create"]?.request)
    strict(UpdateWebhookEndpoint)(examples["webhookEndpoints.update"]?.request)
    strict(RegenerateSecret)(examples["webhookEndpoints.regenerateSecret"]?.request)
    strict(TestWebhook)(examples["webhookEndpoints.test"]?.request)
    strict(RecoverWebhook)(examples["webhookEndpoints.recover"]?.request)
    strict(BatchRequest)(examples["messages.batch"]?.request)
    strict(UpdateOrganization)(examples["organizations.update"]?.request)
    strict(CreateSession)(examples["sessions.create"]?.request)
    for (const example of Object.values(errorExamples)) strict(ApiError)(example)
  })

  it("says that the stream of events is one, not JSON", () => {
    const { 200: answer, 400: refusal } = JSON.parse(text).paths["/v1/events"].get.responses
    assert.deepStrictEqual(Object.keys(answer.content), ["text/event-stream"])
    assert.match(answer.content["text/event-stream"].example, /^id: .+\nevent: message\.delivered\ndata: \{.+\}\n\n$/)
    assert.deepStrictEqual(Object.keys(refusal.content), ["application/json"])
  })

  it("says that exports are JSON, NDJSON or CSV", () => {
    const { 200: answer } = JSON.parse(text).paths["/v1/analytics/export"].get.responses
    assert.sameMembers(Object.keys(answer.content), ["application/json", "application/x-ndjson", "text/csv"])
    assert.match(answer.content["text/csv"].example, /^id,type,timestamp,organizationId,data\r\n.+\r\n$/)
    strict(Export)([JSON.parse(answer.content["application/x-ndjson"].example)])
  })

  it("has closed messages", () => {
    assert.isFalse(JSON.parse(text).components.schemas.Message.additionalProperties)
  })
})

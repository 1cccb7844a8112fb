import { AnalyticsRepoSql } from "@switchboard/store/analytics/AnalyticsRepoSql"
import { ExportRepoSql } from "@switchboard/store/analytics/ExportRepoSql"
import { ApiKeyRepoSql } from "@switchboard/store/apiKeys/ApiKeyRepoSql"
import { KeyActivityRepoSql } from "@switchboard/store/apiKeys/KeyActivityRepoSql"
import { AttachmentRepoSql } from "@switchboard/store/attachments/AttachmentRepoSql"
import { ConversationRepoSql } from "@switchboard/store/conversations/ConversationRepoSql"
import { DraftRepoSql } from "@switchboard/store/drafts/DraftRepoSql"
import { BlockRepoSql } from "@switchboard/store/email/blocks/BlockRepoSql"
import { DomainPauseRepoSql } from "@switchboard/store/email/domains/DomainPauseRepoSql"
import { DomainRepoSql } from "@switchboard/store/email/domains/DomainRepoSql"
import { ForwardingQueueSql } from "@switchboard/store/email/forwarding/ForwardingQueueSql"
import { ForwardingRepoSql } from "@switchboard/store/email/forwarding/ForwardingRepoSql"
import { ForwardingRuleRepoSql } from "@switchboard/store/email/forwarding/ForwardingRuleRepoSql"
import { InboundAddressRepoSql } from "@switchboard/store/email/receiving/InboundAddressRepoSql"
import { InboundMailsSql } from "@switchboard/store/email/receiving/InboundMailsSql"
import { InboundQueueSql } from "@switchboard/store/email/receiving/InboundQueueSql"
import { ReceivedMessageRepoSql } from "@switchboard/store/email/receiving/ReceivedMessageRepoSql"
import { ReceivingRepoSql } from "@switchboard/store/email/receiving/ReceivingRepoSql"
import { EmailRecordRepoSql } from "@switchboard/store/email/records/EmailRecordRepoSql"
import { ManagedSenderRepoSql } from "@switchboard/store/email/senders/ManagedSenderRepoSql"
import { SenderRepoSql } from "@switchboard/store/email/senders/SenderRepoSql"
import { TemplateRepoSql } from "@switchboard/store/email/templates/TemplateRepoSql"
import { ThreadRepoSql } from "@switchboard/store/email/threads/ThreadRepoSql"
import { EngagementRepoSql } from "@switchboard/store/email/tracking/EngagementRepoSql"
import { ErasureRepoSql } from "@switchboard/store/erasure/ErasureRepoSql"
import { EventRepoSql } from "@switchboard/store/events/EventRepoSql"
import { CreationKeyRepoSql } from "@switchboard/store/idempotency/CreationKeyRepoSql"
import { InstallationRepoSql } from "@switchboard/store/installation/InstallationRepoSql"
import { DeliveryQueuesSql } from "@switchboard/store/messages/DeliveryQueueSql"
import { IdempotencyRepoSql } from "@switchboard/store/messages/IdempotencyRepoSql"
import { MessageRepoSql } from "@switchboard/store/messages/MessageRepoSql"
import { ObjectRemovalsSql } from "@switchboard/store/objects/ObjectRemovalsSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { ParticipantRepoSql } from "@switchboard/store/participants/ParticipantRepoSql"
import { ProviderEventQueueSql } from "@switchboard/store/providers/ProviderEventQueueSql"
import { ProviderEventsSql } from "@switchboard/store/providers/ProviderEventsSql"
import { ProviderMessageRepoSql } from "@switchboard/store/providers/ProviderMessageRepoSql"
import { ReceivedTextRepoSql } from "@switchboard/store/providers/ReceivedTextRepoSql"
import { PauseRepoSql, QueueDepthsSql } from "@switchboard/store/queues/QueueStateSql"
import { RetentionRepoSql } from "@switchboard/store/retention/RetentionRepoSql"
import { RollupRepoSql } from "@switchboard/store/rollups/RollupRepoSql"
import { SessionRepoSql } from "@switchboard/store/sessions/SessionRepoSql"
import { NumberRepoSql } from "@switchboard/store/sms/NumberRepoSql"
import { OptOutRepoSql } from "@switchboard/store/sms/OptOutRepoSql"
import { InvitationRepoSql } from "@switchboard/store/users/InvitationRepoSql"
import { SecondFactorRepoSql } from "@switchboard/store/users/SecondFactorRepoSql"
import { UserRepoSql } from "@switchboard/store/users/UserRepoSql"
import { VoiceAgentRepoSql } from "@switchboard/store/voice/agents/VoiceAgentRepoSql"
import { VoiceCallQueueSql } from "@switchboard/store/voice/calls/VoiceCallQueueSql"
import { VoiceCallRepoSql } from "@switchboard/store/voice/calls/VoiceCallRepoSql"
import { KnowledgeBaseRepoSql } from "@switchboard/store/voice/knowledgeBases/KnowledgeBaseRepoSql"
import { VoiceWorkflowRepoSql } from "@switchboard/store/voice/workflows/VoiceWorkflowRepoSql"
import { WebhookEndpointRepoSql } from "@switchboard/store/webhooks/WebhookEndpointRepoSql"
import { WebhookQueueSql } from "@switchboard/store/webhooks/WebhookQueueSql"
import { ServiceWindowRepoSql } from "@switchboard/store/whatsapp/ServiceWindowRepoSql"
import { Layer } from "effect"
import { OwnDatabase, SharedDatabase } from "./TestDatabase.js"

/** Repositories and queues. */
const Store = Layer.mergeAll(
  AnalyticsRepoSql,
  ApiKeyRepoSql,
  AttachmentRepoSql,
  BlockRepoSql,
  ConversationRepoSql,
  CreationKeyRepoSql,
  DeliveryQueuesSql,
  DomainPauseRepoSql,
  DomainRepoSql,
  DraftRepoSql,
  EmailRecordRepoSql,
  ErasureRepoSql,
  EventRepoSql,
  ExportRepoSql,
  ForwardingQueueSql,
  ForwardingRepoSql,
  ForwardingRuleRepoSql,
  IdempotencyRepoSql,
  InboundAddressRepoSql,
  InboundMailsSql,
  InboundQueueSql,
  InstallationRepoSql,
  KeyActivityRepoSql,
  KnowledgeBaseRepoSql,
  ManagedSenderRepoSql,
  NumberRepoSql,
  ObjectRemovalsSql,
  EngagementRepoSql,
  OptOutRepoSql,
  OrganizationRepoSql,
  ParticipantRepoSql,
  ReceivedTextRepoSql,
  ProviderMessageRepoSql,
  ProviderEventsSql,
  ProviderEventQueueSql,
  PauseRepoSql,
  ProviderEventQueueSql,
  ProviderEventsSql,
  ProviderMessageRepoSql,
  QueueDepthsSql,
  ReceivedMessageRepoSql,
  ReceivedTextRepoSql,
  ReceivingRepoSql,
  RetentionRepoSql,
  SenderRepoSql,
  ServiceWindowRepoSql,
  SessionRepoSql,
  InvitationRepoSql,
  SecondFactorRepoSql,
  UserRepoSql,
  TemplateRepoSql,
  ThreadRepoSql,
  VoiceAgentRepoSql,
  VoiceCallQueueSql,
  VoiceCallRepoSql,
  VoiceWorkflowRepoSql,
  WebhookEndpointRepoSql,
  WebhookQueueSql
).pipe(Layer.provideMerge(Layer.merge(MessageRepoSql, RollupRepoSql)))

/** The repositories and queues on the shared database. */
export const StoreLive = Layer.provideMerge(Store, SharedDatabase)

/** The repositories and queues on the test file's own database. */
export const OwnStoreLive = Layer.provideMerge(Store, OwnDatabase)

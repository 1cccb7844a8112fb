import { AnalyticsRepoSql } from "@switchboard/store/analytics/AnalyticsRepoSql"
import { ExportRepoSql } from "@switchboard/store/analytics/ExportRepoSql"
import { ApiKeyRepoSql } from "@switchboard/store/apiKeys/ApiKeyRepoSql"
import { KeyActivityRepoSql } from "@switchboard/store/apiKeys/KeyActivityRepoSql"
import { AttachmentRepoSql } from "@switchboard/store/attachments/AttachmentRepoSql"
import { AuditRepoSql } from "@switchboard/store/audit/AuditRepoSql"
import { ConversationRepoSql } from "@switchboard/store/conversations/ConversationRepoSql"
import { Database, DatabaseConnections } from "@switchboard/store/database/Database"
import { checkDatabaseSettings } from "@switchboard/store/database/DatabaseSettings"
import { startRetry } from "@switchboard/store/database/StartRetry"
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
import { MailReportRepoSql } from "@switchboard/store/email/reports/MailReportRepoSql"
import { ManagedSenderRepoSql } from "@switchboard/store/email/senders/ManagedSenderRepoSql"
import { SenderRepoSql } from "@switchboard/store/email/senders/SenderRepoSql"
import { TemplateRepoSql } from "@switchboard/store/email/templates/TemplateRepoSql"
import { ThreadRepoSql } from "@switchboard/store/email/threads/ThreadRepoSql"
import { EngagementRepoSql } from "@switchboard/store/email/tracking/EngagementRepoSql"
import { embeddedPostgres } from "@switchboard/store/embedded/EmbeddedPostgres"
import { EventRepoSql } from "@switchboard/store/events/EventRepoSql"
import { HandsetRepoSql } from "@switchboard/store/handset/HandsetRepoSql"
import { CreationKeyRepoSql } from "@switchboard/store/idempotency/CreationKeyRepoSql"
import { InstallationRepoSql } from "@switchboard/store/installation/InstallationRepoSql"
import { MailboxRepoSql } from "@switchboard/store/mailbox/MailboxRepoSql"
import { DeliveryQueuesSql } from "@switchboard/store/messages/DeliveryQueueSql"
import { FailedMessageRepoSql } from "@switchboard/store/messages/FailedMessageRepoSql"
import { IdempotencyRepoSql } from "@switchboard/store/messages/IdempotencyRepoSql"
import { MessageRepoSql } from "@switchboard/store/messages/MessageRepoSql"
import { MtaStsPolicyRepoSql } from "@switchboard/store/messages/MtaStsPolicyRepoSql"
import { RelayFaultsSql } from "@switchboard/store/messages/RelayFaultsSql"
import { migrate } from "@switchboard/store/migrations/Migrations"
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
import { Data, Duration, Effect, Layer, Option } from "effect"
import { announce, Parts } from "../run/Parts.js"
import { Settings } from "../settings/Settings.js"

/** The database can't be reached at the start. */
export class DatabaseUnreachable extends Data.TaggedError("DatabaseUnreachable")<{ readonly message: string }> {}

const causeOf = ({ cause, message }: { readonly cause?: unknown; readonly message: string }) =>
  cause instanceof Error && cause.message !== "" ? cause.message : message

/** The share of the connections that is reserved for the worker in a process with API and worker. */
const workShare = 0.3

/** Connections to `DATABASE_URL`, or to the embedded database. */
const ConnectionsLive = Layer.scoped(
  DatabaseConnections,
  Effect.gen(function* () {
    const { databasePoolSize: poolSize, databaseUrl, dataDir } = yield* Settings
    const { api, worker } = yield* Parts
    const url = yield* Option.match(databaseUrl, {
      onSome: Effect.succeed,
      onNone: () => Effect.map(embeddedPostgres({ dataDir }), ({ url }) => url)
    })
    const workConnections = api && worker ? Math.max(1, Math.floor(poolSize * workShare)) : 0
    return { url, poolSize, workConnections, applicationName: "switchboard" }
  })
)

/** The database. Retries for `DATABASE_WAIT` while it can't be reached. */
export const DatabaseLive = Settings.layer(({ databaseWait }) => Layer.retry(Database, startRetry(databaseWait))).pipe(
  Layer.catchAll((error) =>
    Layer.fail(
      new DatabaseUnreachable({ message: `The database can't be reached: check DATABASE_URL (${causeOf(error)})` })
    )
  ),
  Layer.provide(ConnectionsLive)
)

/** Refuses a database with unsuitable settings, and makes its schema or applies the pending migrations. */
export const Migrated = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* checkDatabaseSettings
    const [time, applied] = yield* Effect.timed(migrate)
    if (applied.length === 0) return
    const seconds = Duration.toSeconds(time).toFixed(1)
    yield* announce(`Database ready: ${applied.join(", ")} in ${seconds} s`)
  })
)

/** All repositories and queues, on a migrated database. */
export const Storage = Layer.mergeAll(
  AnalyticsRepoSql,
  ApiKeyRepoSql,
  AttachmentRepoSql,
  AuditRepoSql,
  BlockRepoSql,
  ConversationRepoSql,
  CreationKeyRepoSql,
  DeliveryQueuesSql,
  DomainPauseRepoSql,
  DomainRepoSql,
  DraftRepoSql,
  EmailRecordRepoSql,
  EventRepoSql,
  FailedMessageRepoSql,
  ForwardingRuleRepoSql,
  ExportRepoSql,
  ForwardingQueueSql,
  ForwardingRepoSql,
  HandsetRepoSql,
  InboundAddressRepoSql,
  InboundMailsSql,
  InboundQueueSql,
  InstallationRepoSql,
  KeyActivityRepoSql,
  KnowledgeBaseRepoSql,
  HandsetRepoSql,
  MailboxRepoSql,
  MailReportRepoSql,
  ManagedSenderRepoSql,
  MessageRepoSql,
  MtaStsPolicyRepoSql,
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
  QueueDepthsSql,
  RelayFaultsSql,
  ReceivedMessageRepoSql,
  ReceivingRepoSql,
  RetentionRepoSql,
  RollupRepoSql,
  SenderRepoSql,
  IdempotencyRepoSql,
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
).pipe(Layer.provide(Migrated), Layer.provideMerge(DatabaseLive))

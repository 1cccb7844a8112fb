import { guardLayer } from "@switchboard/channels/testing/network/Guards"
import { loopbackOpen } from "@switchboard/channels/testing/webhooks/Posting"
import { SandboxCarrier } from "@switchboard/channels/voice/SandboxCarrier"
import { WebhookHttp } from "@switchboard/channels/webhooks/WebhookHttp"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { KeyActivity } from "@switchboard/services/apiKeys/KeyActivity"
import { ManagedKeys } from "@switchboard/services/apiKeys/ManagedKeys"
import { Attachments } from "@switchboard/services/attachments/Attachments"
import { AuditLog } from "@switchboard/services/audit/AuditLog"
import { Conversations } from "@switchboard/services/conversations/Conversations"
import { Drafts } from "@switchboard/services/drafts/Drafts"
import { BlockImports, Blocks } from "@switchboard/services/email/blocks/Blocks"
import { DomainChecks } from "@switchboard/services/email/domains/DomainChecks"
import { DomainPauses } from "@switchboard/services/email/domains/DomainPauses"
import { MailRouting } from "@switchboard/services/email/domains/DomainRepo"
import { Domains } from "@switchboard/services/email/domains/Domains"
import { ForwardingRules } from "@switchboard/services/email/forwarding/ForwardingRules"
import { CatchAlls, ReceivingDomains } from "@switchboard/services/email/receiving/addresses/ReceivingDomains"
import { ReportFigures } from "@switchboard/services/email/reports/MailReporting"
import { Unsubscribes } from "@switchboard/services/email/send/Unsubscribes"
import { ManagedSenders } from "@switchboard/services/email/senders/ManagedSenders"
import { SenderConfirmations } from "@switchboard/services/email/senders/SenderConfirmations"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { Templates } from "@switchboard/services/email/templates/Templates"
import { DirectUploads } from "@switchboard/services/objects/DirectUploads"
import { ObjectLinks } from "@switchboard/services/objects/ObjectLinks"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { Participants } from "@switchboard/services/participants/Participants"
import { CallbackReaders, ProviderCallbacks } from "@switchboard/services/providers/ProviderCallbacks"
import { AuthenticationFailures } from "@switchboard/services/rateLimits/AuthenticationFailures"
import { MasterKey, SecretBox, Signatures } from "@switchboard/services/SecretBox"
import { OidcLogin } from "@switchboard/services/sessions/OidcLogin"
import { NoOidcProvider } from "@switchboard/services/sessions/OidcProvider"
import { PublicSubmission, Sessions } from "@switchboard/services/sessions/Sessions"
import { Numbers } from "@switchboard/services/sms/Numbers"
import { OptOuts } from "@switchboard/services/sms/OptOuts"
import { dnsInMemory } from "@switchboard/services/testing/email/domains/DnsInMemory"
import { objectsInMemory } from "@switchboard/services/testing/objects/ObjectsInMemory"
import { Accounts } from "@switchboard/services/users/Accounts"
import { Invitations } from "@switchboard/services/users/Invitations"
import { PasswordResets } from "@switchboard/services/users/PasswordResets"
import { Passwords } from "@switchboard/services/users/Passwords"
import { SecondFactors } from "@switchboard/services/users/SecondFactors"
import { UserMails } from "@switchboard/services/users/UserMails"
import { Users } from "@switchboard/services/users/Users"
import { VoiceAgents } from "@switchboard/services/voice/agents/VoiceAgents"
import { DescribeCall } from "@switchboard/services/voice/calls/StoredCall"
import { VoiceCalls } from "@switchboard/services/voice/calls/VoiceCalls"
import { KnowledgeBases } from "@switchboard/services/voice/knowledgeBases/KnowledgeBases"
import { Uploads } from "@switchboard/services/voice/knowledgeBases/Uploads"
import { VoiceWorkflows } from "@switchboard/services/voice/workflows/VoiceWorkflows"
import { EndpointDeliveries, WebhookTests } from "@switchboard/services/webhooks/EndpointDeliveries"
import { WebhookEndpoints } from "@switchboard/services/webhooks/WebhookEndpoints"
import { ServiceWindows } from "@switchboard/services/whatsapp/ServiceWindows"
import { ApiKeyRepoSql } from "@switchboard/store/apiKeys/ApiKeyRepoSql"
import { KeyActivityRepoSql } from "@switchboard/store/apiKeys/KeyActivityRepoSql"
import { AttachmentRepoSql } from "@switchboard/store/attachments/AttachmentRepoSql"
import { AuditRepoSql } from "@switchboard/store/audit/AuditRepoSql"
import { ConversationRepoSql } from "@switchboard/store/conversations/ConversationRepoSql"
import { DraftRepoSql } from "@switchboard/store/drafts/DraftRepoSql"
import { BlockRepoSql } from "@switchboard/store/email/blocks/BlockRepoSql"
import { DomainPauseRepoSql } from "@switchboard/store/email/domains/DomainPauseRepoSql"
import { DomainRepoSql } from "@switchboard/store/email/domains/DomainRepoSql"
import { ForwardingRuleRepoSql } from "@switchboard/store/email/forwarding/ForwardingRuleRepoSql"
import { ReceivingRepoSql } from "@switchboard/store/email/receiving/ReceivingRepoSql"
import { MailReportRepoSql } from "@switchboard/store/email/reports/MailReportRepoSql"
import { ManagedSenderRepoSql } from "@switchboard/store/email/senders/ManagedSenderRepoSql"
import { SenderRepoSql } from "@switchboard/store/email/senders/SenderRepoSql"
import { TemplateRepoSql } from "@switchboard/store/email/templates/TemplateRepoSql"
import { EngagementRepoSql } from "@switchboard/store/email/tracking/EngagementRepoSql"
import { CreationKeyRepoSql } from "@switchboard/store/idempotency/CreationKeyRepoSql"
import { ObjectRemovalsSql } from "@switchboard/store/objects/ObjectRemovalsSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { ParticipantRepoSql } from "@switchboard/store/participants/ParticipantRepoSql"
import { ProviderEventsSql } from "@switchboard/store/providers/ProviderEventsSql"
import { SessionRepoSql } from "@switchboard/store/sessions/SessionRepoSql"
import { NumberRepoSql } from "@switchboard/store/sms/NumberRepoSql"
import { OptOutRepoSql } from "@switchboard/store/sms/OptOutRepoSql"
import { SharedDatabase } from "@switchboard/store/testing/TestDatabase"
import { InvitationRepoSql } from "@switchboard/store/users/InvitationRepoSql"
import { SecondFactorRepoSql } from "@switchboard/store/users/SecondFactorRepoSql"
import { UserRepoSql } from "@switchboard/store/users/UserRepoSql"
import { VoiceAgentRepoSql } from "@switchboard/store/voice/agents/VoiceAgentRepoSql"
import { VoiceCallRepoSql } from "@switchboard/store/voice/calls/VoiceCallRepoSql"
import { KnowledgeBaseRepoSql } from "@switchboard/store/voice/knowledgeBases/KnowledgeBaseRepoSql"
import { VoiceWorkflowRepoSql } from "@switchboard/store/voice/workflows/VoiceWorkflowRepoSql"
import { WebhookEndpointRepoSql } from "@switchboard/store/webhooks/WebhookEndpointRepoSql"
import { ServiceWindowRepoSql } from "@switchboard/store/whatsapp/ServiceWindowRepoSql"
import { Layer, Option, Redacted } from "effect"

/** The base URL of links and of the document. */
export const publicUrl = "https://mail.example.net"

/** The DNS records for the use cases of a test. */
export const dns = dnsInMemory()

const repos = Layer.mergeAll(
  ApiKeyRepoSql,
  KeyActivityRepoSql,
  AttachmentRepoSql,
  AuditRepoSql,
  BlockRepoSql,
  ConversationRepoSql,
  CreationKeyRepoSql,
  DomainPauseRepoSql,
  DomainRepoSql,
  DraftRepoSql,
  ForwardingRuleRepoSql,
  KnowledgeBaseRepoSql,
  ManagedSenderRepoSql,
  NumberRepoSql,
  OptOutRepoSql,
  SenderRepoSql,
  OrganizationRepoSql,
  ParticipantRepoSql,
  ProviderEventsSql,
  MailReportRepoSql,
  ReceivingRepoSql,
  ServiceWindowRepoSql,
  SessionRepoSql,
  InvitationRepoSql,
  SecondFactorRepoSql,
  UserRepoSql,
  TemplateRepoSql,
  VoiceAgentRepoSql,
  VoiceCallRepoSql,
  VoiceWorkflowRepoSql,
  WebhookEndpointRepoSql,
  EngagementRepoSql,
  ObjectRemovalsSql
)

/** The repositories on the test database. */
export const Repos = repos.pipe(Layer.provideMerge(SharedDatabase))

/** Signatures and encryption with the master key of the tests. */
export const ApiSecrets = Layer.merge(Signatures.Live, SecretBox.Live).pipe(
  Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7))))
)

/** Object links, whose objects are shared by all builds of the layer. */
export const linksInMemory = ObjectLinks.Default.pipe(
  Layer.provideMerge(objectsInMemory(new Map())),
  Layer.provide([Layer.succeed(PublicUrl, publicUrl), ApiSecrets])
)

/** The use cases that read and write the database, without `Messages` and without a worker. */
export const StoredUseCases = Layer.mergeAll(
  Layer.mergeAll(Drafts.Default, ManagedSenders.Default, Unsubscribes.Default).pipe(
    Layer.provideMerge(Layer.mergeAll(Attachments.Default, BlockImports.Default, Blocks.Default)),
    Layer.provideMerge(Templates.Default)
  ),
  Layer.mergeAll(SenderConfirmations.Default, Domains.Default.pipe(Layer.provide(DomainChecks.Default))),
  Layer.mergeAll(WebhookEndpoints.Default, EndpointDeliveries.Default, WebhookTests.Default).pipe(
    Layer.provide(WebhookHttp)
  ),
  KnowledgeBases.Default.pipe(Layer.provideMerge(Uploads.Default)),
  VoiceCalls.Default.pipe(Layer.provide([DescribeCall.Default, SandboxCarrier])),
  Layer.mergeAll(
    Layer.mergeAll(Accounts.Default, PasswordResets.Default, Users.Default),
    OidcLogin.Default.pipe(Layer.provide(NoOidcProvider), Layer.provideMerge(Invitations.Default))
  ).pipe(
    Layer.provide(
      Layer.mergeAll(AuthenticationFailures.Default, Passwords.Default, SecondFactors.Default, UserMails.Default)
    ),
    Layer.provideMerge(Sessions.Default),
    Layer.provideMerge(Layer.merge(ApiKeys.Default, KeyActivity.Default)),
    Layer.provideMerge(ManagedKeys.Default)
  ),
  AuditLog.Default,
  CatchAlls.Default,
  Conversations.Default,
  ForwardingRules.Default,
  Numbers.Default,
  OptOuts.Default,
  Organizations.Default,
  Participants.Default,
  ProviderCallbacks.Default.pipe(
    Layer.provide(Layer.succeed(CallbackReaders, { twilio: Option.none(), whatsapp: Option.none() }))
  ),
  ReceivingDomains.Default,
  ReportFigures.Default,
  DomainPauses.Default,
  ServiceWindows.Default,
  VoiceAgents.Default,
  VoiceWorkflows.Default
).pipe(
  Layer.provide(Senders.Default),
  Layer.provide(Layer.mergeAll(ApiSecrets, dns.layer, linksInMemory, guardLayer(loopbackOpen))),
  Layer.provide(Layer.succeed(DirectUploads, Option.none())),
  Layer.provide(Layer.succeed(PublicUrl, publicUrl)),
  Layer.provide(Layer.succeed(PublicSubmission, Option.none())),
  Layer.provide(
    Layer.succeed(MailRouting, { mailHostname: "mail.example.net", spfInclude: null, publicHost: "links.example.net" })
  )
)

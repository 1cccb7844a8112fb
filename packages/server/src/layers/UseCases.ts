import { MimeMailParser } from "@switchboard/channels/mailbox/MimeMailParser"
import { MimeWriterLive } from "@switchboard/channels/messages/MimeMessage"
import { DestinationGuardNode } from "@switchboard/channels/network/DestinationGuardNode"
import { NetworkSettings, parseNetwork } from "@switchboard/channels/network/NetworkPolicy"
import { WebhookHttp } from "@switchboard/channels/webhooks/WebhookHttp"
import { Analytics } from "@switchboard/services/analytics/Analytics"
import { Exports } from "@switchboard/services/analytics/Exports"
import { KeyActivity } from "@switchboard/services/apiKeys/KeyActivity"
import { ManagedKeys } from "@switchboard/services/apiKeys/ManagedKeys"
import { Attachments } from "@switchboard/services/attachments/Attachments"
import { AuditLog } from "@switchboard/services/audit/AuditLog"
import { Conversations } from "@switchboard/services/conversations/Conversations"
import { Drafts } from "@switchboard/services/drafts/Drafts"
import { BlockImports, Blocks } from "@switchboard/services/email/blocks/Blocks"
import { DomainChecks } from "@switchboard/services/email/domains/DomainChecks"
import { DomainPauses } from "@switchboard/services/email/domains/DomainPauses"
import { Domains } from "@switchboard/services/email/domains/Domains"
import { LocalDomains } from "@switchboard/services/email/domains/LocalDomains"
import { SigningKeys } from "@switchboard/services/email/domains/SigningKeys"
import { Complaints } from "@switchboard/services/email/feedback/Feedback"
import { ForwardingRules } from "@switchboard/services/email/forwarding/ForwardingRules"
import { CatchAlls, ReceivingDomains } from "@switchboard/services/email/receiving/addresses/ReceivingDomains"
import { EmailRecords, ObjectsAndSentFiles } from "@switchboard/services/email/records/EmailRecords"
import { HtmlParts, RawMails } from "@switchboard/services/email/records/RawMails"
import { ReportFigures } from "@switchboard/services/email/reports/MailReporting"
import { Unsubscribes } from "@switchboard/services/email/send/Unsubscribes"
import { ManagedSenders } from "@switchboard/services/email/senders/ManagedSenders"
import { SenderConfirmations } from "@switchboard/services/email/senders/SenderConfirmations"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { EmailStatistics } from "@switchboard/services/email/stats/EmailStatistics"
import { Templates } from "@switchboard/services/email/templates/Templates"
import { Threads } from "@switchboard/services/email/threads/Threads"
import { Engagements } from "@switchboard/services/email/tracking/Engagements"
import { EventStream } from "@switchboard/services/events/EventStream"
import { Handset } from "@switchboard/services/handset/Handset"
import { Mailbox } from "@switchboard/services/mailbox/Mailbox"
import { MailboxComplaints } from "@switchboard/services/mailbox/MailboxComplaints"
import { MailboxReplies } from "@switchboard/services/mailbox/MailboxReplies"
import { MailboxSimulations } from "@switchboard/services/mailbox/MailboxSimulations"
import { Compose } from "@switchboard/services/messages/compose/Compose"
import { OutgoingMails } from "@switchboard/services/messages/delivery/OutgoingMails"
import { Messages } from "@switchboard/services/messages/Messages"
import { ObjectLinks } from "@switchboard/services/objects/ObjectLinks"
import { Participants } from "@switchboard/services/participants/Participants"
import { ProviderCallbacks } from "@switchboard/services/providers/ProviderCallbacks"
import { AuthenticationFailures } from "@switchboard/services/rateLimits/AuthenticationFailures"
import { LoginLinks } from "@switchboard/services/sessions/LoginLinks"
import { OidcLogin } from "@switchboard/services/sessions/OidcLogin"
import { Sessions } from "@switchboard/services/sessions/Sessions"
import { LocalNumbers } from "@switchboard/services/sms/LocalNumbers"
import { Numbers } from "@switchboard/services/sms/Numbers"
import { OptOuts } from "@switchboard/services/sms/OptOuts"
import { System } from "@switchboard/services/system/System"
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
import { WhatsAppStatistics } from "@switchboard/services/whatsapp/WhatsAppStatistics"
import { Effect, Layer } from "effect"
import { Administration } from "../Administration.js"
import { SystemInspectionLive } from "../doctor/SystemInspectionLive.js"
import { CallbackReadersLive, OidcProviderLive } from "./ProvidersLive.js"

/**
 * Sends requests to any address: only for URLs that the operator of the service chooses. The layers are fresh, since a
 * process has the same layers with checks for the URLs of organizations.
 */
export const AnyDestination = Layer.fresh(WebhookHttp).pipe(
  Layer.provideMerge(Layer.fresh(DestinationGuardNode)),
  Layer.provide(
    Layer.effect(
      NetworkSettings,
      Effect.map(Effect.forEach(["0.0.0.0/0", "::/0"], parseNetwork), (allow) => ({ allow, dnsServers: [] }))
    )
  )
)

/** Accepts messages, for the API and for voice workflows. */
export const MessagesLive = Messages.Default.pipe(
  Layer.provide(Layer.merge(Attachments.Default, Compose.Default)),
  Layer.provideMerge(Layer.mergeAll(Numbers.Default, Senders.Default, Templates.Default))
)

/** Links to objects, and to the attachments of sent messages. */
const ObjectLinksLive = ObjectLinks.Default.pipe(Layer.provide(ObjectsAndSentFiles))

/** Maps calls to their representation in the API. */
export const DescribeCallLive = DescribeCall.Default.pipe(Layer.provide(ObjectLinksLive))

/** Users, their log-ins and sessions. */
const UserSessions = Layer.mergeAll(
  Layer.mergeAll(Accounts.Default, PasswordResets.Default, Users.Default),
  OidcLogin.Default.pipe(Layer.provide(OidcProviderLive), Layer.provideMerge(Invitations.Default))
).pipe(
  Layer.provide(
    Layer.mergeAll(AuthenticationFailures.Default, Passwords.Default, SecondFactors.Default, UserMails.Default)
  ),
  Layer.provide(MessagesLive),
  Layer.provideMerge(Sessions.Default.pipe(Layer.provideMerge(Administration)))
)

/** The services that the API calls. */
export const UseCases = Layer.mergeAll(
  Layer.mergeAll(ManagedSenders.Default, Drafts.Default, Unsubscribes.Default).pipe(
    Layer.provideMerge(Layer.mergeAll(Attachments.Default, BlockImports.Default, Blocks.Default)),
    Layer.provideMerge(MessagesLive)
  ),
  SenderConfirmations.Default.pipe(Layer.provide(Senders.Default)),
  Handset.Default.pipe(Layer.provide(Attachments.Default)),
  KeyActivity.Default.pipe(Layer.provideMerge(ManagedKeys.Default)),
  Layer.mergeAll(
    Mailbox.Default,
    MailboxReplies.Default,
    // The only requests are those to PUBLIC_URL.
    MailboxSimulations.Default.pipe(Layer.provide(AnyDestination))
  ).pipe(
    Layer.provide(MimeMailParser),
    Layer.provide(MailboxComplaints.Default.pipe(Layer.provide(Complaints.Default)))
  ),
  Layer.merge(LoginLinks.Default, UserSessions),
  Layer.mergeAll(WebhookEndpoints.Default, EndpointDeliveries.Default, WebhookTests.Default),
  DomainPauses.Default,
  LocalDomains.Default.pipe(
    Layer.provideMerge(Domains.Default),
    Layer.provide(Layer.mergeAll(DomainChecks.Default, ReceivingDomains.Default, Senders.Default))
  ),
  KnowledgeBases.Default.pipe(Layer.provideMerge(Uploads.Default)),
  VoiceCalls.Default.pipe(Layer.provide(DescribeCallLive)),
  Layer.mergeAll(Analytics.Default, EmailStatistics.Default, Exports.Default, WhatsAppStatistics.Default),
  Layer.merge(EmailRecords.Default, HtmlParts.Default.pipe(Layer.provide(ObjectsAndSentFiles))).pipe(
    Layer.provideMerge(ObjectLinksLive)
  ),
  RawMails.Default.pipe(
    Layer.provide(OutgoingMails.Default),
    Layer.provide(Layer.merge(MimeWriterLive, SigningKeys.Default))
  ),
  System.Default.pipe(Layer.provide(SystemInspectionLive)),
  Layer.mergeAll(LocalNumbers.Default, OptOuts.Default),
  ProviderCallbacks.Default.pipe(Layer.provide(CallbackReadersLive)),
  AuditLog.Default,
  CatchAlls.Default,
  Conversations.Default,
  EventStream.Default,
  ForwardingRules.Default,
  Engagements.Default,
  Participants.Default,
  ReceivingDomains.Default,
  ReportFigures.Default,
  ServiceWindows.Default,
  Threads.Default,
  VoiceAgents.Default,
  VoiceWorkflows.Default
)

import { PostalMailParser } from "@switchboard/channels/mailbox/PostalMailParser"
import { WayInSmtp } from "@switchboard/channels/mailbox/WayInSmtp"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { KeyActivity } from "@switchboard/services/apiKeys/KeyActivity"
import { ManagedKeys } from "@switchboard/services/apiKeys/ManagedKeys"
import { Attachments } from "@switchboard/services/attachments/Attachments"
import { Conversations } from "@switchboard/services/conversations/Conversations"
import { Drafts } from "@switchboard/services/drafts/Drafts"
import { BlockImports } from "@switchboard/services/email/blocks/BlockImports"
import { Blocks } from "@switchboard/services/email/blocks/Blocks"
import { ForwardingRules } from "@switchboard/services/email/forwarding/ForwardingRules"
import { Opens } from "@switchboard/services/email/opens/Opens"
import { CatchAlls } from "@switchboard/services/email/receiving/CatchAlls"
import { ReceivingDomains } from "@switchboard/services/email/receiving/ReceivingDomains"
import { EmailRecords } from "@switchboard/services/email/records/EmailRecords"
import { Unsubscribes } from "@switchboard/services/email/send/Unsubscribes"
import { ManagedSenders } from "@switchboard/services/email/senders/ManagedSenders"
import { SenderConfirmations } from "@switchboard/services/email/senders/SenderConfirmations"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { Templates } from "@switchboard/services/email/templates/Templates"
import { Threads } from "@switchboard/services/email/threads/Threads"
import { EventStream } from "@switchboard/services/events/EventStream"
import { Mailbox, MailboxInUse } from "@switchboard/services/mailbox/Mailbox"
import { MailboxReplies } from "@switchboard/services/mailbox/MailboxReplies"
import { Compose } from "@switchboard/services/messages/Compose"
import { Messages } from "@switchboard/services/messages/Messages"
import { SendSettings } from "@switchboard/services/messages/SendSettings"
import { Participants } from "@switchboard/services/participants/Participants"
import { Signatures } from "@switchboard/services/Signatures"
import { Sessions } from "@switchboard/services/sessions/Sessions"
import { EndpointDeliveries } from "@switchboard/services/webhooks/EndpointDeliveries"
import { WebhookEndpoints } from "@switchboard/services/webhooks/WebhookEndpoints"
import { WebhookTests } from "@switchboard/services/webhooks/WebhookTests"
import { ServiceWindows } from "@switchboard/services/whatsapp/ServiceWindows"
import { Layer, Option } from "effect"
import type { Settings } from "../Settings.js"
import { AnalyticsLive } from "./AnalyticsLive.js"
import { DomainsLive } from "./EmailDomains.js"
import { KnowledgeLive } from "./Knowledge.js"
import { ObjectLinksLive } from "./Objects.js"
import { PublicUrlLive } from "./PublicUrlLive.js"
import { VoiceLive } from "./Voice.js"
import { VoiceCallsLive } from "./VoiceCalls.js"
import { WebhookCalls } from "./Webhooks.js"

/** What operators decided about sending, for whoever asks. */
export const SendSettingsLive = ({ dedupeWindow, emailUnitCost, retrySchedule }: Settings) =>
  Layer.succeed(SendSettings, { dedupeWindow, emailUnitCost, retrySchedule })

/** Accepting messages, for the API and for whatever else sends. */
export const MessagesLive = (settings: Settings) =>
  Messages.Default.pipe(
    Layer.provide(Compose.Default),
    Layer.provide(SendSettingsLive(settings)),
    Layer.provideMerge(Layer.merge(Senders.Default, Templates.Default))
  )

/** Everything that the API asks of the services. */
export const UseCases = (settings: Settings) =>
  Layer.mergeAll(
    Layer.mergeAll(ManagedSenders.Default, Drafts.Default, Unsubscribes.Default).pipe(
      Layer.provide(Layer.merge(PublicUrlLive(settings), Signatures.Live)),
      Layer.provideMerge(Layer.mergeAll(Attachments.Default, BlockImports.Default, Blocks.Default)),
      Layer.provideMerge(MessagesLive(settings))
    ),
    SenderConfirmations.Default.pipe(Layer.provide(Layer.merge(Senders.Default, Signatures.Live))),
    KeyActivity.Default.pipe(Layer.provideMerge(ManagedKeys.Default)),
    Layer.merge(Mailbox.Default, MailboxReplies.Default).pipe(
      Layer.provide(Layer.merge(PostalMailParser, WayInSmtp)),
      Layer.provide(Layer.succeed(MailboxInUse, Option.isNone(settings.smtpUrl)))
    ),
    Sessions.Default.pipe(Layer.provide(Layer.merge(ApiKeys.Default, Signatures.Live))),
    Layer.mergeAll(WebhookEndpoints.Default, EndpointDeliveries.Default, WebhookTests.Default).pipe(
      Layer.provide(WebhookCalls(settings))
    ),
    Opens.Default.pipe(Layer.provide(Signatures.Live)),
    AnalyticsLive,
    ServiceWindows.Default,
    EventStream.Default,
    EmailRecords.Default.pipe(Layer.provideMerge(ObjectLinksLive(settings))),
    Threads.Default,
    Conversations.Default,
    Participants.Default,
    ReceivingDomains.Default,
    CatchAlls.Default,
    ForwardingRules.Default,
    KnowledgeLive(settings),
    DomainsLive(settings),
    VoiceLive(settings),
    VoiceCallsLive(settings)
  )

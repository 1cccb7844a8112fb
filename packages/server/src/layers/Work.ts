import { MailSealerArc } from "@switchboard/channels/email/forwarding/MailSealerArc"
import { MailAuthenticatorDns } from "@switchboard/channels/email/receiving/authentication/MailAuthenticatorDns"
import { MailReaderThread } from "@switchboard/channels/email/receiving/reading/MailReaderThread"
import { MailThreadsNode } from "@switchboard/channels/email/receiving/reading/MailThreads"
import { gatherCounts } from "@switchboard/services/analytics/GatherCounts"
import { connectionUse } from "@switchboard/services/ConnectionUse"
import { cleanUpDrafts } from "@switchboard/services/drafts/CleanUpDrafts"
import { Blocks } from "@switchboard/services/email/blocks/Blocks"
import { DomainChecks } from "@switchboard/services/email/domains/DomainChecks"
import { recheckDomains } from "@switchboard/services/email/domains/RecheckDomains"
import { SigningKeys } from "@switchboard/services/email/domains/SigningKeys"
import { Complaints } from "@switchboard/services/email/feedback/Complaints"
import { Feedback } from "@switchboard/services/email/feedback/Feedback"
import { Forwarding } from "@switchboard/services/email/forwarding/Forwarding"
import { Forwards } from "@switchboard/services/email/forwarding/Forwards"
import { ProcessInbound } from "@switchboard/services/email/receiving/ProcessInbound"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { Deliveries } from "@switchboard/services/messages/delivery/Deliveries"
import { OutgoingMails } from "@switchboard/services/messages/delivery/OutgoingMails"
import { RelayBreaker } from "@switchboard/services/messages/delivery/RelayBreaker"
import { removeObjects } from "@switchboard/services/objects/RemoveObjects"
import { retentionJobs } from "@switchboard/services/retention/RetentionJobs"
import { AgentNotices } from "@switchboard/services/voice/calls/AgentNotices"
import { CallErrands } from "@switchboard/services/voice/calls/CallErrands"
import { PlayCalls } from "@switchboard/services/voice/calls/PlayCalls"
import { settleUploads } from "@switchboard/services/voice/knowledgeBases/SettleUploads"
import { UploadSearches } from "@switchboard/services/voice/knowledgeBases/UploadSearches"
import { WebhookDeliveries } from "@switchboard/services/webhooks/delivery/WebhookDeliveries"
import { WebhookPace } from "@switchboard/services/webhooks/delivery/WebhookPace"
import { ForwardingWorker } from "@switchboard/worker/email/forwarding/ForwardingWorker"
import { InboundWorker } from "@switchboard/worker/email/receiving/InboundWorker"
import { DeliveryWorker } from "@switchboard/worker/messages/DeliveryWorker"
import { ScheduledJobs } from "@switchboard/worker/ScheduledJobs"
import { AgentNoticeWorker } from "@switchboard/worker/voice/calls/AgentNoticeWorker"
import { VoiceCallWorker } from "@switchboard/worker/voice/calls/VoiceCallWorker"
import { WebhookWorker } from "@switchboard/worker/webhooks/WebhookWorker"
import { Effect, Layer } from "effect"
import { RelayLive } from "./RelayLive.js"
import { DescribeCallLive, MessagesLive } from "./UseCases.js"

/** Delivers messages, and forwards mail that came in. */
const Delivery = Layer.merge(
  DeliveryWorker.pipe(Layer.provide(Deliveries.Default)),
  ForwardingWorker.pipe(Layer.provide(Forwards.Default))
).pipe(
  Layer.provide(Layer.mergeAll(OutgoingMails.Default, RelayBreaker.Default, RelayLive)),
  Layer.provide(SigningKeys.Default)
)

/** Turns mail that came in into messages, reports and forwardings. */
const Inbound = InboundWorker.pipe(
  Layer.provide(ProcessInbound),
  Layer.provide(Layer.mergeAll(Feedback.Default, Forwarding.Default, ReceivedMessages.Default)),
  Layer.provide(Layer.merge(Blocks.Default, Complaints.Default))
)

/** Reads, checks and seals received mail, in threads of their own. */
const Readers = Layer.merge(MailReaderThread, MailSealerArc).pipe(
  Layer.provideMerge(MailAuthenticatorDns),
  Layer.provide(MailThreadsNode)
)

/** Plays calls, and posts what happens in them to the webhooks of agents. */
const Voice = Layer.merge(
  VoiceCallWorker.pipe(
    Layer.provide(PlayCalls.Default),
    Layer.provide(Layer.merge(CallErrands.Default, DescribeCallLive)),
    Layer.provide(MessagesLive)
  ),
  AgentNoticeWorker.pipe(Layer.provide(AgentNotices.Default))
)

const Webhooks = WebhookWorker.pipe(Layer.provide(WebhookDeliveries.Default), Layer.provide(WebhookPace.Default))

/** What every worker does at intervals, so that nothing grows forever. */
const Jobs = ScheduledJobs(
  Effect.zipWith(
    retentionJobs,
    Effect.all([cleanUpDrafts, gatherCounts, recheckDomains, removeObjects, settleUploads]),
    (retention, others) => [...retention, ...others]
  )
).pipe(Layer.provide(Layer.merge(DomainChecks.Default, UploadSearches.Default)))

/** Everything that a worker does, over the database connections for work. */
export const Work = Layer.mergeAll(Delivery, Inbound, Jobs, Voice, Webhooks).pipe(
  Layer.provide(Readers),
  Layer.locally(connectionUse, "work")
)

import { MailSealerArc } from "@switchboard/channels/email/forwarding/SealArc"
import { MailAuthenticatorDns } from "@switchboard/channels/email/receiving/authentication/MailAuthenticatorDns"
import { MailReaderWorker } from "@switchboard/channels/email/receiving/reading/MailReaderWorker"
import { MimeWorkerPoolNode } from "@switchboard/channels/email/receiving/reading/MimeWorkerPool"
import { ReportReaderWorker } from "@switchboard/channels/email/receiving/reports/ReportReaderWorker"
import { projectEvents } from "@switchboard/services/analytics/RollupRepo"
import { connectionUse } from "@switchboard/services/ConnectionUse"
import { cleanUpDrafts } from "@switchboard/services/drafts/Drafts"
import { Blocks } from "@switchboard/services/email/blocks/Blocks"
import { DomainChecks, recheckDomains } from "@switchboard/services/email/domains/DomainChecks"
import { pauseDomains } from "@switchboard/services/email/domains/DomainPauses"
import { SigningKeys } from "@switchboard/services/email/domains/SigningKeys"
import { Complaints, Feedback } from "@switchboard/services/email/feedback/Feedback"
import { Forwarding } from "@switchboard/services/email/forwarding/Forwarding"
import { Forwards } from "@switchboard/services/email/forwarding/Forwards"
import { ProcessInbound } from "@switchboard/services/email/receiving/ProcessInbound"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { MailReporting } from "@switchboard/services/email/reports/MailReporting"
import { Deliveries } from "@switchboard/services/messages/delivery/Deliveries"
import { OutgoingMails } from "@switchboard/services/messages/delivery/OutgoingMails"
import { ProviderBreakers } from "@switchboard/services/messages/delivery/ProviderBreaker"
import { removeObjects } from "@switchboard/services/objects/RemoveObjects"
import { ProcessProviderEvents } from "@switchboard/services/providers/ProcessProviderEvents"
import { Pauses } from "@switchboard/services/queues/Pauses"
import { retentionJobs } from "@switchboard/services/retention/RetentionJobs"
import { OptOuts } from "@switchboard/services/sms/OptOuts"
import { CallActions } from "@switchboard/services/voice/calls/CallActions"
import { PlayCalls } from "@switchboard/services/voice/calls/PlayCalls"
import { WebhookDeliveries, WebhookPace } from "@switchboard/services/webhooks/delivery/WebhookDeliveries"
import { ForwardingWorker } from "@switchboard/worker/email/forwarding/ForwardingWorker"
import { InboundWorker } from "@switchboard/worker/email/receiving/InboundWorker"
import { DeliveryWorker } from "@switchboard/worker/messages/DeliveryWorker"
import { ProviderEventWorker } from "@switchboard/worker/providers/ProviderEventWorker"
import { ScheduledJobs } from "@switchboard/worker/ScheduledJobs"
import { VoiceCallWorker } from "@switchboard/worker/voice/calls/VoiceCallWorker"
import { WebhookWorker } from "@switchboard/worker/webhooks/WebhookWorker"
import { Effect, Layer } from "effect"
import { SmsLive, WhatsAppLive } from "./ProvidersLive.js"
import { RelayLive } from "./RelayLive.js"
import { DescribeCallLive, MessagesLive } from "./UseCases.js"

/** Delivers messages and forwards received mail. */
const Delivery = Layer.merge(
  DeliveryWorker.pipe(Layer.provide(Deliveries.Default)),
  ForwardingWorker.pipe(Layer.provide(Forwards.Default))
).pipe(
  Layer.provide(Layer.mergeAll(OutgoingMails.Default, ProviderBreakers.Default, RelayLive, SmsLive)),
  Layer.provide(SigningKeys.Default)
)

/** Processes received mail into messages, feedback, forwardings and figures of reports. */
const Inbound = InboundWorker.pipe(
  Layer.provide(ProcessInbound),
  Layer.provide(Layer.mergeAll(Feedback.Default, Forwarding.Default, MailReporting.Default, ReceivedMessages.Default)),
  Layer.provide(Layer.merge(Blocks.Default, Complaints.Default))
)

/** Processes receipts and received texts. */
const Providers = ProviderEventWorker.pipe(Layer.provide(ProcessProviderEvents), Layer.provide(OptOuts.Default))

/** Parses mail, in worker threads. */
export const MailReading = Layer.provide(MailReaderWorker, MimeWorkerPoolNode)

/** Parses, authenticates and seals received mail, in worker threads. */
const Readers = Layer.mergeAll(MailReading, MailSealerArc, ReportReaderWorker).pipe(
  Layer.provideMerge(MailAuthenticatorDns),
  Layer.provide(MimeWorkerPoolNode)
)

/** Plays calls. */
const Voice = VoiceCallWorker.pipe(
  Layer.provide(PlayCalls.Default),
  Layer.provide(Layer.merge(CallActions.Default, DescribeCallLive)),
  Layer.provide(MessagesLive)
)

const Webhooks = WebhookWorker.pipe(Layer.provide(WebhookDeliveries.Default), Layer.provide(WebhookPace.Default))

/** The scheduled jobs of every worker: deletion of expired data, statistics, domain checks. */
const Jobs = ScheduledJobs(
  Effect.zipWith(
    retentionJobs,
    Effect.all([cleanUpDrafts, projectEvents, recheckDomains, pauseDomains, removeObjects]),
    (retention, others) => [...retention, ...others]
  )
).pipe(Layer.provide(DomainChecks.Default))

/** The complete worker, over the database connections that are reserved for it. */
export const Work = Layer.mergeAll(Delivery, Inbound, Jobs, Providers, Voice, Webhooks).pipe(
  Layer.provide(Layer.mergeAll(Readers, Pauses.Default, WhatsAppLive)),
  Layer.locally(connectionUse, "work")
)

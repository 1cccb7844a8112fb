import type { FieldsBySchema } from "./CommonFields.js"

const rateBase = "Rates are 0 to 1, and 0 without data."
const percentile = "Milliseconds from acceptance to sending"
const precision = "Exact up to 64, at most 1.6 % too high above. 0 without messages."

/** Fields of conversations, participants, numbers, opt-outs, WhatsApp service windows and statistics. */
export const conversationFields: FieldsBySchema = {
  Conversation: {
    archivedAt: "Time of archiving (UTC).",
    channels: "Channels of the conversation, at least one.",
    complexity: "Complexity, set by the caller.",
    context: "JSON of the caller, at most 4096 bytes.",
    isPrivate: "Whether it is private. Set by the caller; it has no effect on access.",
    lastActivityAt: "Time of the last message (UTC).",
    lastHumanActivityAt: "Time of the last message written by a person (UTC).",
    metadata: "JSON of the caller, at most 4096 bytes.",
    metrics:
      "JSON: `messageCount`, `inboundCount`, `outboundCount` and `averageResponseSeconds` (mean time from a received message to the next sent one).",
    parentConversationId: "Id of the parent conversation.",
    participantTracking:
      "JSON: `participants`, each with `id`, `name`, `joinedAt`, `messageCount` and `lastMessageAt`.",
    primaryChannel: "Preferred channel, one of `channels`.",
    priority: "Priority, 0 to 4. 2 is normal.",
    resolutionNotes: "Notes on the resolution, at most 2000 characters.",
    resolutionType: "Kind of resolution.",
    resolvedAt: "Time of resolution (UTC).",
    resolvedBy: "Id of the API key that resolved it.",
    startedAt: "Time of the start (UTC).",
    statusReason: "Reason of the status, at most 2000 characters. A new status removes it.",
    urgency: "Urgency, set by the caller."
  },
  CreateConversation: {
    categories: "Categories for filters, at most 20. Default: none.",
    complexity: "Complexity. Default: `simple`.",
    isInternal: "Whether it is internal to the organization. It has no effect on delivery. Default: false.",
    isPrivate: "Whether it is private. It has no effect on access. Default: false.",
    isTest: "Whether it is a test. Default: false.",
    parentConversationId: "Id of the parent conversation. Default: none.",
    participantIds: "Ids of the participants, 1 to 100. Repeated ids count once. Default: none.",
    primaryChannel: "Preferred channel, one of `channels`. Default: the first of `channels`.",
    priority: "Priority, 0 to 4. 2 is normal. Default: 2.",
    resolutionType: "Kind of resolution. Default: `manual`, if the status is `resolved`.",
    status: "Status. Default: `active`.",
    tags: "Labels for filters, at most 20. Default: none.",
    title: "Title shown to people, 1 to 200 characters. Default: none.",
    urgency: "Urgency. Default: `low`."
  },
  AddParticipants: { id: "Id of the conversation. It must equal the path parameter." },
  RemoveParticipants: { id: "Id of the conversation. It must equal the path parameter." },
  Participant: {
    channelIdentities: "Addresses of the participant by channel.",
    type: "`contact`: a person outside. `sender`: an address of the organization. `agent`: a voice agent."
  },
  CreateParticipant: {
    country: "Country code (ISO 3166-1 alpha-2). Default: none.",
    displayName: "Name shown to people instead of `name`, 1 to 200 characters. Default: none.",
    email: "E-mail address. No other participant may have it. Default: none.",
    metadata: "Free JSON object, at most 8192 bytes. Default: none.",
    name: "Name, 1 to 200 characters.",
    phone: "Phone number with its country code. Default: none.",
    region: "Region or state within the country, 1 to 100 characters. Default: none.",
    whatsappId: "Phone number of a WhatsApp account with its country code. Default: none."
  },
  UpdateParticipant: {
    email: "E-mail address. It replaces all earlier ones; null removes them.",
    metadata: "Free JSON object, at most 8192 bytes. It replaces the earlier one; null removes it.",
    phone: "Phone number with its country code. It replaces all earlier ones; null removes them.",
    whatsappId: "Phone number of a WhatsApp account. It replaces all earlier ones; null removes them."
  },
  OptOut: {
    number: "Number or sender id of the organization, whose texts are blocked.",
    phone: "Phone that gets no texts from the number (E.164: `+`, country code, at most 15 digits).",
    source: "Origin: `recipient` (a received text such as `STOP`), `api` (request)."
  },
  ServiceWindow: {
    freeEntryPointExpiresAt: "Time when the free entry point ends (UTC), 72 hours after its activation.",
    isFreeEntryPointActive: "Whether the free entry point is active.",
    isServiceWindowActive: "Whether the window is active.",
    participantId: "Id of the participant of the window. An extension.",
    serviceWindowExpiresAt: "Time when the window ends (UTC), 24 hours after its opening or the last received message.",
    serviceWindowId: "Id of the window."
  },
  SmsNumber: {
    channels: "Channels that the number is used in, at least one.",
    createdAt: "Time of the addition (UTC).",
    id: "Id of the number.",
    voiceAgentId: "Id of the agent that answers its calls. Default: the oldest active agent.",
    number:
      "Number with plus and country code (E.164), short code of 3 to 8 digits, or name of 1 to 11 GSM 03.38 characters."
  },
  NumberList: { items: "Numbers, oldest first." },
  OpenServiceWindow: { participantId: "Id of the participant whose window is opened." },
  ActivateFreeEntryPoint: {
    serviceWindowId: "Id of the service window.",
    source: "Origin of the participant, for example an advertisement."
  },
  AnalyticsStats: {
    activeConversations: "Number of conversations with a message in the range.",
    averageResponseSeconds:
      "Mean time from a received message to the next sent one of its conversation, in seconds. 0 without data.",
    deliveryRate: `Delivered messages divided by messages sent or rejected. ${rateBase}`,
    failureRate: `Failed messages divided by messages sent, rejected or failed. ${rateBase}`,
    inbound: "Number of messages received.",
    outbound: "Number of messages accepted for delivery.",
    totalMessages: "Number of messages accepted or received."
  },
  ChannelStats: {
    accepted: "Number of messages accepted for delivery. An extension.",
    bounced: "Number of messages that bounced, at once or after they were sent. An extension.",
    clicked: "Number of messages with a click on a tracked link. An extension.",
    complained: "Number of messages with a complaint. An extension.",
    cost: "Cost of the accepted messages, as a decimal number.",
    delivered: "Number of messages delivered.",
    failed: "Number of messages that failed.",
    read: "Number of messages opened.",
    received: "Number of messages received.",
    refused:
      "Number of bounced messages that the first server rejected, so that they were never sent. `sent` + `refused` + `failed` are the messages whose sending ended. An extension.",
    sent: "Number of messages sent."
  },
  DeliveryMetrics: {
    bounced: "Number of messages that bounced.",
    delivered: "Number of messages delivered.",
    failed: "Number of messages that failed.",
    granularity: "Length of a period.",
    p50Ms: `${percentile}, median. ${precision}`,
    p95Ms: `${percentile}, 95th percentile. ${precision}`,
    sent: "Number of messages sent.",
    series: "Periods of the range, oldest first.",
    timestamp: "Start of the period (UTC).",
    totals: "Numbers of the complete range."
  },
  HourOfDay: {
    count: "Number of messages accepted or received.",
    delivered: "Number of messages delivered.",
    failed: "Number of messages that failed.",
    hour: "Hour of the day in the organization's time zone, 0 to 23."
  },
  TopParticipant: {
    lastMessageAt: "Time of the last message in the range (UTC).",
    messageCount: "Number of messages to and from the participant.",
    name: "Name of the participant."
  },
  FailureShare: {
    count: "Number of recipients that bounced or failed.",
    reason: "Why they failed.",
    share: "Share of all failed recipients of the range, from 0 to 1."
  },
  GeographicEntry: {
    count: "Number of recipients. A recipient of two messages counts twice.",
    country: "Country code (ISO 3166-1 alpha-2), or `unknown`.",
    region: "Region, or `unknown`."
  },
  WhatsAppStats: {
    deliveryRate: `Delivered messages divided by messages sent or rejected. ${rateBase}`,
    failureRate: `Failed messages divided by messages sent, rejected or failed. ${rateBase}`,
    readRate: `Opened messages divided by messages sent or rejected. ${rateBase}`,
    totalDelivered: "Number of messages delivered.",
    totalFailed: "Number of messages that failed.",
    totalRead: "Number of messages opened.",
    totalSent: "Number of messages sent."
  }
}

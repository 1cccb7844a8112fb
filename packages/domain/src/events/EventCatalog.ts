import { Schema } from "effect"
import { ApiKey } from "../apiKeys/ApiKey.js"
import { Conversation } from "../conversations/Conversation.js"
import { Block } from "../email/blocks/Block.js"
import { EmailDomain } from "../email/domains/EmailDomain.js"
import { EmailSender } from "../email/senders/EmailSender.js"
import { DeletedMessage, MessageEventData } from "../messages/state/MessageEventData.js"
import { Organization, OrganizationId } from "../organizations/Organization.js"
import { Timestamp } from "../Timestamp.js"
import { VoiceCall } from "../voice/VoiceCall.js"
import { WebhookEndpoint } from "../webhooks/WebhookEndpoint.js"
import { EventId, type EventType } from "./EventType.js"

/** The data schema of each event: the resource as its GET returns it, without bodies and attachments. */
export const eventData = {
  "message.created": MessageEventData,
  "message.pending": MessageEventData,
  "message.scheduled": MessageEventData,
  "message.queued": MessageEventData,
  "message.processing": MessageEventData,
  "message.sent": MessageEventData,
  "message.delivered": MessageEventData,
  "message.read": MessageEventData,
  "message.clicked": MessageEventData,
  "message.failed": MessageEventData,
  "message.bounced": MessageEventData,
  "message.complained": MessageEventData,
  "message.received": MessageEventData,
  "message.deleted": DeletedMessage,
  "email_domain.created": EmailDomain,
  "email_domain.verified": EmailDomain,
  "email_domain.degraded": EmailDomain,
  "email_domain.failed": EmailDomain,
  "email_domain.paused": EmailDomain,
  "email_domain.resumed": EmailDomain,
  "email_domain.deleted": EmailDomain,
  "email_sender.created": EmailSender,
  "email_sender.verified": EmailSender,
  "email_sender.deleted": EmailSender,
  "email_block.created": Block,
  "email_block.deleted": Block,
  "conversation.created": Conversation,
  "conversation.updated": Conversation,
  "conversation.resolved": Conversation,
  "conversation.reopened": Conversation,
  "conversation.participant_added": Conversation,
  "conversation.participant_removed": Conversation,
  "api_key.created": ApiKey,
  "api_key.rotated": ApiKey,
  "api_key.deleted": ApiKey,
  "call.started": VoiceCall,
  "call.answered": VoiceCall,
  "call.ended": VoiceCall,
  "call.failed": VoiceCall,
  "recording.ready": VoiceCall,
  "transcript.ready": VoiceCall,
  "webhook_endpoint.test": WebhookEndpoint,
  "webhook_endpoint.disabled": WebhookEndpoint,
  "organization.updated": Organization,
  "organization.usage_exceeded": Organization
} as const satisfies Record<EventType, Schema.Schema.AnyNoContext>

/** The data of an event of this type. */
export type EventData<Type extends EventType> = (typeof eventData)[Type]["Type"]

/** The envelope of an event: the body of a webhook request, and the data of a server-sent event. */
export const eventEnvelope = <Type extends EventType>(type: Type) =>
  Schema.Struct({
    id: EventId,
    type: Schema.Literal(type),
    timestamp: Timestamp,
    organizationId: OrganizationId,
    data: eventData[type]
  })

/** An event with encoded data. */
export interface EncodedEvent {
  readonly id: EventId
  readonly type: EventType
  /** ISO 8601, UTC. */
  readonly timestamp: string
  readonly organizationId: OrganizationId
  readonly data: unknown
}

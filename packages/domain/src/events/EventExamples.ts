import type { EventType } from "./EventType.js"
import {
  exampleApiKey,
  exampleBlock,
  exampleCall,
  exampleConversation,
  exampleDomain,
  exampleEndpoint,
  exampleOrganizationData,
  exampleSender
} from "./ExampleData.js"
import type { EncodedData } from "./ExampleFacts.js"
import { exampleDeletedMessage, exampleMessage } from "./ExampleMessage.js"

/** An encoded example of each event, for the API description and for webhook tests. */
export const eventExamples: { readonly [Type in EventType]: EncodedData<Type> } = {
  "message.created": exampleMessage(),
  "message.pending": exampleMessage("pending"),
  "message.scheduled": exampleMessage("scheduled"),
  "message.queued": exampleMessage("pending", "processing", "queued"),
  "message.processing": exampleMessage("pending", "processing"),
  "message.sent": exampleMessage("pending", "processing", "sent"),
  "message.delivered": exampleMessage("pending", "processing", "sent", "delivered"),
  "message.read": exampleMessage("pending", "processing", "sent", "delivered", "read"),
  "message.failed": exampleMessage("pending", "processing", "failed"),
  "message.bounced": exampleMessage("pending", "processing", "bounced"),
  "message.complained": exampleMessage("pending", "processing", "sent", "delivered", "complained"),
  "message.received": { ...exampleMessage("delivered"), direction: "inbound" },
  "message.deleted": exampleDeletedMessage,
  "email_domain.created": exampleDomain("pending"),
  "email_domain.verified": exampleDomain("verified"),
  "email_domain.degraded": exampleDomain("degraded"),
  "email_domain.failed": exampleDomain("failed"),
  "email_domain.deleted": exampleDomain("verified"),
  "email_sender.created": exampleSender("pending"),
  "email_sender.verified": exampleSender("verified"),
  "email_sender.deleted": exampleSender("verified"),
  "email_block.created": exampleBlock,
  "email_block.deleted": exampleBlock,
  "conversation.created": exampleConversation("active"),
  "conversation.updated": exampleConversation("waiting"),
  "conversation.resolved": exampleConversation("resolved"),
  "conversation.reopened": exampleConversation("active"),
  "conversation.participant_added": exampleConversation("active"),
  "conversation.participant_removed": exampleConversation("active"),
  "api_key.created": exampleApiKey,
  "api_key.rotated": exampleApiKey,
  "api_key.deleted": { ...exampleApiKey, isActive: false },
  "call.started": exampleCall("ringing"),
  "call.answered": exampleCall("in_progress"),
  "call.ended": exampleCall("completed"),
  "call.failed": exampleCall("failed"),
  "recording.ready": { ...exampleCall("completed"), recordingUrl: "https://example.com/recordings/1815.wav" },
  "transcript.ready": { ...exampleCall("completed"), transcriptUrl: "https://example.com/transcripts/1815.txt" },
  "webhook_endpoint.test": exampleEndpoint("active"),
  "webhook_endpoint.disabled": exampleEndpoint("disabled"),
  "organization.updated": exampleOrganizationData,
  "organization.usage_exceeded": exampleOrganizationData
}

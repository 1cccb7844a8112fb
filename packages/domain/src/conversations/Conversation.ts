import { type DateTime, Schema } from "effect"
import { choice } from "../Fields.js"
import { Channel, ConversationId } from "../messages/Message.js"
import { OrganizationId } from "../organizations/Organization.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"

export const ConversationStatus = choice("active", "waiting", "snoozed", "resolved", "archived").annotations({
  identifier: "ConversationStatus"
})
export type ConversationStatus = typeof ConversationStatus.Type

export const Urgency = choice("low", "medium", "high", "critical").annotations({ identifier: "Urgency" })
export const Complexity = choice("simple", "moderate", "complex").annotations({ identifier: "Complexity" })
export const ResolutionType = choice("automated", "manual", "timeout", "duplicate", "spam").annotations({
  identifier: "ResolutionType"
})

const JsonText = Schema.String.annotations({ description: "JSON in a string" })

const Tracking = Schema.String.annotations({
  description:
    "JSON in a string: `participants`, each with `id`, `name`, `joinedAt`, `messageCount` (messages from them in this conversation) and `lastMessageAt`"
})

const Metrics = Schema.String.annotations({
  description:
    "JSON in a string: `messageCount`, `inboundCount`, `outboundCount`, and after the first reply `averageResponseSeconds`, from an inbound message to the next outbound message"
})

const moment = (description: string) => Schema.optional(Timestamp.annotations({ description }))

/** An exchange with one or more participants, over one or more channels. */
export class Conversation extends Schema.Class<Conversation>("Conversation")({
  id: ConversationId,
  organizationId: OrganizationId,
  title: Schema.optional(Schema.String),
  description: Schema.optional(Schema.String),
  externalId: Schema.optional(Schema.String),
  parentConversationId: Schema.optional(ConversationId),
  channels: Schema.Array(Channel),
  primaryChannel: Schema.optional(Channel),
  status: ConversationStatus,
  statusReason: Schema.optional(Schema.String),
  priority: Schema.Int.annotations({ description: "0 to 4; 2 is normal" }),
  urgency: Urgency,
  complexity: Complexity,
  metadata: Schema.optional(JsonText),
  participantTracking: Tracking,
  metrics: Metrics,
  context: Schema.optional(JsonText),
  tags: Schema.Array(Schema.String),
  categories: Schema.Array(Schema.String),
  isTest: Schema.Boolean,
  isInternal: Schema.Boolean,
  isPrivate: Schema.Boolean,
  startedAt: Timestamp,
  lastActivityAt: moment("when its last message was accepted or came in"),
  lastHumanActivityAt: moment("when its last message came in that a person wrote"),
  resolvedAt: Schema.optional(Timestamp),
  archivedAt: Schema.optional(Timestamp),
  resolvedBy: Schema.optional(Uuid),
  createdBy: Schema.optional(Uuid),
  resolutionType: Schema.optional(ResolutionType),
  resolutionNotes: Schema.optional(Schema.String),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

/** The status of a conversation and the fields that depend on it. */
export type ConversationState = Pick<
  Conversation,
  "status" | "statusReason" | "resolvedAt" | "resolvedBy" | "resolutionType" | "resolutionNotes" | "archivedAt"
>

/** A change of the status. Null removes a field; an omitted field follows from the status. */
export interface StatusChange {
  readonly status?: ConversationStatus | undefined
  readonly statusReason?: string | null | undefined
  readonly resolutionType?: Conversation["resolutionType"]
  readonly resolutionNotes?: string | null | undefined
}

/** The statuses of a conversation that has ended; a message reopens it. Waiting and snoozed ones are ongoing. */
export const endedStatuses = ["resolved", "archived"] as const satisfies ReadonlyArray<ConversationStatus>

/** Whether a conversation is neither resolved nor archived. */
const isOngoing = ({ status }: Pick<Conversation, "status">): boolean =>
  !endedStatuses.some((ended) => ended === status)

/**
 * Applies a change of the status. A new status clears the reason of the old one. The resolution is cleared when the
 * conversation is reopened, and stays when it is archived.
 */
export const applyStatusChange = (
  before: ConversationState,
  change: StatusChange,
  by: string | undefined,
  now: DateTime.Utc
): ConversationState => {
  const { status = before.status } = change
  const isMoved = status !== before.status
  const valueOf = (value: string | null | undefined, otherwise: string | undefined) =>
    value === undefined ? otherwise : (value ?? undefined)
  const statusReason = valueOf(change.statusReason, isMoved ? undefined : before.statusReason)
  if (isOngoing({ status })) return { status, statusReason }
  const isResolved = isMoved && status === "resolved"
  return {
    status,
    statusReason,
    resolvedAt: isResolved ? now : before.resolvedAt,
    resolvedBy: isResolved ? by : before.resolvedBy,
    resolutionType: change.resolutionType ?? (isResolved ? "manual" : before.resolutionType),
    resolutionNotes: valueOf(change.resolutionNotes, isResolved ? undefined : before.resolutionNotes),
    archivedAt: status === "archived" ? (before.archivedAt ?? now) : undefined
  }
}

/** The events of a change. */
export const statusEvents = (
  before: ConversationState,
  after: ConversationState
): ReadonlyArray<"conversation.resolved" | "conversation.reopened"> => {
  if (after.status === before.status) return []
  if (after.status === "resolved") return ["conversation.resolved"]
  return isOngoing(after) && !isOngoing(before) ? ["conversation.reopened"] : []
}

import { Schema } from "effect"
import { type ConversationStatus, endedStatuses } from "../../conversations/Conversation.js"
import { choice } from "../../Fields.js"
import { ConversationId } from "../../messages/Message.js"
import { OrganizationId } from "../../organizations/Organization.js"
import { MessageParticipant, ParticipantId } from "../../participants/Participant.js"
import { SearchText } from "../../Search.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"

export const ThreadId = Uuid.pipe(Schema.brand("ThreadId"))
export type ThreadId = typeof ThreadId.Type

/** The status of the thread's conversation; waiting and snoozed count as active. */
export const ThreadStatus = choice("active", "resolved", "archived").annotations({ identifier: "ThreadStatus" })
export type ThreadStatus = typeof ThreadStatus.Type

/** The status of the threads of a conversation. */
export const threadStatus = (status: ConversationStatus): ThreadStatus =>
  endedStatuses.find((ended) => ended === status) ?? "active"

const participants = Schema.Array(MessageParticipant).annotations({
  description: "the senders and recipients of its messages, by id"
})
const unreadCount = Schema.Int.annotations({ description: "messages received since it was last marked as read" })

/** A thread of e-mails. */
export class Thread extends Schema.Class<Thread>("Thread")({
  id: ThreadId,
  organizationId: OrganizationId,
  conversationId: ConversationId,
  subject: Schema.String,
  status: ThreadStatus,
  participants,
  messageCount: Schema.Int,
  unreadCount,
  firstMessageAt: Timestamp,
  lastMessageAt: Timestamp,
  lastMessageDirection: Schema.Literal("outbound", "inbound"),
  hasAttachments: Schema.Boolean,
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

/** A thread without its status. */
export class ThreadMetadata extends Schema.Class<ThreadMetadata>("ThreadMetadata")({
  id: ThreadId,
  subject: Schema.String,
  participants,
  messageCount: Schema.Int,
  unreadCount,
  firstMessageAt: Timestamp,
  lastMessageAt: Timestamp,
  hasAttachments: Schema.Boolean
}) {}

/** The numbers of threads; `threadsLast7Days` and `threadsLast30Days` count the threads that began in that time. */
export class ThreadCounts extends Schema.Class<ThreadCounts>("ThreadCounts")({
  totalThreads: Schema.Int,
  activeThreads: Schema.Int,
  resolvedThreads: Schema.Int,
  archivedThreads: Schema.Int,
  threadsLast7Days: Schema.Int,
  threadsLast30Days: Schema.Int
}) {}

/** Filters of a list of threads; `search` matches the subject. */
export const ThreadFilters = Schema.Struct({
  status: Schema.optional(ThreadStatus),
  participantId: Schema.optional(ParticipantId),
  search: Schema.optional(SearchText)
})
export type ThreadFilters = typeof ThreadFilters.Type

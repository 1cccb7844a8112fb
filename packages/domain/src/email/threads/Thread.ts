import { Schema } from "effect"
import { choice } from "../../Choice.js"
import { ConversationId } from "../../messages/Message.js"
import { OrganizationId } from "../../organizations/Organization.js"
import { MessageParticipant } from "../../participants/Participant.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"

export const ThreadId = Uuid.pipe(Schema.brand("ThreadId"))
export type ThreadId = typeof ThreadId.Type

/** That of its conversation, where waiting and snoozed count as active. */
export const ThreadStatus = choice("active", "resolved", "archived").annotations({ identifier: "ThreadStatus" })
export type ThreadStatus = typeof ThreadStatus.Type

const participants = Schema.Array(MessageParticipant).annotations({
  description: "everyone whom its messages are from or to, in the order of their ids"
})
const unreadCount = Schema.Int.annotations({ description: "messages that came in since it was last marked as read" })

/** Mails that answer each other. */
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

/** What can be told of a thread without where it stands. */
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

/** How many threads there are; those of the last days are those that began in them. */
export class ThreadCounts extends Schema.Class<ThreadCounts>("ThreadCounts")({
  totalThreads: Schema.Int,
  activeThreads: Schema.Int,
  resolvedThreads: Schema.Int,
  archivedThreads: Schema.Int,
  threadsLast7Days: Schema.Int,
  threadsLast30Days: Schema.Int
}) {}

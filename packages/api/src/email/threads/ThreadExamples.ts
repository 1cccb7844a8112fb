import { exampleConversation } from "@switchboard/domain/events/ExampleData"
import { exampleMessage } from "@switchboard/domain/events/ExampleMessage"

const {
  content,
  fromParticipant,
  toParticipants = [],
  ...sent
} = exampleMessage("pending", "processing", "sent", "delivered")
const { createdAt, organizationId } = sent

const thread = {
  id: "01a1fc22-5c40-7d1f-a3b2-3f4e5d6c7b8a",
  organizationId,
  conversationId: exampleConversation("active").id,
  subject: content.subject,
  status: "active",
  participants: [fromParticipant, ...toParticipants],
  messageCount: 2,
  unreadCount: 1,
  firstMessageAt: createdAt,
  lastMessageAt: "2026-11-20T10:12:00.000Z",
  lastMessageDirection: "inbound",
  hasAttachments: false,
  createdAt: "2026-11-20T10:12:01.000Z",
  updatedAt: "2026-11-20T10:12:01.000Z"
}

const message = {
  ...sent,
  conversationId: thread.conversationId,
  threadId: thread.id,
  content: {
    ...content,
    html: "<p>Your order left our house this morning.</p>",
    text: "Your order left our house this morning.",
    attachments: []
  },
  fromParticipant,
  toParticipants
}

const {
  conversationId: _,
  createdAt: __,
  lastMessageDirection: ___,
  organizationId: ____,
  status,
  updatedAt,
  ...metadata
} = thread

/** Examples by operation id. */
export const threadExamples = {
  "threads.counts": {
    response: {
      totalThreads: 1815,
      activeThreads: 42,
      resolvedThreads: 1700,
      archivedThreads: 73,
      threadsLast7Days: 31,
      threadsLast30Days: 128
    }
  },
  "threads.list": { response: { items: [thread], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } } },
  "threads.getByMessage": { response: thread },
  "threads.get": { response: thread },
  "threads.metadata": { response: metadata },
  "threads.messages": { response: { items: [message], pagination: { page: 1, limit: 1, total: 2, totalPages: 2 } } },
  "threads.markRead": { response: { ...thread, unreadCount: 0, status, updatedAt } }
}

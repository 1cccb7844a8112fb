import { exampleMessage } from "@switchboard/domain/events/EventExamples"
import { exampleConversation } from "@switchboard/domain/events/ExampleData"
import { messageExample } from "./MessageExamples.js"

const { createdAt: at, id } = messageExample

const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 }

const mail = {
  id: "01a1fc1d-e263-75b0-8c63-b51e27abcdaf",
  messageId: `<${id}@localhost.test>`,
  mailFrom: "hello@localhost.test",
  rcptTo: ["ada@example.com"],
  size: 695,
  receivedAt: at,
  from: "hello@localhost.test",
  to: ["ada@example.com"],
  subject: "Your order has shipped"
}

/** Examples by operation id. */
export const mailboxExamples = {
  "mailbox.list": { response: { items: [mail], pagination } },
  "mailbox.reply": {
    request: { text: "Thank you! When will it be here?" },
    response: {
      messageId: "<01a1fc1f-0b2c-7d51-9a3e-6c1f4be0d2a7@example.com>",
      from: "ada@example.com",
      to: [`r+${id}.5f0c2b9e71d84a3692bd@localhost.test`],
      subject: "Re: Your order has shipped",
      response: "250 OK: message queued"
    }
  },
  "mailbox.simulate": { request: { kind: "bounce" }, response: { success: true } },
  "mailbox.get": {
    response: {
      ...mail,
      cc: [],
      headers: [{ name: "subject", value: "Your order has shipped" }],
      text: "Your order left our house this morning.",
      html: "<p>Your order left our house this morning.</p>",
      attachments: [],
      raw: "Subject: Your order has shipped\r\n\r\n…"
    }
  }
}

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
  subject: "subject" in content ? content.subject : "",
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

const name = "example.com"

const catchAll = {
  domain: name,
  enabled: true,
  forwardTo: ["ada@example.org"],
  exclude: [`no-reply@${name}`],
  createdAt: "2026-11-20T09:50:00.000Z",
  updatedAt: "2026-11-21T08:15:00.000Z"
}

/** Examples by operation id. */
export const receivingExamples = {
  "receiving.enable": {
    request: { domain: name, catchAll: true, addresses: ["support", `sales@${name}`] },
    response: {
      success: true,
      ruleName: `inbound-${name}`,
      recipients: [`support@${name}`, `sales@${name}`, `*@${name}`]
    }
  },
  "catchAll.enable": { request: { domain: name, forwardTo: catchAll.forwardTo }, response: catchAll },
  "catchAll.disable": { request: { domain: name }, response: { ...catchAll, enabled: false } },
  "catchAll.config": { response: catchAll },
  "catchAll.update": { request: { domain: name, exclude: ["no-reply"] }, response: catchAll },
  "catchAll.stats": {
    response: { domain: name, received: 1815, forwarded: 1790, rejected: 52, last24Hours: 12, last30Days: 640 }
  }
}

import { exampleAt } from "@switchboard/domain/events/ExampleData"

const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 }

const rule = {
  id: "01a1fc1e-b1c2-7d3e-8f4a-5b6c7d8e9f01",
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  name: "Invoices to accounting",
  match: { recipient: "*@example.com", subjectContains: "invoice" },
  forwardTo: ["accounting@example.org"],
  keepCopy: true,
  rewriteFrom: false,
  priority: 10,
  isActive: true,
  matchCount: 42,
  lastMatchedAt: "2026-11-21T08:15:00.000Z",
  createdAt: "2026-11-20T09:50:00.000Z",
  updatedAt: "2026-11-20T09:50:00.000Z"
}

const { lastMatchedAt: _, ...unused } = { ...rule, matchCount: 0 }
const { forwardTo, match, name, priority } = rule

/** Examples by operation id. */
export const forwardingExamples = {
  "forwarding.list": { response: { items: [rule], pagination } },
  "forwarding.create": { request: { name, match, forwardTo, priority }, response: unused },
  "forwarding.update": { request: { isActive: false }, response: { ...rule, isActive: false } },
  "forwarding.remove": { response: { success: true } },
  "forwarding.log": {
    response: {
      items: [
        {
          id: "01a1fc1e-b7a0-7c11-9e52-0f1a2b3c4d5e",
          ruleId: rule.id,
          messageId: "01a1fc1e-b79e-7a33-8c21-7d6e5f4a3b2c",
          forwardedTo: "accounting@example.org",
          status: "forwarded",
          createdAt: "2026-11-21T08:15:00.000Z"
        }
      ],
      pagination
    }
  }
}

/** Examples by operation id. */
export const emailSendExamples = {
  "email.send": {
    request: {
      to: ["ada@example.com", { email: "grace@example.com", name: "Grace Hopper" }],
      subject: "Your order has shipped",
      html: '<p><img src="cid:logo" alt="Analytical Engines"> Your order left our house this morning.</p>',
      attachments: [
        {
          filename: "logo.gif",
          content: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
          contentType: "image/gif",
          contentId: "logo"
        }
      ],
      idempotencyKey: "order-1815-shipped"
    },
    response: { id: "01a1fc1d-e1a0-7029-814e-d493ca640e3c", status: "pending" }
  }
}

const rawExample = [
  "From: hello@example.org",
  "To: ada@example.com",
  "Subject: Your order has shipped",
  "Message-ID: <01a1fc1d-e1a0-7029-814e-d493ca640e3c@example.org>",
  "Date: Mon, 23 Nov 2026 09:30:00 +0000",
  "MIME-Version: 1.0",
  "Content-Type: text/plain; charset=utf-8",
  "Content-Transfer-Encoding: 7bit",
  "",
  "Your order left our house this morning.",
  ""
].join("\r\n")

/** An example of a file with its link. */
export const attachmentExample = {
  id: "01a1fc44-91c0-7c11-8a52-0d1e2f3a4b5c",
  filename: "parcel.jpg",
  contentType: "image/jpeg",
  size: 48_213,
  url: "https://mail.example.org/v1/objects/eyJrZXkiOiIwMWExIn0.5f0c2b9e71d84a3692bd"
}

/** Examples by operation id. */
export const emailRecordExamples = {
  "emailRecords.raw": { response: rawExample },
  "emailRecords.html": { response: '<base target="_blank"><p>Your order left our house this morning.</p>' },
  "emailRecords.get": {
    response: {
      id: "01a1fc44-91c0-7b3d-9f10-5a6b7c8d9e0f",
      messageId: "<CAF1815@mail.gmail.com>",
      direction: "inbound",
      status: "delivered",
      from: "Ada Lovelace <ada@example.com>",
      to: ["help@example.org"],
      cc: [],
      replyTo: [],
      subject: "Re: Your order has shipped",
      text: "It has arrived, thank you!",
      headers: {
        from: "Ada Lovelace <ada@example.com>",
        "in-reply-to": "<01a1fc1d-e1a0-7029-814e-d493ca640e3c@example.org>"
      },
      attachments: [attachmentExample],
      threadId: "01a1fc22-5c40-7d1f-a3b2-3f4e5d6c7b8a",
      authentication: { spf: "pass", dkim: "pass", dmarc: "pass" },
      size: 68_104,
      createdAt: exampleAt,
      deliveredAt: exampleAt
    }
  }
}

const template = {
  id: "01a1fc1d-d2b0-7c31-9a41-6f1de0a4b7c2",
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  name: "Order shipped",
  channel: "email",
  subject: "Your order {{order.id}} has shipped",
  html: "<p>Hello {{name}},</p><ul>{{#items}}<li>{{title}}</li>{{/items}}</ul>",
  text: "Hello {{name}},\n{{#items}}\n- {{title}}\n{{/items}}",
  variables: [
    { name: "order.id", required: true },
    { name: "name", required: false, fallback: "there" },
    { name: "title", required: false },
    { name: "items", required: false }
  ],
  version: 1,
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.000Z"
}

const { createdAt, html, id: templateId, subject, text, variables } = template
const version = { templateId, version: 1, subject, html, text, variables, createdAt }

/** Examples by operation id. */
export const templateExamples = {
  "templates.list": {
    response: { items: [template], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } }
  },
  "templates.create": {
    request: {
      name: template.name,
      subject: template.subject,
      html: template.html,
      text: template.text,
      variables: [{ name: "name", fallback: "there" }]
    },
    response: template
  },
  "templates.versions": {
    response: { items: [version], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } }
  },
  "templates.get": { response: template },
  "templates.update": {
    request: { subject: "Order {{order.id}} is on its way" },
    response: {
      ...template,
      subject: "Order {{order.id}} is on its way",
      version: 2,
      updatedAt: "2026-11-20T10:15:20.000Z"
    }
  },
  "templates.remove": { response: { success: true } },
  "templates.render": {
    request: { data: { order: { id: "1815" }, items: [{ title: "Nuts & bolts" }] } },
    response: {
      subject: "Your order 1815 has shipped",
      html: "<p>Hello there,</p><ul><li>Nuts &amp; bolts</li></ul>",
      text: "Hello there,\n- Nuts & bolts\n",
      missing: []
    }
  },
  "templates.html": {
    response: '<base target="_blank"><p>Hello there,</p><ul></ul>'
  }
}

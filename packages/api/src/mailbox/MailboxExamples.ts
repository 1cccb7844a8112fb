import { messageExample } from "../messages/MessageExamples.js"

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

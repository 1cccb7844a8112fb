import { messageExample } from "./MessageExamples.js"

const text = {
  id: "01a1fc1d-e263-75b0-8c63-b51e27abcde0",
  channel: "sms",
  from: "+4915100000000",
  to: "+4917000000000",
  text: "Your order has shipped",
  encoding: "gsm7",
  segments: 1,
  request: null,
  receivedAt: messageExample.createdAt,
  messageId: messageExample.id
}

/** Examples by operation id. */
export const handsetExamples = {
  "handset.list": { response: { items: [text], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } } },
  "handset.get": { response: text },
  "handset.reply": {
    request: { text: "Thank you! When will it be here?" },
    response: {
      channel: "sms",
      from: "+4917000000000",
      to: "+4915100000000",
      text: "Thank you! When will it be here?",
      encoding: "gsm7",
      segments: 1
    }
  }
}

import { exampleAt } from "@switchboard/domain/events/ExampleFacts"

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
      attachments: [
        {
          id: "01a1fc44-91c0-7c11-8a52-0d1e2f3a4b5c",
          filename: "parcel.jpg",
          contentType: "image/jpeg",
          size: 48_213,
          url: "https://mail.example.org/v1/objects/eyJrZXkiOiIwMWExIn0.5f0c2b9e71d84a3692bd"
        }
      ],
      threadId: "01a1fc22-5c40-7d1f-a3b2-3f4e5d6c7b8a",
      authentication: { spf: "pass", dkim: "pass", dmarc: "pass" },
      size: 68_104,
      createdAt: exampleAt,
      deliveredAt: exampleAt
    }
  }
}

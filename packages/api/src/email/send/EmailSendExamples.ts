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

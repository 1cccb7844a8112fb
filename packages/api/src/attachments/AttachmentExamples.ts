const attachment = {
  id: "01a1fc1e-2c7d-7e85-9cb2-7d8f40613e54",
  filename: "offer.txt",
  contentType: "text/plain",
  size: 10,
  createdAt: "2026-11-20T09:29:30.000Z"
}

/** Examples by operation id. */
export const attachmentExamples = {
  "attachments.upload": {
    request: { filename: "offer.txt", contentType: "text/plain", content: "SGVsbG8gQWRhIQ==" },
    response: attachment
  },
  "attachments.get": { response: attachment }
}

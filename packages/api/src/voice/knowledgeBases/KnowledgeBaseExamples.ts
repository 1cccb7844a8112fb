const base = {
  id: "01a1fc1e-0b5c-7a41-8f7e-3f4b0c2d9a10",
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  name: "Shop",
  description: "Opening hours, addresses and prices",
  documentCount: 1,
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:31:12.000Z"
}

const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 }

const document = {
  id: "01a1fc1e-1c6d-7b52-9a8f-4a5c1d3e0b21",
  knowledgeBaseId: base.id,
  filename: "opening-hours.pdf",
  contentType: "application/pdf",
  contentLength: 48_213,
  storageKey: "01a1fc1d-cf8f-76d9-be28-52307925009f/knowledge/01a1fc1e-1c6d-7b52-9a8f-4a5c1d3e0b21",
  status: "ready",
  createdAt: "2026-11-20T09:31:02.000Z"
}

/** Examples by operation id. */
export const knowledgeBaseExamples = {
  "knowledgeBases.list": { response: { items: [base], pagination } },
  "knowledgeBases.create": {
    request: { name: base.name, description: base.description },
    response: { ...base, documentCount: 0, updatedAt: base.createdAt }
  },
  "knowledgeBases.get": { response: base },
  "knowledgeBases.remove": { response: { success: true } },
  "knowledgeBases.documents": { response: { items: [document], pagination } },
  "knowledgeBases.requestUpload": {
    request: {
      filename: document.filename,
      contentType: document.contentType,
      contentLength: document.contentLength
    },
    response: {
      uploadUrl:
        "http://127.0.0.1:3000/v1/uploads/01a1fc1d-cf8f-76d9-be28-52307925009f.01a1fc1e-1c6d-7b52-9a8f-4a5c1d3e0b21.5f0c2b9e71d84a3692bd",
      documentId: document.id,
      storageKey: document.storageKey
    }
  }
}

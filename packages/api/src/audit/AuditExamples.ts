import { exampleAt } from "@switchboard/domain/events/ExampleData"

const entry = {
  id: "01a1fc1e-4b7d-7a63-9f0e-2c1d3e4f5a6b",
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  at: exampleAt,
  actor: { type: "apiKey", id: "01a1fc1d-cf9d-766f-8d6a-43d494c19440", name: "Operations" },
  operation: "apiKeys.update",
  resource: "apiKeys",
  resourceId: "01a1fc1d-cf9d-766f-8d6a-43d494c19441",
  outcome: "succeeded",
  changes: { isActive: { before: true, after: false } },
  ipAddress: "203.0.113.7",
  userAgent: "curl/8.14.1",
  requestId: "5f0c2b9e-71d8-4a36-92bd-0b1c2d3e4f5a"
}

/** Examples of the audit log by operation id. */
export const auditExamples = {
  "audit.list": { response: { items: [entry], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } } },
  "audit.export": { response: `${JSON.stringify(entry)}\n` }
}

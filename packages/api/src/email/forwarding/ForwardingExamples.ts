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

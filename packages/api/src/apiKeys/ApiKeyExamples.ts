const value = "sk_sm_7Hq2vXbN4tLw9ZcRfYp1KdGmJsUa8EoTi3Bx5Vn0"
const start = value.slice(0, 12)
const at = "2026-11-20T09:30:00.000Z"

const key = {
  id: "01a1fc1d-cf9d-766f-8d6a-43d494c1944f",
  name: "Shop",
  key: `${start}…`,
  start,
  description: "Sends the shop's receipts",
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  roleName: "sender",
  permissions: {
    messages: ["read", "send"],
    templates: ["read"],
    email: ["read"],
    domains: ["read"],
    drafts: ["read", "write"]
  },
  isActive: true,
  createdAt: at,
  expiresAt: "2027-11-20T09:30:00.000Z",
  lastUsedAt: "2026-11-20T10:15:20.000Z"
}

const { lastUsedAt, ...unused } = key
const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 }

/** Examples by operation id. */
export const apiKeyExamples = {
  "apiKeys.list": { response: { items: [key], pagination } },
  "apiKeys.create": {
    request: {
      name: "Shop",
      description: "Sends the shop's receipts",
      roleName: "sender",
      expiresAt: "2027-11-20T09:30:00.000Z"
    },
    response: { ...unused, key: value }
  },
  "apiKeys.get": { response: key },
  "apiKeys.update": { request: { isActive: false }, response: { ...key, isActive: false } },
  "apiKeys.remove": { response: { success: true } },
  "apiKeys.rotate": { request: { gracePeriodSeconds: 3600 }, response: { ...key, key: value } },
  "apiKeys.activity": {
    response: {
      items: [
        { method: "POST", path: "/v1/messages", status: 201, latencyMs: 12, ipAddress: "192.0.2.7", at: lastUsedAt }
      ],
      pagination
    }
  },
  "apiKeys.stats": {
    response: {
      totalRequests: 1200,
      requestsLast24Hours: 48,
      errorRate: 0.01,
      byStatus: { 201: 1188, 422: 12 },
      byEndpoint: { "POST /v1/messages": 1200 },
      lastUsedAt
    }
  }
}

/** Examples by operation id. */
export const systemExamples = {
  "system.status": {
    response: {
      version: "0.3.0",
      queues: [{ queue: "message", ready: 2, leased: 10, waiting: 3, oldestSeconds: 0.4, isPaused: false }],
      relays: [{ channel: "email", relay: "smtp.example.com:587", state: "closed", nextAttemptAt: null }],
      destinations: [],
      findings: [
        { level: "ok", subject: "Database (DATABASE_URL)" },
        {
          level: "error",
          subject: "Relay smtp.example.com:587",
          advice: ["connect ECONNREFUSED", "Check SMTP_URL, and that the relay accepts connections from this host."]
        }
      ],
      checkedAt: "2026-11-20T09:30:00.000Z"
    }
  }
}

/** Examples by operation id. */
export const sessionExamples = {
  "sessions.create": {
    request: { apiKey: "sk_sm_0123456789abcdefghijklmnopqrstuvwxyzABCD" },
    response: { csrfToken: "5f0c2b9e71d84a3692bd", expiresAt: "2026-11-20T21:30:00.000Z" }
  },
  "sessions.listMethods": { response: { oidc: { name: "Example ID" } } },
  "sessions.get": {
    response: {
      organization: { id: "01a1fc1d-cf8f-76d9-be28-52307925009f", name: "Analytical Engines" },
      permissions: { "*": ["*"] },
      roleName: "admin",
      csrfToken: "5f0c2b9e71d84a3692bd",
      expiresAt: "2026-11-20T21:30:00.000Z"
    }
  },
  "sessions.remove": { response: { success: true } },
  "sessions.changePassword": {
    request: { currentPassword: "correct horse battery", newPassword: "staple of the engine" },
    response: { success: true }
  },
  "sessions.beginTotp": {
    request: { password: "correct horse battery" },
    response: {
      secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
      uri: "otpauth://totp/Switchboard:ada%40example.com?issuer=Switchboard&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30"
    }
  },
  "sessions.confirmTotp": {
    request: { code: "492039" },
    response: { recoveryCodes: ["mfrg-g2ln-orsx-g5dt", "nbsw-y3dp-o5xx-e3de"] }
  },
  "sessions.removeTotp": {
    request: { password: "correct horse battery", code: "492039" },
    response: { success: true }
  }
}

const person = { id: "01a1fc1d-e0c2-7b1f-9a54-6d1f0a2b3c4d", email: "ada@example.com", name: "Ada Lovelace" }

const user = {
  ...person,
  roleName: "admin",
  hasPassword: true,
  hasTotp: false,
  lastLoginAt: "2026-11-20T10:15:20.000Z",
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.000Z"
}

const invitation = {
  id: "01a1fc1d-e0d7-7d38-8c11-2f5b7a9e0d63",
  email: "charles@example.com",
  roleName: "sender",
  name: "Charles Babbage",
  invitedBy: person,
  createdAt: "2026-11-20T09:30:00.000Z",
  expiresAt: "2026-11-27T09:30:00.000Z"
}

const onePage = { page: 1, limit: 20, total: 1, totalPages: 1 }

/** Examples by operation id. */
export const userExamples = {
  "users.list": { response: { items: [user], pagination: onePage } },
  "users.listInvitations": { response: { items: [invitation], pagination: onePage } },
  "users.invite": {
    request: { email: "charles@example.com", roleName: "sender", name: "Charles Babbage" },
    response: {
      ...invitation,
      url: "https://mail.example.net/console/#invitation=01a1fc1d-e0c0-7f53-8a91-5a0d3e6c2b71.01a1fc1d-e0d7-7d38-8c11-2f5b7a9e0d63.5f0c2b9e71d84a3692bd",
      isMailed: true
    }
  },
  "users.removeInvitation": { response: { success: true } },
  "users.get": { response: user },
  "users.update": { request: { roleName: "admin" }, response: user },
  "users.remove": { response: { success: true } },
  "users.removeTotp": { response: { success: true } },
  "users.acceptInvitation": {
    request: {
      token: "01a1fc1d-e0c0-7f53-8a91-5a0d3e6c2b71.01a1fc1d-e0d7-7d38-8c11-2f5b7a9e0d63.5f0c2b9e71d84a3692bd",
      name: "Charles Babbage",
      password: "correct horse battery"
    },
    response: { csrfToken: "5f0c2b9e71d84a3692bd", expiresAt: "2026-11-20T21:30:00.000Z" }
  },
  "users.requestReset": { request: { email: "ada@example.com" }, response: { success: true } },
  "users.confirmReset": {
    request: {
      token: "01a1fc1d-e0c0-7f53-8a91-5a0d3e6c2b71.01a1fc1d-e0d7-7d38-8c11-2f5b7a9e0d63.5f0c2b9e71d84a3692bd",
      password: "staple of the engine"
    },
    response: { success: true }
  }
}

const value = "sk_sm_7Hq2vXbN4tLw9ZcRfYp1KdGmJsUa8EoTi3Bx5Vn0"
const start = value.slice(0, 12)
const at = "2026-11-20T09:30:00.000Z"

/** An organization with all optional fields. */
export const organizationExample = {
  id: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  name: "Analytical Engines",
  slug: "analytical-engines",
  logo: "https://example.com/logo.png",
  defaultCurrency: "EUR",
  countryCode: "DE",
  timezone: "Europe/Berlin",
  billingEmail: "billing@example.com",
  plan: "growth",
  isActive: true,
  metadata: { costCentre: 1815 },
  messagesUsed: 48_213,
  messagesUsedThisMonth: 1_207,
  smsUsed: 0,
  smsUsedThisMonth: 0,
  whatsappUsed: 0,
  whatsappUsedThisMonth: 0,
  emailUsed: 48_213,
  emailUsedThisMonth: 1_207,
  participantsUsed: 8_190,
  conversationsUsed: 0,
  teamMembersUsed: 0,
  messagesResetAt: "2026-12-01T00:00:00.000Z",
  createdAt: at,
  updatedAt: at
}

/** Examples by operation id. */
export const organizationExamples = {
  "organizations.get": { response: organizationExample },
  "organizations.update": {
    request: { timezone: "Europe/Berlin", metadata: { costCentre: 1815 } },
    response: organizationExample
  }
}

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

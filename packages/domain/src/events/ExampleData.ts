import type { Schema } from "effect"
import type { eventData } from "./EventCatalog.js"
import type { EventType } from "./EventType.js"

/** The data of an event in wire format. */
export type EncodedData<Type extends EventType> = Schema.Schema.Encoded<(typeof eventData)[Type]>

/** The time of all examples. */
export const exampleAt = "2026-11-20T09:30:00.000Z"

/** The organization of all examples. */
export const exampleOrganization = "01a1fc1d-cf8f-76d9-be28-52307925009f"

/** The resource ids of the examples. */
export const exampleMessageId = "01a1fc1d-e1a0-7029-814e-d493ca640e3c"
export const exampleApiKeyId = "01a1fc1d-cf9d-766f-8d6a-43d494c1944f"

export const exampleDomain = (
  status: EncodedData<"email_domain.created">["status"]
): EncodedData<"email_domain.created"> => ({
  id: "01a1fc1e-0f1a-7c52-9d0e-6a8f5b2c3d41",
  domain: "example.com",
  status,
  ...(status === "pending" ? {} : { verifiedAt: exampleAt }),
  dnsRecords: [
    {
      type: "TXT",
      name: "_switchboard.example.com",
      value: "switchboard-verification=5f0c2b9e71d84a3692bd",
      ttl: "3600",
      description: "Proves that the domain is yours"
    }
  ],
  dkimTokens: ["MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCg…", "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCk…"],
  verificationToken: "5f0c2b9e71d84a3692bd",
  trackOpens: false,
  trackClicks: false,
  createdAt: exampleAt,
  updatedAt: exampleAt
})

export const exampleSender = (
  verificationStatus: EncodedData<"email_sender.created">["verificationStatus"]
): EncodedData<"email_sender.created"> => ({
  id: "01a1fc1e-2b07-7f0b-8f4d-0c1d2e3f4a5b",
  organizationId: exampleOrganization,
  email: "hello@example.com",
  name: "Analytical Engines",
  verificationStatus,
  ...(verificationStatus === "verified" ? { verifiedAt: exampleAt } : {}),
  isDefault: false,
  isActive: true,
  reputation: 100,
  createdAt: exampleAt,
  updatedAt: exampleAt
})

export const exampleBlock: EncodedData<"email_block.created"> = {
  id: "01a1fc1e-3c55-7a1e-b6c0-1f2e3d4c5b6a",
  organizationId: exampleOrganization,
  type: "email",
  value: "ada@example.com",
  scope: "all",
  reason: "hard_bounce",
  source: "system",
  sourceMessageId: exampleMessageId,
  hitCount: 0,
  createdAt: exampleAt,
  updatedAt: exampleAt
}

export const exampleConversation = (
  status: EncodedData<"conversation.created">["status"]
): EncodedData<"conversation.created"> => ({
  id: "01a1fc1e-4d11-7b3c-9a7e-2f3e4d5c6b7a",
  organizationId: exampleOrganization,
  title: "Where is my order?",
  channels: ["email"],
  primaryChannel: "email",
  status,
  priority: 2,
  urgency: "medium",
  complexity: "simple",
  participantTracking: "{}",
  metrics: "{}",
  tags: ["orders"],
  categories: [],
  isTest: false,
  isInternal: false,
  isPrivate: false,
  startedAt: exampleAt,
  lastActivityAt: exampleAt,
  ...(status === "resolved" ? { resolvedAt: exampleAt, resolutionType: "manual" as const } : {}),
  createdAt: exampleAt,
  updatedAt: exampleAt
})

export const exampleApiKey: EncodedData<"api_key.created"> = {
  id: exampleApiKeyId,
  name: "Shop",
  key: "sk_sm_Xy12Ab…",
  start: "sk_sm_Xy12Ab",
  organizationId: exampleOrganization,
  permissions: { messages: ["read", "send"] },
  isActive: true,
  createdAt: exampleAt
}

export const exampleCall = (status: EncodedData<"call.started">["status"]): EncodedData<"call.started"> => ({
  id: "01a1fc1e-5e77-7d2f-8b1c-3a4b5c6d7e8f",
  organizationId: exampleOrganization,
  transport: "pstn",
  direction: "outbound",
  from: "+4930123456",
  to: "+442079460018",
  status,
  initiatedAt: exampleAt,
  ...(status === "completed"
    ? { answeredAt: exampleAt, endedAt: "2026-11-20T09:31:02.000Z", durationSeconds: 62 }
    : {}),
  createdAt: exampleAt,
  updatedAt: exampleAt
})

const exampleConfiguration = { url: "https://example.com/hooks", events: ["message.*"] }

export const exampleEndpoint = (
  status: EncodedData<"webhook_endpoint.test">["status"]
): EncodedData<"webhook_endpoint.test"> => ({
  id: "01a1fc1e-6f90-7e4d-9c2b-4d5e6f708192",
  organizationId: exampleOrganization,
  name: "Orders",
  slug: "orders",
  type: "webhook",
  config: JSON.stringify(exampleConfiguration),
  configuration: exampleConfiguration,
  filters: "{}",
  rateLimit: "{}",
  metrics: JSON.stringify({
    delivered: 1814,
    failed: 1,
    pending: 0,
    retrying: 0,
    attempts: 1830,
    successRate: 0.9912568306010929,
    averageLatencyMs: 87,
    lastSuccessAt: exampleAt
  }),
  priority: 0,
  status,
  testMode: false,
  createdAt: exampleAt,
  updatedAt: exampleAt,
  createdBy: exampleApiKeyId,
  lastModifiedBy: exampleApiKeyId
})

export const exampleOrganizationData: EncodedData<"organization.updated"> = {
  id: exampleOrganization,
  name: "Analytical Engines",
  slug: "analytical-engines",
  defaultCurrency: "USD",
  timezone: "UTC",
  plan: "free",
  isActive: true,
  metadata: {},
  messagesUsed: 18_150,
  messagesUsedThisMonth: 1_000,
  smsUsed: 0,
  smsUsedThisMonth: 0,
  whatsappUsed: 0,
  whatsappUsedThisMonth: 0,
  emailUsed: 18_150,
  emailUsedThisMonth: 1_000,
  participantsUsed: 815,
  conversationsUsed: 0,
  teamMembersUsed: 0,
  messagesResetAt: "2026-12-01T00:00:00.000Z",
  createdAt: exampleAt,
  updatedAt: exampleAt
}

import { exampleAt, exampleEndpoint } from "@switchboard/domain/events/ExampleData"

const endpoint = exampleEndpoint("active")
const url = "https://example.com/hooks"
const events = ["message.delivered", "message.failed"]
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 }

const created = {
  ...endpoint,
  config: JSON.stringify({ url, events, secret }),
  configuration: { url, events, secret },
  metrics: JSON.stringify({
    delivered: 0,
    failed: 0,
    pending: 0,
    retrying: 0,
    attempts: 0,
    successRate: 0,
    averageLatencyMs: 0
  })
}

const eventId = "01a1fc1d-e2c4-7c1e-8a55-0d2b7f3e9a61"

const requestHeaders = {
  authorization: "[hidden]",
  "content-type": "application/json",
  "user-agent": "Switchboard-Webhooks/1.0",
  "webhook-id": eventId,
  "webhook-timestamp": "1795166970",
  "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
}

const responded = {
  at: exampleAt,
  requestHeaders,
  responseStatus: 200,
  responseHeaders: { "content-type": "text/plain" },
  responseBody: "ok",
  durationMs: 87
}

const delivery = {
  id: "01a1fc1d-e2c5-7004-8000-3b9c1f2a7d10",
  endpointId: endpoint.id,
  eventId,
  eventType: "message.delivered",
  status: "succeeded",
  requestBody: JSON.stringify({
    id: eventId,
    type: "message.delivered",
    timestamp: exampleAt,
    organizationId: endpoint.organizationId,
    data: { id: "01a1fc1d-e1a0-7029-814e-d493ca640e3c", status: "delivered" }
  }),
  attempts: [
    {
      attempt: 1,
      trigger: "scheduled",
      at: exampleAt,
      requestHeaders,
      durationMs: 15_000,
      error: "No complete response within 15s"
    },
    { attempt: 2, trigger: "scheduled", ...responded }
  ],
  createdAt: exampleAt
}

const tested = {
  ...delivery,
  eventType: "webhook_endpoint.test",
  attempts: [{ attempt: 1, trigger: "test", ...responded }]
}

const { attempts: failed, ...retried } = delivery

/** Examples by operation id. */
export const webhookExamples = {
  "webhookEndpoints.list": { response: { items: [endpoint], pagination } },
  "webhookEndpoints.create": {
    request: { name: "Orders", url, events, filters: { channels: ["email"] } },
    response: created
  },
  "webhookEndpoints.get": { response: endpoint },
  "webhookEndpoints.update": { request: { status: "active", rateLimit: { maxPerSecond: 10 } }, response: endpoint },
  "webhookEndpoints.remove": { response: { success: true } },
  "webhookEndpoints.regenerateSecret": { request: { webhookId: endpoint.id }, response: { newSecret: secret } },
  "webhookEndpoints.logs": { response: { items: [delivery], pagination } },
  "webhookEndpoints.delivery": { response: delivery },
  "webhookEndpoints.stats": {
    response: {
      total: 1815,
      succeeded: 1814,
      failed: 1,
      pending: 0,
      retrying: 0,
      attempts: 1830,
      successRate: 0.9912568306010929,
      averageLatencyMs: 87,
      last24Hours: 120
    }
  },
  "webhookEndpoints.test": { request: { event: "webhook_endpoint.test" }, response: tested },
  "webhookEndpoints.retry": {
    response: { ...retried, status: "pending", attempts: failed.slice(0, 1), nextAttemptAt: exampleAt }
  },
  "webhookEndpoints.recover": { request: { since: exampleAt }, response: { requeued: 12 } }
}

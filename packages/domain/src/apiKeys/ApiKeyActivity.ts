import { Schema } from "effect"
import { Timestamp } from "../Timestamp.js"

/** One request that used a key. */
export class ApiKeyActivity extends Schema.Class<ApiKeyActivity>("ApiKeyActivity")({
  method: Schema.String,
  path: Schema.String,
  status: Schema.Int.annotations({ description: "the HTTP status of the response" }),
  latencyMs: Schema.Int,
  ipAddress: Schema.String,
  at: Timestamp
}) {}

const Count = Schema.Int.pipe(Schema.nonNegative())
const Counts = Schema.Record({ key: Schema.String, value: Count })

/** The usage of a key within the retention of its activity. */
export class ApiKeyStats extends Schema.Class<ApiKeyStats>("ApiKeyStats")({
  totalRequests: Count,
  requestsLast24Hours: Count,
  errorRate: Schema.Number.pipe(Schema.between(0, 1)).annotations({
    description: "the share of requests with a status of 400 or above; 0 without requests"
  }),
  byStatus: Counts.annotations({ description: "requests by HTTP status of the response" }),
  byEndpoint: Counts.annotations({ description: "requests by operation, like GET /v1/messages/:id" }),
  lastUsedAt: Schema.optional(Timestamp)
}) {}

import { Schema } from "effect"
import { Timestamp } from "../Timestamp.js"

/** One request that a key made. */
export class ApiKeyActivity extends Schema.Class<ApiKeyActivity>("ApiKeyActivity")({
  method: Schema.String,
  path: Schema.String,
  status: Schema.Int.annotations({ description: "the HTTP status of the answer" }),
  latencyMs: Schema.Int,
  ipAddress: Schema.String,
  at: Timestamp
}) {}

const Count = Schema.Int.pipe(Schema.nonNegative())
const Counts = Schema.Record({ key: Schema.String, value: Count })

/** What a key was used for, as far back as that is kept. */
export class ApiKeyStats extends Schema.Class<ApiKeyStats>("ApiKeyStats")({
  totalRequests: Count,
  requestsLast24Hours: Count,
  errorRate: Schema.Number.pipe(Schema.between(0, 1)).annotations({
    description: "the part of the requests that were answered with 400 or above; 0 without any"
  }),
  byStatus: Counts.annotations({ description: "requests by the HTTP status of their answer" }),
  byEndpoint: Counts.annotations({ description: "requests by operation, like GET /v1/messages/:id" }),
  lastUsedAt: Schema.optional(Timestamp)
}) {}

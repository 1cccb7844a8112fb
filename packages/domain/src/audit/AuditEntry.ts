import { Schema } from "effect"
import { choice } from "../Fields.js"
import { OrganizationId } from "../organizations/Organization.js"
import { text } from "../Text.js"
import { IsoDateTime, Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"

export const AuditEntryId = Uuid.pipe(Schema.brand("AuditEntryId"))
export type AuditEntryId = typeof AuditEntryId.Type

/** The user or the API key that made a change, with name and address at that time. */
export const AuditActor = Schema.Struct({
  type: choice("apiKey", "user"),
  id: Uuid,
  name: Schema.String,
  email: Schema.optional(Schema.String)
}).annotations({ identifier: "AuditActor" })
export type AuditActor = typeof AuditActor.Type

/** `unknown`: the process ended, or lost the database, before it recorded the end of the change. */
export const AuditOutcome = choice("succeeded", "unknown").annotations({ identifier: "AuditOutcome" })
export type AuditOutcome = typeof AuditOutcome.Type

/** The values of a field. A field that is created has no `before`, a field that is removed has no `after`. */
export const AuditChange = Schema.Struct({
  before: Schema.optional(Schema.Unknown),
  after: Schema.optional(Schema.Unknown)
}).annotations({ identifier: "AuditChange" })
export type AuditChange = typeof AuditChange.Type

/** The changed fields of a resource. */
export const AuditChanges = Schema.Record({ key: Schema.String, value: AuditChange })
export type AuditChanges = typeof AuditChanges.Type

/** A change of an organization's configuration or data by an operation of the API. */
export class AuditEntry extends Schema.Class<AuditEntry>("AuditEntry")({
  id: AuditEntryId,
  organizationId: OrganizationId,
  at: Timestamp,
  actor: AuditActor,
  operation: Schema.String,
  resource: Schema.String,
  resourceId: Schema.optional(Schema.String),
  outcome: AuditOutcome,
  changes: Schema.optional(AuditChanges),
  ipAddress: Schema.String,
  userAgent: Schema.String,
  requestId: Schema.optional(Schema.String)
}) {}

/** The resources of entries: the groups of the operations that are recorded. */
export const auditResources = [
  "apiKeys",
  "blocks",
  "catchAll",
  "conversations",
  "domains",
  "drafts",
  "emails",
  "forwarding",
  "knowledgeBases",
  "messages",
  "optOuts",
  "organizations",
  "participants",
  "receiving",
  "senders",
  "serviceWindows",
  "sessions",
  "templates",
  "users",
  "voiceAgents",
  "voiceCalls",
  "voiceWorkflows",
  "webhookEndpoints",
  "webhooks"
] as const

/** The maximum length of an operation, a resource or a resource's id in a filter. */
const maxFilterLength = 320

const FilterText = text(1, maxFilterLength)

/** Filters of a list of audit entries. `since` is inclusive, `until` exclusive. */
export const AuditFilters = Schema.Struct({
  actorId: Schema.optional(Uuid),
  operation: Schema.optional(FilterText),
  resource: Schema.optional(FilterText),
  resourceId: Schema.optional(FilterText),
  since: Schema.optional(IsoDateTime),
  until: Schema.optional(IsoDateTime)
})
export type AuditFilters = typeof AuditFilters.Type

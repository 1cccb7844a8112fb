import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import type { AuditChanges, AuditEntry, AuditEntryId, AuditFilters } from "@switchboard/domain/audit/AuditEntry"
import type { BadRequestError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type DateTime, type Effect } from "effect"
import type { ExportPage } from "../analytics/ExportRepo.js"

/** A change that is about to be made. */
export interface IntendedChange {
  readonly organizationId: OrganizationId
  /** The key that makes the change, its own or that of a user. The entry has the present name. */
  readonly apiKeyId: ApiKeyId
  readonly operation: string
  readonly resource: string
  readonly resourceId: string | null
  readonly ipAddress: string
  readonly userAgent: string
  readonly requestId: string | null
}

/** The result of a change. */
export interface MadeChange {
  readonly resourceId: string | null
  /** The changed fields; null if the entry has none. */
  readonly changes: AuditChanges | null
}

/** Stores the changes that users and keys made. */
export class AuditRepo extends Context.Tag("services/AuditRepo")<
  AuditRepo,
  {
    /** Stores an entry with the outcome `unknown`. */
    readonly begin: (
      id: AuditEntryId,
      at: DateTime.Utc,
      change: IntendedChange
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Completes an entry, with the outcome `succeeded`. */
    readonly complete: (
      organization: OrganizationId,
      id: AuditEntryId,
      made: MadeChange
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Removes the entry of a change that was not made. */
    readonly remove: (organization: OrganizationId, id: AuditEntryId) => Effect.Effect<void, ServiceUnavailableError>
    /** The organization's entries, newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: AuditFilters,
      page: PageRequest
    ) => Effect.Effect<Page<AuditEntry>, BadRequestError | ServiceUnavailableError>
    /** The organization's entries, oldest first. */
    readonly exported: (
      organization: OrganizationId,
      filters: AuditFilters,
      page: ExportPage<AuditEntryId>
    ) => Effect.Effect<ReadonlyArray<AuditEntry>, ServiceUnavailableError>
  }
>() {}

import type { ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Template, TemplateId } from "@switchboard/domain/email/templates/Template"
import type { TemplateFilters } from "@switchboard/domain/email/templates/TemplateRequests"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type Effect, type Option } from "effect"

/** Where templates are kept, with every version that they ever had. A name that is taken is a conflict. */
export class TemplateRepo extends Context.Tag("services/TemplateRepo")<
  TemplateRepo,
  {
    /** Stores a template and its first version. */
    readonly insert: (template: Template) => Effect.Effect<void, ConflictError | ServiceUnavailableError>
    readonly find: (
      organization: OrganizationId,
      id: TemplateId
    ) => Effect.Effect<Option.Option<Template>, ServiceUnavailableError>
    /** The one that has this name. */
    readonly findByName: (
      organization: OrganizationId,
      name: string
    ) => Effect.Effect<Option.Option<Template>, ServiceUnavailableError>
    /** Newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: TemplateFilters,
      page: PageRequest
    ) => Effect.Effect<Page<Template>, ServiceUnavailableError>
    /**
     * Decides what becomes of a template while nobody else changes it; a version that is new is kept with it. None if
     * the organization has no such template.
     */
    readonly change: <E>(
      organization: OrganizationId,
      id: TemplateId,
      decide: (template: Template) => Effect.Effect<Template, E>
    ) => Effect.Effect<Option.Option<Template>, E | ConflictError | ServiceUnavailableError>
    /** Removes a template, whether it existed. Its versions stay: messages name them. */
    readonly remove: (organization: OrganizationId, id: TemplateId) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}

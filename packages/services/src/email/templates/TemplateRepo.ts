import type { BadRequestError, ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type {
  Template,
  TemplateFilters,
  TemplateId,
  TemplateVersion
} from "@switchboard/domain/email/templates/Template"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type Effect, type Option } from "effect"

/** Stores templates with all their versions. Names are unique in an organization. */
export class TemplateRepo extends Context.Tag("services/TemplateRepo")<
  TemplateRepo,
  {
    /** Stores a template and its first version. Fails if the name is in use. */
    readonly insert: (template: Template) => Effect.Effect<void, ConflictError | ServiceUnavailableError>
    /** A template of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: TemplateId
    ) => Effect.Effect<Option.Option<Template>, ServiceUnavailableError>
    /** The template with this name. */
    readonly findByName: (
      organization: OrganizationId,
      name: string
    ) => Effect.Effect<Option.Option<Template>, ServiceUnavailableError>
    /** The organization's templates, newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: TemplateFilters,
      page: PageRequest
    ) => Effect.Effect<Page<Template>, BadRequestError | ServiceUnavailableError>
    /** The versions of a template, newest first. */
    readonly versions: (
      organization: OrganizationId,
      id: TemplateId,
      page: PageRequest
    ) => Effect.Effect<Page<TemplateVersion>, BadRequestError | ServiceUnavailableError>
    /**
     * Locks a template, calls `decide`, and stores the result, with a new version if it has one. None if the
     * organization has no such template.
     */
    readonly change: <E>(
      organization: OrganizationId,
      id: TemplateId,
      decide: (template: Template) => Effect.Effect<Template, E>
    ) => Effect.Effect<Option.Option<Template>, E | ConflictError | ServiceUnavailableError>
    /**
     * Removes a template and keeps its versions, since messages refer to them. Returns whether the template existed.
     */
    readonly remove: (organization: OrganizationId, id: TemplateId) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}

import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import {
  CreateTemplate,
  RenderedTemplate,
  RenderTemplate,
  Template,
  TemplateData,
  TemplateFilters,
  TemplateId,
  TemplateVersion,
  UpdateTemplate
} from "@switchboard/domain/email/templates/Template"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Audit, auditReasons, Extension, Location, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Removed } from "../../CommonShapes.js"
import { IdempotencyHeaders } from "../../idempotency/IdempotencyKeyHeader.js"
import { Filters, JsonParameter } from "../../JsonParameter.js"

const id = Schema.Struct({ id: TemplateId })

/** Query parameters of the list of templates. */
export const TemplateListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(TemplateFilters, { search: "welcome" }))
})

/** Query parameters of the page with a template's HTML. */
export const TemplateHtmlParams = Schema.Struct({
  data: Schema.optional(JsonParameter(TemplateData, "a JSON object with the data", { order: { id: "1815" } }))
})

export const TemplatePage = Page(Template).annotations({ identifier: "TemplatePage" })

export const TemplateVersionPage = Page(TemplateVersion).annotations({ identifier: "TemplateVersionPage" })

/** Templates of messages of every channel. */
export class TemplatesApi extends HttpApiGroup.make("templates")
  .add(
    HttpApiEndpoint.get("list", "/email/templates")
      .setUrlParams(TemplateListParams)
      .addSuccess(TemplatePage)
      .annotate(Permission, "templates.read")
      .annotate(OpenApi.Summary, "List templates")
      .annotate(OpenApi.Description, "Templates of the organization, newest first.")
  )
  .add(
    HttpApiEndpoint.post("create", "/email/templates")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateTemplate)
      .addSuccess(Template, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Location, "/v1/email/templates/:id")
      .annotate(Permission, "templates.write")
      .annotate(OpenApi.Summary, "Create a template")
      .annotate(
        OpenApi.Description,
        [
          "Stores a template of at most 256 KiB. 409: another template has this name. An e-mail has `subject` and `html`; a template of `channel` `sms` has `text` only. Parts are written in Mustache:",
          "",
          "- `{{x}}`: value, escaped in `html`, plain in `subject` and `text`. `{{{x}}}` and `{{&x}}`: never escaped.",
          "- `{{#x}}…{{/x}}`: section. `{{^x}}…{{/x}}`: inverted section. `{{.}}`: current item of a section.",
          "- `{{order.id}}`: path.",
          "- Strings, numbers and booleans are inserted; lists and objects are not.",
          "- Partials, functions and other delimiters are not supported (422, with the position).",
          "",
          "The response lists the `variables` of the parts. Variables outside sections are required, unless the request gives them a fallback (`variables`, an extension). The fallback replaces missing and null values, also in sections."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/email/templates/:id")
      .setPath(id)
      .addSuccess(Template)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "templates.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Retrieve a template")
      .annotate(OpenApi.Description, "Returns the current version of the template.")
  )
  .add(
    HttpApiEndpoint.get("versions", "/email/templates/:id/versions")
      .setPath(id)
      .setUrlParams(Schema.Struct(PageParams))
      .addSuccess(TemplateVersionPage)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "templates.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "List the versions of a template")
      .annotate(
        OpenApi.Description,
        "Versions of the template, newest first. The first item is the current version. Versions are never deleted. `content.templateVersion` of a message refers to a version."
      )
  )
  .add(
    HttpApiEndpoint.patch("update", "/email/templates/:id")
      .setPath(id)
      .setPayload(UpdateTemplate)
      .addSuccess(Template)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "templates.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Update a template")
      .annotate(
        OpenApi.Description,
        "Changes the given fields and creates a new version. `null` resets a field that a creation may omit. Fallbacks of remaining variables stay, unless `variables` replaces all of them. Accepted messages keep their content."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/email/templates/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "templates.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Delete a template")
      .annotate(
        OpenApi.Description,
        "The template can no longer be used, and its name is free. Accepted messages keep their content."
      )
  )
  .add(
    HttpApiEndpoint.post("render", "/email/templates/:id/render")
      .setPath(id)
      .setPayload(RenderTemplate)
      .addSuccess(RenderedTemplate)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { unaudited: auditReasons.check })
      .annotate(Permission, "templates.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Render a template")
      .annotate(
        OpenApi.Description,
        [
          "Returns the parts that a send with this data would have. Nothing is sent.",
          "",
          "- `subject`, `html`, `text` and `variables` are changes as in an update: they are rendered, not stored.",
          "- Missing values are rendered as empty text. Missing required variables are listed in `missing`; a send would be rejected for them.",
          "- A result larger than 1 MiB is rejected (422), as by a send.",
          "- Line breaks in the data of the subject become spaces."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.get("html", "/email/templates/:id/html")
      .setPath(id)
      .setUrlParams(TemplateHtmlParams)
      .addSuccess(HttpApiSchema.Text({ contentType: "text/html" }).annotations({ description: "an HTML page" }))
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "templates.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Show the HTML of a template")
      .annotate(
        OpenApi.Description,
        [
          "Returns the HTML that a send with this data would have, as a page for a frame of the same origin.",
          "",
          "- As in `GET /v1/email/{id}/html`, hostile content is harmless: no scripts, forms or requests.",
          "- Use example data: proxies may log the URL.",
          "- A result larger than 1 MiB is rejected (422), and a template of a channel without HTML."
        ].join("\n")
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Templates") {}

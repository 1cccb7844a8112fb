import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Template, TemplateId } from "@switchboard/domain/email/templates/Template"
import {
  CreateTemplate,
  RenderedTemplate,
  RenderTemplate,
  TemplateFilters,
  UpdateTemplate
} from "@switchboard/domain/email/templates/TemplateRequests"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Examples, Extension, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Removed } from "../../CommonShapes.js"
import { Filters } from "../../Filters.js"
import { templateExamples } from "./TemplateExamples.js"

const id = Schema.Struct({ id: TemplateId })

/** What a list of templates may be narrowed to. */
export const TemplateListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(TemplateFilters, { search: "welcome" }))
})

export const TemplatePage = Page(Template).annotations({ identifier: "TemplatePage" })

/** What e-mails are made from. */
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
      .setPayload(CreateTemplate)
      .addSuccess(Template, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Permission, "templates.write")
      .annotate(OpenApi.Summary, "Create a template")
      .annotate(
        OpenApi.Description,
        [
          "Stores a template, at most 256 KiB, under a name that no other has (409). Its parts are Mustache: `{{x}}` is",
          "escaped in `html` and plain in `subject` and `text`, `{{{x}}}` and `{{&x}}` are never escaped; sections",
          "`{{#x}}…{{/x}}` and inverted sections `{{^x}}…{{/x}}`; paths like `{{order.id}}`; `{{.}}` is the value that a",
          "section stands at. Text, numbers, true and false are shown; a list or an object is not. There are no partials,",
          "no functions and no other delimiters: a template with one, or one that does not parse, is refused with the",
          "place (422). What the parts ask for is found and answered as `variables`: names outside sections are required,",
          "unless the request gives them a fallback (`variables`, an extension), which is shown where the data has",
          "nothing or null, in sections too."
        ].join(" ")
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
      .annotate(OpenApi.Description, "An extension. One template as it is now.")
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
        "An extension. Changes what is given, as a new version; null takes the text away. Fallbacks stay with the names that are still shown, unless `variables` gives all of them anew. Messages that were accepted before say what they said."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/email/templates/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "templates.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Remove a template")
      .annotate(
        OpenApi.Description,
        "An extension. Nothing can be sent by it any more, and its name is free. Messages that were made from it stay as they are."
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
      .annotate(Permission, "templates.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Render a template")
      .annotate(
        OpenApi.Description,
        "An extension. What a send with this data would say; nothing is sent. Names that the data lacks are shown as nothing and listed in `missing`: a send would be refused for them. What becomes larger than 1 MiB is refused (422), by a send too. Line breaks that data brings into the subject become spaces."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, templateExamples)
  .annotate(OpenApi.Title, "Templates") {}

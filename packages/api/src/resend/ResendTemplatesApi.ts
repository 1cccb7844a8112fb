import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { TemplateId } from "@switchboard/domain/email/templates/Template"
import { Schema } from "effect"
import { Audit, auditReasons, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { ResendList, ResendListParams, referenceOf, removedOf } from "./ResendShapes.js"
import { ListedTemplate, ResendNewTemplate, ResendTemplate, ResendTemplateChange } from "./ResendTemplate.js"

/** Resend finds a template also by its alias, which is the name here. */
const id = Schema.Struct({ id: Schema.String.annotations({ description: "the id or the name of a template" }) })

const TemplateReference = referenceOf("template", TemplateId).annotations({ identifier: "TemplateReference" })

/** Templates of emails. */
export class ResendTemplatesApi extends HttpApiGroup.make("templates")
  .add(
    HttpApiEndpoint.post("create", "/templates")
      .annotate(Audit, { values: "resource", path: "/v1/email/templates/:id" })
      .setPayload(ResendNewTemplate)
      .addSuccess(TemplateReference, { status: 201 })
      .annotate(Permission, "templates.write")
      .annotate(OpenApi.Summary, "Create a template")
      .annotate(
        OpenApi.Description,
        "A template is published at once. `subject` and `html` are required. 422: another template has this name."
      )
  )
  .add(
    HttpApiEndpoint.get("list", "/templates")
      .setUrlParams(ResendListParams)
      .addSuccess(ResendList(ListedTemplate).annotations({ identifier: "ListTemplatesResponse" }))
      .annotate(Permission, "templates.read")
      .annotate(OpenApi.Summary, "List templates")
      .annotate(OpenApi.Description, "Templates of emails, newest first.")
  )
  .add(
    HttpApiEndpoint.get("get", "/templates/:id")
      .setPath(id)
      .addSuccess(ResendTemplate)
      .annotate(Permission, "templates.read")
      .annotate(OpenApi.Summary, "Retrieve a template")
      .annotate(OpenApi.Description, "Returns the current version of the template.")
  )
  .add(
    HttpApiEndpoint.patch("update", "/templates/:id")
      .setPath(id)
      .setPayload(ResendTemplateChange)
      .addSuccess(TemplateReference)
      .annotate(Permission, "templates.write")
      .annotate(OpenApi.Summary, "Update a template")
      .annotate(OpenApi.Description, "Changes the given fields. Sends use the new version at once.")
  )
  .add(
    HttpApiEndpoint.post("publish", "/templates/:id/publish")
      .annotate(Audit, { unaudited: auditReasons.check })
      .setPath(id)
      .addSuccess(TemplateReference)
      .annotate(Permission, "templates.write")
      .annotate(OpenApi.Summary, "Publish a template")
      .annotate(OpenApi.Description, "Changes nothing: every version is published when it is created.")
  )
  .add(
    HttpApiEndpoint.post("duplicate", "/templates/:id/duplicate")
      .annotate(Audit, { values: "response" })
      .setPath(id)
      .addSuccess(TemplateReference, { status: 201 })
      .annotate(Permission, "templates.write")
      .annotate(OpenApi.Summary, "Duplicate a template")
      .annotate(
        OpenApi.Description,
        "Creates a template with the name `Copy of <name>`. 422: another template has this name."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/templates/:id")
      .setPath(id)
      .addSuccess(removedOf("template", TemplateId).annotations({ identifier: "DeleteTemplateResponse" }))
      .annotate(Permission, "templates.write")
      .annotate(OpenApi.Summary, "Delete a template")
      .annotate(OpenApi.Description, "The template can no longer be used. Accepted messages keep their content.")
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Templates") {}

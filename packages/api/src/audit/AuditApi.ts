import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { AuditEntry, AuditFilters } from "@switchboard/domain/audit/AuditEntry"
import { maxChangesSize } from "@switchboard/domain/audit/ChangedFields"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Extension, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { Filters } from "../JsonParameter.js"

const filters = Schema.optional(Filters(AuditFilters, { operation: "apiKeys.create" }))

/** Query parameters of the list of audit entries. */
const AuditListParams = Schema.Struct({ ...PageParams, filters })

export const AuditPage = Page(AuditEntry).annotations({ identifier: "AuditPage" })

/** The media type of lines of JSON. */
const ndjsonType = "application/x-ndjson"

const exportDescription = [
  "Streams the entries as NDJSON, oldest first: one entry per line.",
  "",
  "- An incomplete response ends without its last chunk.",
  "- At most 5 exports per organization and process at the same time (429)."
].join("\n")

const listDescription = [
  "Changes of the organization by operations of the API, newest first.",
  "",
  "- A change is recorded before it is made. If it cannot be recorded, it is not made (503). A refused change has no entry.",
  "- `changes` has the changed fields as a GET of the resource responds with them. It has no secrets, and no values of headers.",
  `- \`changes\` has at most ${maxChangesSize / 1024} KiB: long texts are cut.`,
  "- Sends, simulations and checks have no entry.",
  "- Entries are deleted after `RETENTION_AUDIT` (400 days)."
].join("\n")

/** Changes of the organization's configuration and data. */
export class AuditApi extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/audit")
      .setUrlParams(AuditListParams)
      .addSuccess(AuditPage)
      .annotate(Permission, "audit.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "List changes of the organization")
      .annotate(OpenApi.Description, listDescription)
  )
  .add(
    HttpApiEndpoint.get("export", "/audit/export")
      .setUrlParams(Schema.Struct({ filters }))
      .addSuccess(HttpApiSchema.Text({ contentType: ndjsonType }).annotations({ description: "lines of JSON" }))
      .annotate(Permission, "audit.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Export changes of the organization")
      .annotate(OpenApi.Description, exportDescription)
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Audit log") {}

import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import {
  Block,
  BlockCheck,
  BlockFilters,
  BlockId,
  BlockImport,
  BlockLog,
  CreateBlock,
  maxImportLines,
  maxRefusedLines,
  UpdateBlock
} from "@switchboard/domain/email/blocks/Block"
import { AddressParameter } from "@switchboard/domain/email/EmailAddress"
import { Category } from "@switchboard/domain/messages/Categories"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Audit, BodyLimit, csvBody, Extension, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Removed } from "../../CommonShapes.js"
import { IdempotencyHeaders } from "../../idempotency/IdempotencyKeyHeader.js"
import { Filters } from "../../JsonParameter.js"

const importDescription = [
  "Adds the blocks of a CSV file (RFC 4180).",
  "",
  "- The body is `text/csv` in UTF-8, or in UTF-16 with a byte order mark: CRLF or LF, with commas, semicolons or tabs.",
  `- At most 16 MiB and ${maxImportLines.toLocaleString("en")} lines.`,
  "- The first line has the column names, in any order and case: `email` or `domain`, and any of `reason`, `category`, `expiresAt` and `createdAt`.",
  "- Instead, the columns can be those of an export of Postmark, SendGrid, Amazon SES, Postal, Mailgun or Resend.",
  "- `createdAt` is the time of the block, by default and at most the time of the import.",
  "- Each line is validated separately, as the body of `POST /email/blocks`. An empty cell is a missing field.",
  "- A line whose address or domain already has a block in the same scope counts as `existing`.",
  `- The response describes the first ${maxRefusedLines.toLocaleString("en")} invalid lines.`,
  "- 422: the columns are not those of a known file, or there are too many lines. Nothing is stored.",
  "- After a 503, some lines may be stored. A repeat counts them as `existing`.",
  "- An apostrophe before a cell that begins like a formula is removed, because exports add it.",
  "- Every added block is an event.",
  "- At most 2 imports per organization and process at the same time (429)."
].join("\n")

const exportDescription = [
  "Streams every block in force, oldest first, with the columns of an import.",
  "",
  "- `POST /email/blocks/import` reads this file.",
  "- An incomplete response ends without its last chunk.",
  "- A cell that a spreadsheet would run as a formula gets a leading apostrophe.",
  "- At most 5 exports per organization and process at the same time (429)."
].join("\n")

const id = Schema.Struct({ id: BlockId })

/** Query parameters of the list of blocks. */
const BlockListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(BlockFilters, { reason: "hard_bounce", search: "example.com" }))
})

export const BlockPage = Page(Block).annotations({ identifier: "BlockPage" })
export const BlockLogPage = Page(BlockLog).annotations({ identifier: "BlockLogPage" })

/** Blocked addresses and domains. */
export class BlocksApi extends HttpApiGroup.make("blocks")
  .add(
    HttpApiEndpoint.get("list", "/email/blocks")
      .setUrlParams(BlockListParams)
      .addSuccess(BlockPage)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "List blocks")
      .annotate(OpenApi.Description, "Blocked addresses and domains, newest first, including expired blocks.")
  )
  .add(
    HttpApiEndpoint.post("create", "/email/blocks")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateBlock)
      .addSuccess(Block, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Audit, { values: "resource", path: "/v1/email/blocks/:id" })
      .annotate(Permission, "email.write")
      .annotate(OpenApi.Summary, "Block an address or a domain")
      .annotate(
        OpenApi.Description,
        [
          "Blocks all mail to an address or domain, or with `category` (an extension) mail of that category.",
          "",
          "- Accepted messages that are not sent yet are affected too.",
          "- A blocked recipient is skipped (delivery `suppressed`); the other recipients get the message. Without other recipients the message becomes `failed`, with the code `recipient_blocked`.",
          "- A block on a category applies to messages that have it among their `categories`.",
          "- A block on a domain does not apply to its subdomains.",
          "- 409: the address or domain already has a block on all mail, or on the same category. An expired block is replaced."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.get("check", "/email/blocks/check")
      .setUrlParams(Schema.Struct({ email: AddressParameter, category: Schema.optional(Category) }))
      .addSuccess(BlockCheck)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Check whether an address is blocked")
      .annotate(
        OpenApi.Description,
        "Returns the blocks that apply, blocks on the address before blocks on its domain. Without `category`: all blocks. With `category` (an extension): blocks on all mail or on that category."
      )
  )
  .add(
    HttpApiEndpoint.get("logs", "/email/blocks/logs")
      .setUrlParams(Schema.Struct(PageParams))
      .addSuccess(BlockLogPage)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "List the log of blocks")
      .annotate(
        OpenApi.Description,
        "Entries newest first. `blocked`: a recipient of a message was skipped. `added`, `updated`, `removed`: the block changed. The block itself may have been removed."
      )
  )
  .add(
    HttpApiEndpoint.post("import", "/email/blocks/import")
      .setPayload(HttpApiSchema.Text({ contentType: "text/csv" }).annotations({ description: "a CSV file of blocks" }))
      .addSuccess(BlockImport)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Audit, { values: "response" })
      .annotate(Permission, "email.write")
      .annotate(BodyLimit, csvBody)
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Import blocks from a CSV file")
      .annotate(OpenApi.Description, importDescription)
  )
  .add(
    HttpApiEndpoint.get("export", "/email/blocks/export")
      .addSuccess(HttpApiSchema.Text({ contentType: "text/csv" }).annotations({ description: "a CSV file of blocks" }))
      .annotate(Permission, "email.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Export blocks as a CSV file")
      .annotate(OpenApi.Description, exportDescription)
  )
  .add(
    HttpApiEndpoint.patch("update", "/email/blocks/:id")
      .setPath(id)
      .setPayload(UpdateBlock)
      .addSuccess(Block)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "email.write")
      .annotate(OpenApi.Summary, "Update a block")
      .annotate(OpenApi.Description, "Changes the given fields. `null` resets a field that a creation may omit.")
  )
  .add(
    HttpApiEndpoint.del("remove", "/email/blocks/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.write")
      .annotate(OpenApi.Summary, "Delete a block")
      .annotate(
        OpenApi.Description,
        "Mail to the address or domain is sent again. Messages already skipped, and the log, stay as they are."
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Blocks") {}

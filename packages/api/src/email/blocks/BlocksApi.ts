import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Block, BlockId } from "@switchboard/domain/email/blocks/Block"
import { BlockImport, maxImportLines, maxRefusedLines } from "@switchboard/domain/email/blocks/BlockImport"
import { BlockCheck, BlockLog } from "@switchboard/domain/email/blocks/BlockLog"
import { BlockFilters, CreateBlock, UpdateBlock } from "@switchboard/domain/email/blocks/BlockRequests"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { Category } from "@switchboard/domain/messages/Categories"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { BodyLimit, csvBody, Examples, Extension, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Removed } from "../../CommonShapes.js"
import { Filters } from "../../Filters.js"
import { storable } from "../../http/body/Storable.js"
import { blockExamples } from "./BlockExamples.js"

const importDescription = [
  "An extension. Takes `text/csv` in UTF-8 (RFC 4180; CRLF or LF; with or without a byte order mark) of at most 16 MiB",
  `and ${maxImportLines.toLocaleString("en")} lines. The first line names the columns, in any order: \`email\` or`,
  "`domain`, and any of `reason`, `category` and `expiresAt`. Each line is judged by itself, as the body of",
  "POST /email/blocks is; an empty cell is a field that is left out. A line whose address or domain already has a block",
  "in the same scope counts as `existing`.",
  `The response describes the first ${maxRefusedLines.toLocaleString("en")} refused lines.`,
  "A file with an unknown column, too many lines or a quote that is not closed is refused as a whole: nothing of it is",
  "stored. After a 503 some of the lines may be stored; a repeat counts them as `existing`. An apostrophe before a cell",
  "that begins like a formula is removed, as exports write it. Every block that is added is an event. At most 2 imports",
  "an organization at a time on one process (429)."
].join(" ")

const exportDescription = [
  "An extension. Every block in force, oldest first, with the columns of an import: what this writes, POST",
  "/email/blocks/import reads. The file is written as it is read, however long it is; a response that breaks off was not",
  "finished. A cell that a spreadsheet would run as a formula has an apostrophe before it. At most 5 exports an",
  "organization at a time on one process (429)."
].join(" ")

const id = Schema.Struct({ id: BlockId })

/** What a list of blocks may be narrowed to. */
export const BlockListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(BlockFilters, { reason: "hard_bounce", search: "example.com" }))
})

export const BlockPage = Page(Block).annotations({ identifier: "BlockPage" })
export const BlockLogPage = Page(BlockLog).annotations({ identifier: "BlockLogPage" })

/** The addresses and domains that an organization does not send to. */
export class BlocksApi extends HttpApiGroup.make("blocks")
  .add(
    HttpApiEndpoint.get("list", "/email/blocks")
      .setUrlParams(BlockListParams)
      .addSuccess(BlockPage)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "List blocks")
      .annotate(
        OpenApi.Description,
        "Addresses and domains that the organization does not send to: at all, or no mail of one category. Newest first, with expired blocks."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/email/blocks")
      .setPayload(CreateBlock)
      .addSuccess(Block, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Permission, "email.write")
      .annotate(OpenApi.Summary, "Block an address or a domain")
      .annotate(
        OpenApi.Description,
        [
          "Without `category` (an extension) no mail is sent to the address or domain; with it, no mail of that category.",
          "Messages that were accepted before and are not sent yet are affected too. A blocked recipient is skipped",
          "(delivery `suppressed`), the others get the message; a message without other recipients ends as `failed` with",
          "the code `recipient_blocked`. A message is blocked by a block on any of its `categories`; a message without",
          "categories only by blocks on all mail. A domain stands for its own addresses, not for those of its subdomains.",
          "409 if the same address or domain has a block in force on all mail, or on the same category. An expired block is",
          "replaced."
        ].join(" ")
      )
  )
  .add(
    HttpApiEndpoint.get("check", "/email/blocks/check")
      .setUrlParams(Schema.Struct({ email: EmailAddress, category: Schema.optional(storable(Category)) }))
      .addSuccess(BlockCheck)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Check whether an address is blocked")
      .annotate(
        OpenApi.Description,
        [
          "Without `category` the address is blocked if any block is in force, and `blocks` has all of them. With `category`",
          "(an extension) it is blocked if mail of that category is: by a block on all mail or on the category. Blocks of the",
          "address come before those of its domain. `block` is the first."
        ].join(" ")
      )
  )
  .add(
    HttpApiEndpoint.get("logs", "/email/blocks/logs")
      .setUrlParams(Schema.Struct(PageParams))
      .addSuccess(BlockLogPage)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "List what happened to blocks")
      .annotate(
        OpenApi.Description,
        "Newest first: `blocked` for each recipient of a message that was passed over, `added`, `updated` and `removed` for the entries themselves. `blockId` may be that of an entry which is gone."
      )
  )
  .add(
    HttpApiEndpoint.post("import", "/email/blocks/import")
      .setPayload(HttpApiSchema.Text({ contentType: "text/csv" }).annotations({ description: "a CSV file of blocks" }))
      .addSuccess(BlockImport)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
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
      .annotate(OpenApi.Description, "Changes what is given; null takes the expiry away, so that it holds for good.")
  )
  .add(
    HttpApiEndpoint.del("remove", "/email/blocks/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.write")
      .annotate(OpenApi.Summary, "Remove a block")
      .annotate(
        OpenApi.Description,
        "The address or domain is sent to again. Messages that were passed over for it stay as they are; its log stays too."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, blockExamples)
  .annotate(OpenApi.Title, "Blocks") {}

import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Block, BlockId } from "@switchboard/domain/email/blocks/Block"
import { BlockCheck, BlockLog } from "@switchboard/domain/email/blocks/BlockLog"
import { BlockFilters, CreateBlock, UpdateBlock } from "@switchboard/domain/email/blocks/BlockRequests"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Filters } from "../../Filters.js"
import { Removed } from "../../Wire.js"

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
        "Addresses and domains that the organization does not send to, newest first, also those that are over."
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
        "Nothing is sent to it any more, also not of what was accepted before and is not sent yet: such a recipient is passed over (delivery `suppressed`), the others get the message; one without others ends as `failed` with the code `recipient_blocked`. A domain stands for its own addresses, not for those of its subdomains. An entry that is there already answers 409, also when it is over: update that one."
      )
  )
  .add(
    HttpApiEndpoint.get("check", "/email/blocks/check")
      .setUrlParams(Schema.Struct({ email: EmailAddress }))
      .addSuccess(BlockCheck)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Check whether an address is blocked")
      .annotate(
        OpenApi.Description,
        "Whether a message to this address would be passed over by now, and the entry for which: that of the address, or else that of its domain."
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
  .annotate(OpenApi.Title, "Blocks") {}

import { Either, Option, ParseResult, Schema } from "effect"
import { choice, clearable, oneOf } from "../../Fields.js"
import { Category } from "../../messages/Categories.js"
import { MessageId } from "../../messages/Message.js"
import { OrganizationId } from "../../organizations/Organization.js"
import { SearchText } from "../../Search.js"
import { IsoDateTime, Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"
import { domainForm } from "../AddressForms.js"
import { domainToAscii, EmailAddress } from "../EmailAddress.js"

/** The maximum number of lines of an import, without the header. */
export const maxImportLines = 100_000

/** The maximum number of rejected lines in a response. */
export const maxRefusedLines = 1_000

/** The columns of imported and exported blocks. */
export const blockColumns = ["email", "domain", "reason", "category", "expiresAt", "createdAt"] as const

const count = (description: string) => Schema.Int.annotations({ description })

/** A line that was rejected. */
export const RefusedLine = Schema.Struct({
  line: count("the number of the line in the file, from 1; of a cell over several lines, the last"),
  fields: Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }).annotations({
    description: "error messages by column"
  })
}).annotations({ identifier: "RefusedBlockLine" })
export type RefusedLine = typeof RefusedLine.Type

/** The result of an import of blocks. */
export const BlockImport = Schema.Struct({
  added: count("blocks that were added"),
  existing: count("lines with the address or domain and the scope of a block in force, or of an earlier line"),
  refused: count("lines that are no valid block"),
  refusedLines: Schema.Array(RefusedLine).annotations({ description: `the first ${maxRefusedLines} refused lines` })
}).annotations({ identifier: "BlockImport" })
export type BlockImport = typeof BlockImport.Type

export const BlockId = Uuid.pipe(Schema.brand("BlockId"))
export type BlockId = typeof BlockId.Type

export const BlockReason = choice("hard_bounce", "complaint", "unsubscribe", "manual").annotations({
  identifier: "BlockReason"
})
export type BlockReason = typeof BlockReason.Type

export const BlockScope = choice("all", "category").annotations({
  identifier: "BlockScope",
  description: "`all`: no mail is sent; `category`: no mail of the block's category is sent"
})
export type BlockScope = typeof BlockScope.Type

/** A block on an address or a domain: the organization sends it no mail, or no mail of one category. */
export class Block extends Schema.Class<Block>("Block")({
  id: BlockId,
  organizationId: OrganizationId,
  type: choice("email", "domain"),
  value: Schema.String,
  scope: BlockScope,
  category: Schema.optional(Category),
  reason: BlockReason,
  source: choice("system", "api", "recipient"),
  sourceMessageId: Schema.optional(MessageId),
  hitCount: Schema.Int,
  lastHitAt: Schema.optional(Timestamp),
  expiresAt: Schema.optional(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

export const BlockLogId = Uuid.pipe(Schema.brand("BlockLogId"))
export type BlockLogId = typeof BlockLogId.Type

/** `blocked`: the block suppressed a recipient. The other actions are changes of the block itself. */
export const BlockAction = choice("blocked", "added", "removed", "updated").annotations({ identifier: "BlockAction" })
export type BlockAction = typeof BlockAction.Type

/** One action of a block, or one change to the block. */
export class BlockLog extends Schema.Class<BlockLog>("BlockLog")({
  id: BlockLogId,
  blockId: BlockId,
  email: Schema.String.annotations({ description: "the recipient, or the address or domain of the entry" }),
  category: Schema.optional(Category),
  messageId: Schema.optional(MessageId),
  action: BlockAction,
  createdAt: Timestamp
}) {}

/** Whether an address is blocked, and the blocks that apply. */
export const BlockCheck = Schema.Struct({
  blocked: Schema.Boolean,
  block: Schema.optional(Block),
  blocks: Schema.Array(Block).annotations({
    description: "all blocks in force: those of the address before those of its domain, those on all mail first"
  })
}).annotations({ identifier: "BlockCheck" })
export type BlockCheck = typeof BlockCheck.Type

/** A domain in lower case and A-labels, as addresses of recipients are stored. */
const Domain = Schema.transformOrFail(Schema.String, Schema.String, {
  strict: true,
  decode: (text, _, ast) =>
    Either.fromOption(
      Option.filter(domainToAscii(text), () => !text.includes("@")),
      () => new ParseResult.Type(ast, text, "must be a domain like example.com")
    ),
  encode: ParseResult.succeed
}).annotations({
  description: "a domain",
  jsonSchema: {
    type: "string",
    format: "idn-hostname",
    pattern: `^${domainForm}$`,
    maxLength: 253,
    examples: ["example.com"]
  }
})

const newBlock = {
  reason: Schema.optional(BlockReason),
  category: Schema.optional(Category),
  expiresAt: Schema.optional(IsoDateTime)
}

const target = { email: Schema.optional(EmailAddress), domain: Schema.optional(Domain) }

/** Requires either an address or a domain. */
const targetProblem = ({
  domain,
  email
}: {
  readonly domain?: string | undefined
  readonly email?: string | undefined
}) =>
  email === undefined && domain === undefined
    ? { path: ["email"], message: "is required without domain" }
    : email === undefined || domain === undefined
      ? undefined
      : { path: ["domain"], message: "must be left out where email is given" }

/**
 * A new block on an address, or on all addresses of a domain but not its subdomains. Without a category it applies to
 * all mail.
 */
export const CreateBlock = Schema.Struct({ ...newBlock, ...target })
  .pipe(Schema.filter(targetProblem))
  .annotations({
    identifier: "CreateBlock",
    jsonSchema: oneOf(
      Schema.Struct({ email: EmailAddress, ...newBlock }),
      Schema.Struct({ domain: Domain, ...newBlock })
    )
  })
export type CreateBlock = typeof CreateBlock.Type

/** A line of an import: a new block, which may have an earlier time of creation, for example at another service. */
export const ImportedBlock = Schema.Struct({
  ...newBlock,
  ...target,
  createdAt: Schema.optional(IsoDateTime)
}).pipe(Schema.filter(targetProblem))
export type ImportedBlock = typeof ImportedBlock.Type

/** The fields to change; omitted fields stay. Null resets a field that a creation may omit. */
export const UpdateBlock = Schema.Struct({
  reason: clearable(BlockReason),
  expiresAt: clearable(IsoDateTime)
}).annotations({ identifier: "UpdateBlock" })
export type UpdateBlock = typeof UpdateBlock.Type

/** Filters of a list of blocks; `search` matches the address or domain. */
export const BlockFilters = Schema.Struct({
  reason: Schema.optional(BlockReason),
  search: Schema.optional(SearchText)
})
export type BlockFilters = typeof BlockFilters.Type

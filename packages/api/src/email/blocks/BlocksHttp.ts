import { HttpApiBuilder } from "@effect/platform"
import { Block } from "@switchboard/domain/email/blocks/Block"
import { BlockImport, blockColumns } from "@switchboard/domain/email/blocks/BlockImport"
import { BlockCheck } from "@switchboard/domain/email/blocks/BlockLog"
import { CreateBlock, UpdateBlock } from "@switchboard/domain/email/blocks/BlockRequests"
import { pageRequest } from "@switchboard/domain/Page"
import { Exports } from "@switchboard/services/analytics/Exports"
import { BlockImports } from "@switchboard/services/email/blocks/BlockImports"
import { Blocks } from "@switchboard/services/email/blocks/Blocks"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { csvText } from "../../csv/Csv.js"
import { readBody, readOptionalBody } from "../../Door.js"
import { answerExport } from "../../exports/AnswerExport.js"
import { respond } from "../../Respond.js"
import { Removed } from "../../Wire.js"
import { blockCells, readBlockFile } from "./BlockFile.js"
import { BlockLogPage, BlockPage } from "./BlocksApi.js"

const answerBlock = respond(Block)
const answerCreated = respond(Block, 201)
const answerPage = respond(BlockPage)
const answerCheck = respond(BlockCheck)
const answerImport = respond(BlockImport)
const answerLogs = respond(BlockLogPage)
const answerRemoved = respond(Removed)

const readCreate = readBody(CreateBlock)
const readUpdate = readOptionalBody(UpdateBlock)

export const BlocksHttp = HttpApiBuilder.group(
  Api,
  "blocks",
  Effect.fnUntraced(function* (handlers) {
    const blocks = yield* Blocks
    const imports = yield* BlockImports
    const exports = yield* Exports
    return handlers
      .handleRaw("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(blocks.list(organizationId, filters, pageRequest(params)), (found) => answerPage(found))
        )
      )
      .handleRaw("create", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerCreated(yield* blocks.create(organizationId, yield* readCreate))
        })
      )
      .handleRaw("check", ({ urlParams: { category, email } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(blocks.check(organizationId, email, category), (found) => answerCheck(found))
        )
      )
      .handleRaw("logs", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(blocks.logs(organizationId, pageRequest(urlParams)), (found) => answerLogs(found))
        )
      )
      .handleRaw("import", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerImport(yield* imports.run(organizationId, yield* readBlockFile))
        })
      )
      .handleRaw("export", () =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.flatMap(exports.blocks(organizationId), (pages) =>
            answerExport("blocks", "csv", csvText(blockColumns, blockCells, pages))
          )
        )
      )
      .handleRaw("update", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerBlock(yield* blocks.update(organizationId, id, yield* readUpdate))
        })
      )
      .handleRaw("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(blocks.remove(organizationId, id), () => answerRemoved({ success: true }))
        )
      )
  })
)

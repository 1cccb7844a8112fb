import { HttpApiBuilder } from "@effect/platform"
import { BlockId } from "@switchboard/domain/email/blocks/Block"
import { blockColumns } from "@switchboard/domain/email/blocks/BlockImport"
import { pageRequest } from "@switchboard/domain/Page"
import { Exports } from "@switchboard/services/analytics/Exports"
import { BlockImports } from "@switchboard/services/email/blocks/BlockImports"
import { Blocks } from "@switchboard/services/email/blocks/Blocks"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { removed } from "../../CommonShapes.js"
import { csvText } from "../../csv/Csv.js"
import { exportResponse } from "../../exports/ExportResponse.js"
import { withBodies } from "../../http/WithBodies.js"
import { handleOnce } from "../../idempotency/HandleOnce.js"
import { blockCells, readBlockFile } from "./BlockFile.js"

export const BlocksHttp = HttpApiBuilder.group(
  Api,
  "blocks",
  Effect.fnUntraced(function* (handlers) {
    const blocks = yield* Blocks
    const once = yield* handleOnce
    const imports = yield* BlockImports
    const exports = yield* Exports
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => blocks.list(organizationId, filters, pageRequest(params)))
      )
      .handle(
        "create",
        once(
          ({ payload }, { organizationId }) => blocks.create(organizationId, payload),
          (id, { organizationId }) => blocks.get(organizationId, BlockId.make(id))
        )
      )
      .handle("check", ({ urlParams: { category, email } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => blocks.check(organizationId, email, category))
      )
      .handle("logs", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => blocks.logs(organizationId, pageRequest(urlParams)))
      )
      .handle("import", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return yield* imports.run(organizationId, yield* readBlockFile)
        })
      )
      .handleRaw("export", () =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.flatMap(exports.blocks(organizationId), (pages) =>
            exportResponse("blocks", "csv", csvText(blockColumns, blockCells, pages))
          )
        )
      )
      .handle("update", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => blocks.update(organizationId, id, payload))
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => Effect.as(blocks.remove(organizationId, id), removed))
      )
      .pipe(withBodies)
  })
)

import type { Block } from "@switchboard/domain/email/blocks/Block"
import type { BlockLog } from "@switchboard/domain/email/blocks/BlockLog"
import { strengthenBlock } from "@switchboard/domain/email/blocks/StrengthenBlock"
import { scopeOf, suppressions } from "@switchboard/domain/email/blocks/Suppression"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type PageRequest, page } from "@switchboard/domain/Page"
import { BlockImports } from "@switchboard/services/email/blocks/BlockImports"
import { type BlockNews, blockNews } from "@switchboard/services/email/blocks/BlockNews"
import { BlockRepo } from "@switchboard/services/email/blocks/BlockRepo"
import { Blocks } from "@switchboard/services/email/blocks/Blocks"
import { Unsubscribes } from "@switchboard/services/email/send/Unsubscribes"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { Array, DateTime, Effect, Layer, Option, Redacted } from "effect"

const pageOf = <A>(items: ReadonlyArray<A>, request: PageRequest) => {
  const from = (request.page - 1) * request.limit
  return page(Array.reverse(items).slice(from, from + request.limit), items.length, request)
}

/** Blocks as long as the test lasts, and links that add to them. */
export const blocksInMemory = () => {
  const stored = new Map<string, Block>()
  const logs: Array<{ readonly organization: OrganizationId; readonly log: BlockLog }> = []
  const tell = (organization: OrganizationId, news: BlockNews | null) => {
    if (news !== null) logs.push({ organization, log: news.log })
  }
  const of = (organization: OrganizationId) =>
    [...stored.values()].filter(({ organizationId }) => organizationId === organization)
  const twinOf = (block: Block) =>
    Array.findFirst(
      of(block.organizationId),
      (one) => one.type === block.type && one.value === block.value && scopeOf(one) === scopeOf(block)
    )

  const kept = Layer.merge(Blocks.Default, BlockImports.Default).pipe(
    Layer.provide(
      Layer.succeed(BlockRepo, {
        insert: (blocks) =>
          Effect.gen(function* () {
            const added = new Set<Block["id"]>()
            for (const block of blocks) {
              if (Option.isSome(twinOf(block))) continue
              stored.set(block.id, block)
              added.add(block.id)
              tell(block.organizationId, yield* blockNews("added", block))
            }
            return added
          }),
        strengthen: (blocks) =>
          Effect.sync(() => {
            for (const block of blocks) {
              const next = Option.match(twinOf(block), {
                onNone: () => block,
                onSome: (present) => strengthenBlock(present, block)
              })
              stored.set(next.id, next)
            }
          }),
        find: (organization, keys, category) =>
          Effect.map(DateTime.now, (now) =>
            suppressions(of(organization), keys, category === undefined ? undefined : [category], now)
          ),
        list: (organization, { reason, search = "" }, request) =>
          Effect.sync(() =>
            pageOf(
              of(organization).filter(
                (one) => (reason === undefined || one.reason === reason) && one.value.includes(search)
              ),
              request
            )
          ),
        logs: (organization, request) =>
          Effect.sync(() =>
            pageOf(
              logs.filter((one) => one.organization === organization).map(({ log }) => log),
              request
            )
          ),
        change: (organization, id, decide) =>
          Effect.gen(function* () {
            const present = of(organization).find((one) => one.id === id)
            if (present === undefined) return Option.none()
            const changed = yield* decide(present)
            if (changed.removed) stored.delete(id)
            else stored.set(id, changed.block)
            tell(organization, changed.news)
            return Option.some(changed)
          })
      })
    )
  )
  return Unsubscribes.Default.pipe(
    Layer.provide(Signatures.Live),
    Layer.provide(Layer.succeed(MasterKey, Redacted.make<Uint8Array>(new Uint8Array(32)))),
    Layer.provideMerge(kept)
  )
}

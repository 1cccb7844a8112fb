import { afterUpdate } from "@switchboard/domain/Clearable"
import { ConflictError, ResourceNotFoundError } from "@switchboard/domain/Errors"
import { Block, type BlockId } from "@switchboard/domain/email/blocks/Block"
import type { BlockCheck } from "@switchboard/domain/email/blocks/BlockLog"
import type { CreateBlock, UpdateBlock } from "@switchboard/domain/email/blocks/BlockRequests"
import { blockKeys, unsubscribedCategories } from "@switchboard/domain/email/blocks/Suppression"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect } from "effect"
import { checkExpiry } from "../../CheckExpiry.js"
import { blockRecords } from "./BlockRecords.js"
import { BlockRepo, type ChangedBlock } from "./BlockRepo.js"
import { newAddressBlock, requestedBlock } from "./NewBlock.js"

const changed = (present: Block, { expiresAt, reason }: UpdateBlock, now: DateTime.Utc): Block => {
  const expected = {
    reason: afterUpdate(reason, present.reason, "manual" as const),
    expiresAt: afterUpdate(expiresAt, present.expiresAt, undefined)
  }
  const isSame =
    expected.reason === present.reason && expected.expiresAt?.epochMillis === present.expiresAt?.epochMillis
  return isSame ? present : new Block({ ...present, ...expected, updatedAt: now }, { disableValidation: true })
}

const notFound = (id: BlockId) => new ResourceNotFoundError({ resource: "block", id })

/** The addresses and domains that an organization does not send to. */
export class Blocks extends Effect.Service<Blocks>()("services/Blocks", {
  effect: Effect.gen(function* () {
    const repo = yield* BlockRepo

    const change = (organization: OrganizationId, id: BlockId, decide: (block: Block) => Effect.Effect<ChangedBlock>) =>
      Effect.flatMap(repo.change(organization, id, decide), (found) => Effect.mapError(found, () => notFound(id)))

    const create = Effect.fn("Blocks.create")(function* (organization: OrganizationId, request: CreateBlock) {
      yield* checkExpiry(request.expiresAt)
      const block = yield* requestedBlock(organization, request)
      const stored = yield* repo.insert([block])
      if (stored.has(block.id)) return block
      const mail = block.category === undefined ? "all mail" : `mail of the category ${block.category}`
      return yield* new ConflictError({
        message: `${block.value} is already blocked for ${mail}`,
        resource: "block"
      })
    })

    const get = Effect.fn("Blocks.get")(function* (organization: OrganizationId, id: BlockId) {
      return yield* Effect.mapError(yield* repo.findById(organization, id), () => notFound(id))
    })

    const update = Effect.fn("Blocks.update")(function* (
      organization: OrganizationId,
      id: BlockId,
      request: UpdateBlock
    ) {
      yield* checkExpiry(request.expiresAt)
      const now = yield* DateTime.now
      const { block } = yield* change(organization, id, (present) => {
        const block = changed(present, request, now)
        return block === present
          ? Effect.succeed({ block, removed: false, records: null })
          : Effect.map(blockRecords("updated", block), (records) => ({ block, removed: false, records }))
      })
      return block
    })

    const remove = Effect.fn("Blocks.remove")(function* (organization: OrganizationId, id: BlockId) {
      yield* change(organization, id, (block) =>
        Effect.map(blockRecords("removed", block), (records) => ({ block, removed: true, records }))
      )
    })

    /** Whether an address is blocked for mail of a category, or for all mail without a category. */
    const check = Effect.fn("Blocks.check")(function* (
      organization: OrganizationId,
      email: EmailAddress,
      category: string | undefined
    ) {
      const blocks = yield* repo.find(organization, blockKeys(email), category)
      const [block] = blocks
      const found: BlockCheck = block === undefined ? { blocked: false, blocks } : { blocked: true, block, blocks }
      return found
    })

    /**
     * Blocks the categories that a recipient of a message with these categories unsubscribes from
     * (`unsubscribedCategories`). A repeat changes nothing. Bounces and complaints are blocked in the transaction that
     * stores them.
     */
    const unsubscribe = Effect.fn("Blocks.unsubscribe")(function* (
      organization: OrganizationId,
      recipient: string,
      categories: ReadonlyArray<string>,
      sourceMessageId: MessageId
    ) {
      const blocks = yield* Effect.forEach(unsubscribedCategories(categories), (category) =>
        newAddressBlock(organization, recipient, {
          category,
          reason: "unsubscribe",
          source: "recipient",
          sourceMessageId
        })
      )
      yield* repo.strengthen(blocks)
    })

    return {
      create,
      get,
      list: repo.list,
      logs: repo.logs,
      check,
      update,
      remove,
      unsubscribe
    } as const
  })
}) {}

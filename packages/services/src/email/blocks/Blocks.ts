import { ConflictError, ResourceNotFoundError } from "@switchboard/domain/Errors"
import { Block, type BlockId } from "@switchboard/domain/email/blocks/Block"
import { blockKeys } from "@switchboard/domain/email/blocks/BlockKeys"
import type { BlockCheck } from "@switchboard/domain/email/blocks/BlockLog"
import type { CreateBlock, UpdateBlock } from "@switchboard/domain/email/blocks/BlockRequests"
import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, Option } from "effect"
import { checkExpiry } from "../../CheckExpiry.js"
import { blockNews } from "./BlockNews.js"
import { BlockRepo, type ChangedBlock } from "./BlockRepo.js"
import { newAddressBlock, newBlock } from "./NewBlock.js"

const changed = (present: Block, { expiresAt, reason }: UpdateBlock, now: DateTime.Utc): Block => {
  const wanted = {
    reason: reason ?? present.reason,
    expiresAt: expiresAt === undefined ? present.expiresAt : (expiresAt ?? undefined)
  }
  const isSame = wanted.reason === present.reason && wanted.expiresAt?.epochMillis === present.expiresAt?.epochMillis
  return isSame ? present : new Block({ ...present, ...wanted, updatedAt: now }, { disableValidation: true })
}

/** The addresses and domains that an organization does not send to. */
export class Blocks extends Effect.Service<Blocks>()("services/Blocks", {
  effect: Effect.gen(function* () {
    const repo = yield* BlockRepo

    const change = (organization: OrganizationId, id: BlockId, decide: (block: Block) => Effect.Effect<ChangedBlock>) =>
      Effect.flatMap(repo.change(organization, id, decide), (found) =>
        Effect.mapError(found, () => new ResourceNotFoundError({ resource: "block", id }))
      )

    const create = Effect.fn("Blocks.create")(function* (organization: OrganizationId, request: CreateBlock) {
      const { domain, email, expiresAt, reason = "manual" } = request
      yield* checkExpiry(expiresAt)
      const block = yield* newBlock(organization, {
        ...(email === undefined
          ? { type: "domain", value: domain ?? "" }
          : { type: "email", value: addressKey(email) }),
        reason,
        source: "api",
        sourceMessageId: undefined,
        expiresAt
      })
      if (yield* repo.insert(block)) return block
      return yield* new ConflictError({ message: `${block.value} is on the list already`, resource: "block" })
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
          ? Effect.succeed({ block, removed: false, news: null })
          : Effect.map(blockNews("updated", block), (news) => ({ block, removed: false, news }))
      })
      return block
    })

    const remove = Effect.fn("Blocks.remove")(function* (organization: OrganizationId, id: BlockId) {
      yield* change(organization, id, (block) =>
        Effect.map(blockNews("removed", block), (news) => ({ block, removed: true, news }))
      )
    })

    /** Which of these addresses the organization does not send to, by their keys; what is over does not count. */
    const blockedAmong = (organization: OrganizationId, addresses: ReadonlyArray<string>) =>
      repo.findFor(organization, addresses.map(blockKeys))

    /** Whether an address would be passed over, and for which entry. */
    const check = Effect.fn("Blocks.check")(function* (organization: OrganizationId, email: EmailAddress) {
      const found = yield* blockedAmong(organization, [email])
      return Option.match(Option.fromNullable(found.get(addressKey(email))), {
        onNone: (): BlockCheck => ({ blocked: false }),
        onSome: (block): BlockCheck => ({ blocked: true, block })
      })
    })

    /** The recipient wants no more of this. Bounces and complaints are blocked in the transaction that stores them. */
    const addUnsubscribe = (organization: OrganizationId, address: string, messageId: MessageId) =>
      Effect.flatMap(
        newAddressBlock(organization, address, {
          reason: "unsubscribe",
          source: "recipient",
          sourceMessageId: messageId
        }),
        repo.strengthen
      )

    return {
      create,
      list: repo.list,
      logs: repo.logs,
      check,
      update,
      remove,
      blockedAmong,
      addUnsubscribe
    } as const
  })
}) {}

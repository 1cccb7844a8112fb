import { client } from "../app/Client.js"
import type { Block } from "../app/Types.js"
import { ActionButton } from "../components/Actions.js"

export const blockReasons = ["hard_bounce", "complaint", "unsubscribe", "manual"] as const

/** What a block applies to. */
export const blockScope = ({ category, type, value }: Block): string =>
  `${type === "domain" ? `all addresses at ${value}` : value}${category === undefined ? "" : `, category ${category}`}`

/** Why a block was added. */
export const blockReason = ({ reason }: Pick<Block, "reason">): string => reason.replaceAll("_", " ")

/** The button that removes a block. */
export const Unblock = ({ block, removed }: { readonly block: Block; readonly removed: () => void }) => (
  <ActionButton
    label="Unblock"
    permission="email.write"
    confirm={`Unblock ${blockScope(block)}? Mail is sent there again.`}
    action={async () => {
      await client.blocks.remove({ path: { id: block.id } })
      removed()
    }}
    done={`${block.value} is unblocked`}
  />
)

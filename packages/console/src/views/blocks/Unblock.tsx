import { client } from "../../app/Client.js"
import { showDone } from "../../app/Toasts.js"
import type { Block } from "../../app/Types.js"
import { ActionButton } from "../../components/ActionButton.js"
import { blockScope } from "./BlockText.js"

/** The button that removes a block. */
export const Unblock = ({ block, removed }: { readonly block: Block; readonly removed: () => void }) => (
  <ActionButton
    label="Unblock"
    permission="email.write"
    confirm={`Unblock ${blockScope(block)}? Mail is sent there again.`}
    action={async () => {
      await client.blocks.remove({ path: { id: block.id } })
      showDone(`${block.value} is unblocked`)
      removed()
    }}
  />
)

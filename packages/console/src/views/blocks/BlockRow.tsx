import { client } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import { showDone } from "../../app/Toasts.js"
import type { Block } from "../../app/Types.js"
import { SelectField, TextField } from "../../components/Field.js"
import { FormDialog } from "../../components/FormDialog.js"
import { textOf } from "../../components/FormValues.js"
import { localTime } from "../../components/LocalTime.js"
import { Time } from "../../components/Time.js"
import { blockReason, blockReasons, blockScope } from "./BlockText.js"
import { Unblock } from "./Unblock.js"

const Reason = ({ block }: { readonly block: Block }) => {
  const { sourceMessageId } = block
  if (sourceMessageId === undefined) return <span class="reason">{blockReason(block)}</span>
  return (
    <a class="reason" href={linkTo(paths.message, { id: sourceMessageId })} title="The message that caused the block">
      {blockReason(block)}
    </a>
  )
}

interface BlockRowProps {
  readonly block: Block
  readonly changed: (block: Block) => void
  readonly removed: () => void
}

/** A block in the list. Its reason links to the message that caused it. */
export const BlockRow = ({ block, changed, removed }: BlockRowProps) => {
  const { category, createdAt, expiresAt, hitCount, id, type, value } = block
  const edit = async (form: FormData) => {
    const ends = textOf(form, "expiresAt")
    const reason = blockReasons.find((one) => one === form.get("reason"))
    const payload = { reason, expiresAt: ends === undefined ? null : new Date(ends) }
    changed(await client.blocks.update({ path: { id }, payload }))
    showDone("The block is saved")
  }
  return (
    <>
      <span class="name" title={blockScope(block)}>
        <strong>{value}</strong>
        {type === "domain" && <span class="tag">domain</span>}
        {category !== undefined && <span class="tag">{category}</span>}
        {expiresAt !== undefined && (
          <span class="tag">
            ends <Time value={expiresAt} isUpcoming />
          </span>
        )}
      </span>
      <Reason block={block} />
      <span class="count" title="How often mail was held back">
        {hitCount === 1 ? "1 hit" : `${hitCount} hits`}
      </span>
      <Time value={createdAt} />
      <span class="row-actions">
        <FormDialog label="Edit" permission="email.write" submitLabel="Save" submit={edit}>
          <SelectField
            label="Reason"
            name="reason"
            options={blockReasons.map((reason) => [reason, blockReason({ reason })])}
            value={block.reason}
          />
          <TextField
            label="Ends"
            name="expiresAt"
            isTime
            value={expiresAt === undefined ? "" : localTime(expiresAt)}
            hint="Default: never."
          />
        </FormDialog>
        <Unblock block={block} removed={removed} />
      </span>
    </>
  )
}

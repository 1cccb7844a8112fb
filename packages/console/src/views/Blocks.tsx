import { client, serviceUrl } from "../app/Client.js"
import { linkTo, paths } from "../app/Paths.js"
import type { Block } from "../app/Types.js"
import { FormDialog, LinkButton } from "../components/Actions.js"
import { Status, Time } from "../components/Facts.js"
import { feedStep } from "../components/Feed.js"
import { requiredText, SelectField, TextField, textOf, timeOf } from "../components/Fields.js"
import { filterChoice, filterText, listView } from "../components/ListView.js"
import { showDone } from "../components/Notices.js"
import { ResultFormDialog } from "../components/Resource.js"
import { ImportBlocks } from "./BlockImport.js"
import { blockReason, blockReasons, blockScope, Unblock } from "./Unblock.js"

/** A text with an @ is an address, another one a domain. */
const targetOf = (value: string) => (value.includes("@") ? { email: value } : { domain: value })

/** The form of a new block. */
const AddBlock = ({ added }: { readonly added: () => void }) => {
  const add = async (form: FormData) => {
    const category = textOf(form, "category")
    const target = targetOf(requiredText(form, "value"))
    const payload = { ...target, reason: "manual", category, expiresAt: timeOf(form, "expiresAt") } as const
    const { value } = await client.blocks.create({ payload })
    showDone(`${value} is blocked`)
    added()
  }
  return (
    <FormDialog label="Add a block" kind="primary" permission="email.write" submitLabel="Block" submit={add}>
      <TextField
        label="Address or domain"
        name="value"
        inputMode="email"
        required
        placeholder="ada@example.com"
        hint="A block on a domain does not apply to its subdomains."
      />
      <TextField label="Category" name="category" placeholder="all mail" hint="Empty: no mail at all is sent." />
      <TextField label="Ends" name="expiresAt" isTime hint="Default: never." />
    </FormDialog>
  )
}

/** Says whether mail to an address is blocked, and by which blocks. */
const CheckAddress = () => {
  const check = async (form: FormData) => {
    const email = requiredText(form, "email")
    const { blocked, blocks } = await client.blocks.check({ urlParams: { email } })
    const content = blocked ? (
      <ul class="plain-list">
        {blocks.map((block) => (
          <li key={block.id}>
            Blocked: {blockScope(block)} ({blockReason(block)}, <Time value={block.createdAt} />)
          </li>
        ))}
      </ul>
    ) : (
      <p>Not blocked: mail is sent to this address.</p>
    )
    return { title: email, content: () => content }
  }
  return (
    <ResultFormDialog label="Check an address" permission="email.read" submitLabel="Check" submit={check}>
      <TextField label="Address" name="email" inputMode="email" required placeholder="ada@example.com" />
    </ResultFormDialog>
  )
}

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
const BlockRow = ({ block, changed, removed }: BlockRowProps) => {
  const { category, createdAt, expiresAt, hitCount, id, type, value } = block
  const edit = async (form: FormData) => {
    const reason = blockReasons.find((one) => one === form.get("reason"))
    const payload = { reason, expiresAt: timeOf(form, "expiresAt") ?? null }
    changed(await client.blocks.update({ path: { id }, payload }))
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
        <FormDialog label="Edit" permission="email.write" submitLabel="Save" submit={edit} done="The block is saved">
          <SelectField
            label="Reason"
            name="reason"
            options={blockReasons.map((reason) => [reason, blockReason({ reason })])}
            value={block.reason}
          />
          <TextField label="Ends" name="expiresAt" isTime value={expiresAt} hint="Default: never." />
        </FormDialog>
        <Unblock block={block} removed={removed} />
      </span>
    </>
  )
}

/** The blocked addresses and domains, newest first. */
export const BlocksView = listView({
  title: "Blocks",
  noun: "block",
  search: "Find by address or domain",
  choices: { reason: blockReasons },
  filters: () => ({ search: filterText("search"), reason: filterChoice("reason", blockReasons) }),
  open: (filters, signal) => client.blocks.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
  events: ["email_block."],
  layout: "blocks",
  columns: { "Address or domain": 1, Reason: "96px", "Held back": "72px", Added: "96px", "": "150px" },
  row: (block, { feed }) => (
    <BlockRow block={block} changed={(changed) => feed.update([changed])} removed={() => feed.remove(block.id)} />
  ),
  emptyTitle: "No blocks",
  empty: "Bounces, complaints and unsubscriptions block their address. To block one yourself:",
  example: ["/email/blocks", { email: "ada@example.com" }],
  actions: ({ refresh }) => (
    <>
      <CheckAddress />
      <LinkButton label="Log" href={linkTo(paths.blockLog, {})} />
      <LinkButton label="Export" href={`${serviceUrl}/v1/email/blocks/export`} download="blocks.csv" />
      <ImportBlocks imported={refresh} />
      <AddBlock added={refresh} />
    </>
  )
})

/** What blocks held back, and the changes of blocks, newest first. */
export const BlockLogView = listView({
  title: "Block log",
  noun: "entry",
  back: { href: linkTo(paths.blocks, {}), label: "Blocks" },
  filters: () => ({}),
  open: (_, signal) => client.blocks.logs.all({ urlParams: { limit: feedStep } }, { signal }),
  events: ["email_block.", "message.failed", "message.sent"],
  layout: "block-log",
  columns: { Action: "96px", "Address or domain": 1, Message: "72px", Time: "96px" },
  row: ({ action, category, createdAt, email, messageId }) => (
    <>
      <Status value={action} />
      <span class="name">
        <strong>{email}</strong>
        {category !== undefined && <span class="tag">{category}</span>}
      </span>
      {messageId === undefined ? <span /> : <a href={linkTo(paths.message, { id: messageId })}>Details</a>}
      <Time value={createdAt} />
    </>
  ),
  emptyTitle: "Nothing logged yet",
  empty: "Changes of blocks are listed here, and messages that a block holds back. Add a block to begin."
})

import { client } from "../app/Client.js"
import { navigate } from "../app/Location.js"
import { linkTo, type PathParams, paths } from "../app/Paths.js"
import type { Draft } from "../app/Types.js"
import { ActionButton, LinkButton } from "../components/Actions.js"
import { Facts, Status, Time } from "../components/Facts.js"
import { feedStep } from "../components/Feed.js"
import type { AttachedFile } from "../components/FilesField.js"
import { filterText, listView } from "../components/ListView.js"
import { PendingView, useResource } from "../components/Resource.js"
import { ViewHeader } from "../components/View.js"
import { DraftEditor, draftName, loadFiles, recipientText } from "./DraftEditor.js"

const row = (draft: Draft) => (
  <>
    <span class="subject">{draftName(draft)}</span>
    <span class="secondary">{draft.recipients.map(recipientText).join(", ")}</span>
    <Status value={draft.sentMessageId === undefined ? "draft" : "sent"} />
    <Time value={draft.lastEditedAt} />
  </>
)

const createDraft = async () => {
  const { id } = await client.drafts.create({ payload: { channel: "email", recipients: [], content: {} } })
  navigate(linkTo(paths.draft, { id }))
}

/** The list of drafts, newest first. */
export const DraftsView = listView({
  title: "Drafts",
  noun: "draft",
  search: "Find by title, subject or recipient",
  filters: () => ({ search: filterText("search") }),
  open: (filters, signal) => client.drafts.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
  layout: "drafts",
  columns: { Draft: 1, Recipients: 1, Status: "76px", Changed: "96px" },
  hrefOf: ({ id }) => linkTo(paths.draft, { id }),
  row,
  empty: "Create the first one:",
  example: [
    "/drafts",
    {
      channel: "email",
      recipients: [{ email: "ada@example.com" }],
      content: { subject: "News" }
    }
  ],
  actions: () => (
    <ActionButton
      label="Create a draft"
      icon="template"
      kind="primary"
      permission="drafts.write"
      action={createDraft}
    />
  )
})

const back = { href: linkTo(paths.drafts, {}), label: "Drafts" }

interface SentDraftProps {
  readonly draft: Draft
  readonly files: ReadonlyArray<AttachedFile>
  readonly messageId: string
}

/** A draft that was sent: it can't be edited. */
const SentDraft = ({ draft, files, messageId }: SentDraftProps) => (
  <>
    <ViewHeader title={draftName(draft)} back={back}>
      <LinkButton label="Message" href={linkTo(paths.message, { id: messageId })} kind="primary" />
    </ViewHeader>
    <section class="card padded" aria-label="Content">
      <p class="hint">The draft was sent and can't be edited.</p>
      <Facts
        facts={[
          ["To", draft.recipients.map(recipientText).join(", ")],
          ["Subject", draft.content.subject],
          ["Text", draft.content.body || draft.content.text],
          ["Files", files.map(({ name }) => name).join(", ")]
        ]}
      />
    </section>
  </>
)

/** One draft: a form to edit and send it, or its content after it was sent. */
export const DraftView = ({ id }: PathParams<typeof paths.draft>) => {
  const resource = useResource(id, async (options) => {
    const draft = await client.drafts.get({ path: { id } }, options)
    return { draft, files: await loadFiles(draft, options) }
  })
  if (resource.value === undefined) return <PendingView title="Draft" back={back} resource={resource} />
  const { draft, files } = resource.value
  const saved = (changed: Draft) => resource.replace({ draft: changed, files })
  return draft.sentMessageId === undefined ? (
    <DraftEditor draft={draft} files={files} saved={saved} back={back} />
  ) : (
    <SentDraft draft={draft} files={files} messageId={draft.sentMessageId} />
  )
}

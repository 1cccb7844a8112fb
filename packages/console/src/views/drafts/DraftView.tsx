import { client } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { ViewProps } from "../../app/View.js"
import { Pending } from "../../components/Pending.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { loadFiles } from "./DraftContent.js"
import { DraftEditor } from "./DraftEditor.js"
import { SentDraft } from "./SentDraft.js"

const back = { href: linkTo(paths.drafts, {}), label: "Drafts" }

/** One draft: a form to edit and send it, or its content after it was sent. */
const DraftView = ({ params: { id } }: ViewProps<typeof paths.draft>) => {
  const { error, reload, replace, value } = useLoad(
    async (signal) => {
      const draft = await client.drafts.get({ path: { id } }, { signal })
      return { draft, files: await loadFiles(draft, signal) }
    },
    [id]
  )
  if (value === undefined) {
    return (
      <>
        <ViewHeader title="Draft" back={back} />
        <Pending error={error} reload={reload} />
      </>
    )
  }
  const { draft, files } = value
  return draft.sentMessageId === undefined ? (
    <DraftEditor draft={draft} files={files} saved={(changed) => replace({ draft: changed, files })} back={back} />
  ) : (
    <SentDraft draft={draft} files={files} messageId={draft.sentMessageId} back={back} />
  )
}

export default DraftView

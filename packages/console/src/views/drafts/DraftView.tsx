import { client } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { ViewProps } from "../../app/View.js"
import { Pending } from "../../components/Pending.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { DraftEditor } from "./DraftEditor.js"
import { SentDraft } from "./SentDraft.js"

const back = { href: linkTo(paths.drafts, {}), label: "Drafts" }

/** One draft: a form to edit and send it, or its content after it was sent. */
const DraftView = ({ params: { id } }: ViewProps<typeof paths.draft>) => {
  const { error, reload, replace, value } = useLoad((signal) => client.drafts.get({ path: { id } }, { signal }), [id])
  if (value === undefined) {
    return (
      <>
        <ViewHeader title="Draft" back={back} />
        <Pending error={error} reload={reload} />
      </>
    )
  }
  return value.sentMessageId === undefined ? (
    <DraftEditor draft={value} saved={replace} back={back} />
  ) : (
    <SentDraft draft={value} messageId={value.sentMessageId} back={back} />
  )
}

export default DraftView

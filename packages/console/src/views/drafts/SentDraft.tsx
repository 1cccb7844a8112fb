import { linkTo, paths } from "../../app/Paths.js"
import type { Draft } from "../../app/Types.js"
import { Facts } from "../../components/Facts.js"
import type { AttachedFile } from "../../components/FilesField.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { draftName } from "./DraftName.js"
import { recipientText } from "./DraftRecipients.js"

interface SentDraftProps {
  readonly draft: Draft
  readonly files: ReadonlyArray<AttachedFile>
  readonly messageId: string
  readonly back: { readonly href: string; readonly label: string }
}

/** A draft that was sent: it can't be edited. */
export const SentDraft = ({ back, draft, files, messageId }: SentDraftProps) => (
  <>
    <ViewHeader title={draftName(draft)} back={back}>
      <a class="button primary" href={linkTo(paths.message, { id: messageId })}>
        Message
      </a>
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

import type { Draft } from "../../app/Types.js"
import { sourceText } from "../../components/FormValues.js"
import { recipientsOf } from "./DraftRecipients.js"

/** The changes of a draft by its form. Fields of the content that the form does not show stay. */
export const changesOf = (form: FormData, draft: Draft) => ({
  title: sourceText(form, "title") === "" ? null : sourceText(form, "title"),
  recipients: recipientsOf(sourceText(form, "recipients"), draft),
  content: {
    ...draft.content,
    subject: sourceText(form, "subject"),
    body: sourceText(form, "body"),
    html: sourceText(form, "html")
  }
})

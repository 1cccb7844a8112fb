import type { Draft } from "../../app/Types.js"
import { recipientsOf } from "./DraftRecipients.js"

const textIn = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === "string" ? value.replaceAll("\r\n", "\n") : ""
}

/** The changes of a draft by its form. Fields of the content that the form does not show stay. */
export const changesOf = (form: FormData, draft: Draft) => ({
  title: textIn(form, "title") === "" ? null : textIn(form, "title"),
  recipients: recipientsOf(textIn(form, "recipients"), draft),
  content: {
    ...draft.content,
    subject: textIn(form, "subject"),
    body: textIn(form, "body"),
    html: textIn(form, "html")
  }
})

import type { Conversation } from "../../app/Types.js"
import { SelectField, TextField } from "../../components/Field.js"
import { requiredText, textOf, textsOf } from "../../components/FormValues.js"
import { conversationPriorities } from "./ConversationFilters.js"

/** The request of a form. Empty texts are undefined. */
export const conversationOf = (form: FormData) => ({
  title: textOf(form, "title"),
  description: textOf(form, "description"),
  priority: Number(requiredText(form, "priority")),
  tags: textsOf(form, "tags")
})

/** The fields of a new conversation, or of one to change. */
export const ConversationFields = ({ conversation }: { readonly conversation?: Conversation }) => (
  <>
    <TextField label="Title" name="title" placeholder="Where is my order?" value={conversation?.title ?? ""} />
    <TextField label="Description" name="description" lines={3} value={conversation?.description ?? ""} />
    <SelectField
      label="Priority"
      name="priority"
      options={conversationPriorities.map((priority) => [priority, priority])}
      value={String(conversation?.priority ?? 2)}
    />
    <TextField
      label="Tags"
      name="tags"
      placeholder="orders, refund"
      value={conversation?.tags.join(", ") ?? ""}
      hint="Separated by commas."
    />
  </>
)

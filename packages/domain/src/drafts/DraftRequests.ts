import { Schema } from "effect"
import { clearable, items } from "../Fields.js"
import { Channel, MessageId } from "../messages/Message.js"
import { recipientLimit } from "../messages/SendRequest.js"
import { SearchText } from "../Search.js"
import { text } from "../Text.js"
import { DraftContent, DraftRecipient } from "./Draft.js"

const maxTitleLength = 500

const Title = text(0, maxTitleLength)

/** As many as a message can have. */
const Recipients = Schema.Array(DraftRecipient).pipe(items(0, recipientLimit))

/** A new draft; it may lack fields that a send requires. */
export const CreateDraft = Schema.Struct({
  channel: Channel,
  recipients: Recipients,
  content: DraftContent,
  title: Schema.optional(Title),
  inReplyToMessageId: Schema.optional(MessageId)
}).annotations({ identifier: "CreateDraft" })
export type CreateDraft = typeof CreateDraft.Type

/**
 * The fields to change; omitted fields stay. `recipients` and `content` are replaced completely; null removes the
 * title or the message that it replies to.
 */
export const UpdateDraft = Schema.Struct({
  channel: Schema.optional(Channel),
  recipients: Schema.optional(Recipients),
  content: Schema.optional(DraftContent),
  title: clearable(Title),
  inReplyToMessageId: clearable(MessageId)
}).annotations({ identifier: "UpdateDraft" })
export type UpdateDraft = typeof UpdateDraft.Type

/** Filters of a list of drafts; `search` matches title, subject and recipients. */
export const DraftFilters = Schema.Struct({
  channel: Schema.optional(Channel),
  search: Schema.optional(SearchText)
})
export type DraftFilters = typeof DraftFilters.Type

import { Schema } from "effect"
import { Channel } from "../messages/Message.js"
import { DraftContent, DraftRecipient } from "./Draft.js"

/** The maximum number of attachments of a draft: the limit of a send. */
const maxAttachments = 20

const maxRecipients = 1000
const maxTitleLength = 500

const Title = Schema.String.pipe(
  Schema.filter((text) => text.length <= maxTitleLength || `must be at most ${maxTitleLength} characters`, {
    jsonSchema: { maxLength: maxTitleLength }
  })
)

const Recipients = Schema.Array(DraftRecipient).pipe(
  Schema.filter((all) => all.length <= maxRecipients || `must have at most ${maxRecipients} items`, {
    jsonSchema: { maxItems: maxRecipients }
  })
)

const Content = DraftContent.pipe(
  Schema.filter(({ attachmentIds = [] }) => {
    const again = attachmentIds.findIndex((id, at) => attachmentIds.indexOf(id) < at)
    return [
      ...(attachmentIds.length > maxAttachments
        ? [{ path: ["attachmentIds"], message: `must have at most ${maxAttachments} items` }]
        : []),
      ...(again === -1 ? [] : [{ path: ["attachmentIds", again], message: "must not be named twice" }])
    ]
  })
)

/** A new draft; it may lack fields that a send requires. */
export const CreateDraft = Schema.Struct({
  channel: Channel,
  recipients: Recipients,
  content: Content,
  title: Schema.optional(Title)
}).annotations({ identifier: "CreateDraft" })
export type CreateDraft = typeof CreateDraft.Type

/**
 * The fields to change; omitted fields stay. `recipients` and `content` are replaced completely; null removes the
 * title.
 */
export const UpdateDraft = Schema.Struct({
  channel: Schema.optional(Channel),
  recipients: Schema.optional(Recipients),
  content: Schema.optional(Content),
  title: Schema.optional(Schema.NullOr(Title))
}).annotations({ identifier: "UpdateDraft" })
export type UpdateDraft = typeof UpdateDraft.Type

/** Filters of a list of drafts; `search` matches title, subject and recipients. */
export const DraftFilters = Schema.Struct({
  channel: Schema.optional(Channel),
  search: Schema.optional(Schema.String)
})
export type DraftFilters = typeof DraftFilters.Type

import { Schema } from "effect"
import { Channel } from "../messages/Message.js"
import { DraftContent, DraftRecipient } from "./Draft.js"

/** Attachments of one draft: as many as a send takes. */
const mostAttachments = 20

const mostRecipients = 1000
const longestTitle = 500

const Title = Schema.String.pipe(
  Schema.filter((text) => text.length <= longestTitle || `must be at most ${longestTitle} characters`, {
    jsonSchema: { maxLength: longestTitle }
  })
)

const Recipients = Schema.Array(DraftRecipient).pipe(
  Schema.filter((all) => all.length <= mostRecipients || `must have at most ${mostRecipients} items`, {
    jsonSchema: { maxItems: mostRecipients }
  })
)

const Content = DraftContent.pipe(
  Schema.filter(({ attachmentIds = [] }) => {
    const again = attachmentIds.findIndex((id, at) => attachmentIds.indexOf(id) < at)
    return [
      ...(attachmentIds.length > mostAttachments
        ? [{ path: ["attachmentIds"], message: `must have at most ${mostAttachments} items` }]
        : []),
      ...(again === -1 ? [] : [{ path: ["attachmentIds", again], message: "must not be named twice" }])
    ]
  })
)

/** What is written of a message so far; it may lack whatever a send needs. */
export const CreateDraft = Schema.Struct({
  channel: Channel,
  recipients: Recipients,
  content: Content,
  title: Schema.optional(Title)
}).annotations({ identifier: "CreateDraft" })
export type CreateDraft = typeof CreateDraft.Type

/** What changes; the rest stays. Recipients and content take the place of all that there was; null takes the title away. */
export const UpdateDraft = Schema.Struct({
  channel: Schema.optional(Channel),
  recipients: Schema.optional(Recipients),
  content: Schema.optional(Content),
  title: Schema.optional(Schema.NullOr(Title))
}).annotations({ identifier: "UpdateDraft" })
export type UpdateDraft = typeof UpdateDraft.Type

/** What a list of drafts may be narrowed to; `search` looks into title, subject and recipients. */
export const DraftFilters = Schema.Struct({
  channel: Schema.optional(Channel),
  search: Schema.optional(Schema.String)
})
export type DraftFilters = typeof DraftFilters.Type

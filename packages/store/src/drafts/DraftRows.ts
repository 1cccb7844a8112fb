import type { SqlClient } from "@effect/sql"
import { Draft, DraftContent, DraftId, DraftRecipient } from "@switchboard/domain/drafts/Draft"
import type { DraftFilters } from "@switchboard/domain/drafts/DraftRequests"
import { Channel, MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { draftKey, type StoredDraft } from "@switchboard/services/drafts/DraftRepo"
import { Effect, Schema } from "effect"
import { containsText } from "../ContainsText.js"
import { selectPage } from "../SelectPage.js"

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    id: DraftId,
    organizationId: OrganizationId,
    channel: Channel,
    recipients: Schema.Array(DraftRecipient),
    content: DraftContent,
    title: Schema.optionalWith(Schema.String, { nullable: true }),
    sentMessageId: Schema.optionalWith(MessageId, { nullable: true }),
    heldUntil: Schema.NullOr(Schema.DateTimeUtcFromDate),
    lastEditedAt: Schema.DateTimeUtcFromDate,
    createdAt: Schema.DateTimeUtcFromDate,
    createdBy: Schema.optionalWith(Schema.String, { nullable: true })
  })
)

/** The prefix and suffix of a draft's idempotency key (`draftKey`). */
const nilId = DraftId.make("00000000-0000-0000-0000-000000000000")
const [before = "", after = ""] = draftKey(nilId).split(nilId)

/**
 * Columns of `drafts AS d`. After a crash between the send and the update of the draft, the idempotency record
 * identifies the sent message.
 */
export const draftColumns = `d.id, d.organization_id AS "organizationId", d.channel, d.recipients, d.content, d.title,
  COALESCE(d.sent_message_id, (SELECT k.message_id FROM message_claims AS k
    WHERE k.organization_id = d.organization_id AND k.key = '${before}' || d.id || '${after}')) AS "sentMessageId",
  d.held_until AS "heldUntil", d.last_edited_at AS "lastEditedAt", d.created_at AS "createdAt",
  d.created_by AS "createdBy"`

/** Decodes a draft. */
export const storedFromRow = (row: object): StoredDraft => {
  const { heldUntil, ...draft } = decode(row)
  return { heldUntil, draft: new Draft(draft, { disableValidation: true }) }
}

const recipientTexts = ["email", "name", "phone", "whatsappId"].map((field) => `r->>'${field}'`)

/** A condition: the title, the subject or a recipient contains the text. */
const matches = (sql: SqlClient.SqlClient, search: string) =>
  sql.or([
    containsText(sql, search, ["d.title", "d.content->>'subject'"]),
    sql`EXISTS (SELECT FROM json_array_elements(d.recipients) AS r WHERE ${containsText(sql, search, recipientTexts)})`
  ])

/** A page of an organization's drafts, newest first (ids sort by creation time). */
export const listDrafts = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { channel, search }: DraftFilters,
  request: PageRequest
) {
  const where = [
    sql`d.organization_id = ${organization}`,
    ...(channel === undefined ? [] : [sql`d.channel = ${channel}`]),
    ...(search === undefined ? [] : [matches(sql, search)])
  ]
  return yield* selectPage(sql, request, {
    columns: draftColumns,
    tables: "drafts AS d",
    where,
    id: "d.id",
    read: (row) => storedFromRow(row).draft
  })
})

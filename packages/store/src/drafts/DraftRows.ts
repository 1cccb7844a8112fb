import type { SqlClient } from "@effect/sql"
import { Draft, DraftContent, DraftId, DraftRecipient } from "@switchboard/domain/drafts/Draft"
import type { DraftFilters } from "@switchboard/domain/drafts/DraftRequests"
import { Channel, MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type PageRequest, page } from "@switchboard/domain/Page"
import { draftKey, type StoredDraft } from "@switchboard/services/drafts/DraftRepo"
import { readableRows } from "@switchboard/services/ReadableRows"
import { Effect, Schema } from "effect"

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

/** The key of the draft in the row, as `draftKey` makes it. */
const nilId = DraftId.make("00000000-0000-0000-0000-000000000000")
const [before = "", after = ""] = draftKey(nilId).split(nilId)

/** Of `drafts AS d`. Whoever crashed before the message was noted has sent the draft all the same. */
export const draftColumns = `d.id, d.organization_id AS "organizationId", d.channel, d.recipients, d.content, d.title,
  COALESCE(d.sent_message_id, (SELECT k.message_id FROM message_claims AS k
    WHERE k.organization_id = d.organization_id AND k.key = '${before}' || d.id || '${after}')) AS "sentMessageId",
  d.held_until AS "heldUntil", d.last_edited_at AS "lastEditedAt", d.created_at AS "createdAt",
  d.created_by AS "createdBy"`

/** A draft from its row. */
export const storedFromRow = (row: object): StoredDraft => {
  const { heldUntil, ...draft } = decode(row)
  return { heldUntil, draft: new Draft(draft, { disableValidation: true }) }
}

/** Whether a text is part of the title, of the subject, or of what is known of a recipient, in letters of any case. */
const saying = (sql: SqlClient.SqlClient, search: string) => {
  const isIn = (text: string) => sql`strpos(lower(${sql.literal(text)}), lower(${search})) > 0`
  return sql.or([
    isIn("d.title"),
    isIn("d.content->>'subject'"),
    sql`EXISTS (SELECT 1 FROM json_array_elements(d.recipients) AS r
      WHERE ${sql.or(["email", "name", "phone", "whatsappId"].map((field) => isIn(`r->>'${field}'`)))})`
  ])
}

/** A page of an organization's drafts, newest first: their ids sort by creation. */
export const listDrafts = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { channel, search }: DraftFilters,
  request: PageRequest
) {
  const where = sql.and([
    sql`d.organization_id = ${organization}`,
    ...(channel === undefined ? [] : [sql`d.channel = ${channel}`]),
    ...(search === undefined ? [] : [saying(sql, search)])
  ])
  const rows = yield* sql`SELECT ${sql.literal(draftColumns)} FROM drafts AS d WHERE ${where}
    ORDER BY d.id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}`
  const [count] = yield* sql<{ total: number }>`SELECT count(*)::float8 AS total FROM drafts AS d WHERE ${where}`
  return page(yield* readableRows(rows, (row) => storedFromRow(row).draft), count?.total ?? 0, request)
})

import { SqlClient } from "@effect/sql"
import { Draft, DraftContent, DraftId, DraftRecipient } from "@switchboard/domain/drafts/Draft"
import type { DraftFilters } from "@switchboard/domain/drafts/DraftRequests"
import { Channel, MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { DraftRepo, draftKey, requiredFiles, type StoredDraft } from "@switchboard/services/drafts/DraftRepo"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { linkAttachments, unlinkAttachments } from "../attachments/LinkAttachments.js"
import { forRequest, orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { containsText } from "../Filters.js"
import { withCreationKey } from "../idempotency/StoreCreationKey.js"
import { selectPage } from "../Lists.js"

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    id: DraftId,
    organizationId: OrganizationId,
    channel: Channel,
    recipients: Schema.Array(DraftRecipient),
    content: DraftContent,
    title: Schema.optionalWith(Schema.String, { nullable: true }),
    inReplyToMessageId: Schema.optionalWith(MessageId, { nullable: true }),
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
const draftColumns = `d.id, d.organization_id AS "organizationId", d.channel, d.recipients, d.content, d.title,
  d.in_reply_to_message_id AS "inReplyToMessageId",
  COALESCE(d.sent_message_id, (SELECT k.message_id FROM message_claims AS k
    WHERE k.organization_id = d.organization_id AND k.key = '${before}' || d.id || '${after}')) AS "sentMessageId",
  d.held_until AS "heldUntil", d.last_edited_at AS "lastEditedAt", d.created_at AS "createdAt",
  d.created_by AS "createdBy"`

/** Decodes a draft. */
const storedFromRow = (row: object): StoredDraft => {
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
const listDrafts = Effect.fnUntraced(function* (
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

const decodeKey = Schema.decodeUnknownSync(Schema.Struct({ organizationId: OrganizationId, id: DraftId }))

const first = (rows: ReadonlyArray<object>) => Option.map(Option.fromNullable(rows[0]), storedFromRow)

/** Drafts in the table `drafts`, with their attachments in `draft_attachments`. */
export const DraftRepoSql = Layer.effect(
  DraftRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(draftColumns)

    const lock = (organization: OrganizationId, id: DraftId) =>
      Effect.map(
        sql`SELECT ${columns} FROM drafts AS d WHERE d.organization_id = ${organization} AND d.id = ${id}
          FOR UPDATE OF d`,
        first
      )

    const write = ({ draft, heldUntil }: StoredDraft) =>
      sql`UPDATE drafts SET channel = ${draft.channel}, recipients = ${JSON.stringify(draft.recipients)}::json,
          content = ${JSON.stringify(draft.content)}::json, title = ${draft.title ?? null},
          in_reply_to_message_id = ${draft.inReplyToMessageId ?? null},
          sent_message_id = ${draft.sentMessageId ?? null},
          held_until = ${heldUntil === null ? null : DateTime.toDateUtc(heldUntil)},
          last_edited_at = ${DateTime.toDateUtc(draft.lastEditedAt)}
        WHERE organization_id = ${draft.organizationId} AND id = ${draft.id}`

    return {
      insert: (draft) =>
        sql`INSERT INTO drafts (organization_id, id, channel, recipients, content, title, in_reply_to_message_id,
            last_edited_at, created_at, created_by)
          VALUES (${draft.organizationId}, ${draft.id}, ${draft.channel}, ${JSON.stringify(draft.recipients)}::json,
            ${JSON.stringify(draft.content)}::json, ${draft.title ?? null}, ${draft.inReplyToMessageId ?? null},
            ${DateTime.toDateUtc(draft.lastEditedAt)}, ${DateTime.toDateUtc(draft.createdAt)}, ${draft.createdBy ?? null})`.pipe(
          Effect.zipRight(linkAttachments(sql, draft)),
          sql.withTransaction,
          withCreationKey(sql, () => draft.id),
          retryConflicts,
          forRequest
        ),
      find: (organization, id) =>
        sql`SELECT ${columns} FROM drafts AS d WHERE d.organization_id = ${organization} AND d.id = ${id}`.pipe(
          Effect.map((rows) => Option.map(first(rows), ({ draft }) => draft)),
          forRequest
        ),
      list: (organization, filters, request) => forRequest(listDrafts(sql, organization, filters, request)),
      change: (organization, id, unusedUntil, decide) =>
        Effect.gen(function* () {
          const present = yield* lock(organization, id)
          if (Option.isNone(present)) return Option.none()
          const changed = yield* decide(present.value)
          yield* write(changed)
          yield* linkAttachments(sql, changed.draft)
          yield* unlinkAttachments(sql, organization, id, requiredFiles(changed.draft), unusedUntil)
          return Option.some(changed.draft)
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
      remove: (organization, id, unusedUntil, mayBe) =>
        Effect.gen(function* () {
          const present = yield* lock(organization, id)
          if (Option.isNone(present)) return false
          yield* mayBe(present.value)
          yield* unlinkAttachments(sql, organization, id, [], unusedUntil)
          yield* sql`DELETE FROM drafts WHERE organization_id = ${organization} AND id = ${id}`
          return true
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
      listExpiredHolds: (now, limit) =>
        sql`SELECT organization_id AS "organizationId", id FROM drafts WHERE held_until <= ${DateTime.toDateUtc(now)}
          ORDER BY held_until LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map((row) => decodeKey(row))),
          orUnavailable
        )
    }
  })
)

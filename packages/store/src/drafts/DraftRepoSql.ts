import { SqlClient } from "@effect/sql"
import { DraftId } from "@switchboard/domain/drafts/Draft"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DraftRepo, requiredFiles, type StoredDraft } from "@switchboard/services/drafts/DraftRepo"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { linkAttachments, unlinkAttachments } from "../attachments/LinkAttachments.js"
import { forRequest, orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { withCreationKey } from "../idempotency/StoreCreationKey.js"
import { draftColumns, listDrafts, storedFromRow } from "./DraftRows.js"

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
          sent_message_id = ${draft.sentMessageId ?? null},
          held_until = ${heldUntil === null ? null : DateTime.toDateUtc(heldUntil)},
          last_edited_at = ${DateTime.toDateUtc(draft.lastEditedAt)}
        WHERE organization_id = ${draft.organizationId} AND id = ${draft.id}`

    return {
      insert: (draft) =>
        sql`INSERT INTO drafts (organization_id, id, channel, recipients, content, title, last_edited_at, created_at,
            created_by)
          VALUES (${draft.organizationId}, ${draft.id}, ${draft.channel}, ${JSON.stringify(draft.recipients)}::json,
            ${JSON.stringify(draft.content)}::json, ${draft.title ?? null}, ${DateTime.toDateUtc(draft.lastEditedAt)},
            ${DateTime.toDateUtc(draft.createdAt)}, ${draft.createdBy ?? null})`.pipe(
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

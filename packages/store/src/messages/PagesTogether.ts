import type { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Page, type PageRequest, page } from "@switchboard/domain/Page"
import type { EncodedMessage } from "@switchboard/services/messages/MessageRepo"
import { readableRows } from "@switchboard/services/ReadableRows"
import { Array, Effect } from "effect"
import { readTogether } from "../database/LookUpTogether.js"
import { prepared } from "../database/Prepared.js"
import { skippedItems } from "../SelectPage.js"
import { encodedFromRow, type MessageRow, messageColumns } from "./MessageJson.js"
import { messageTables } from "./MessageRows.js"

/** Lists of `messages AS m` in the order of their ids: one for each `l.key`. */
export interface MessageLists {
  /** The name of the prepared statement. */
  readonly name: string
  /** SQL: the messages of a list, which an index finds in the order of their ids. */
  readonly where: string
  /** SQL: the stored number of messages of a list; NULL if there is no list. */
  readonly total: string
  /** The default is the newest first. */
  readonly oldestFirst?: boolean
}

/** A page of one of the lists. */
interface PageOf {
  readonly key: string
  readonly request: PageRequest
}

/** A row per page, and one per message of all pages. */
type Row =
  | { readonly ids: ReadonlyArray<MessageId>; readonly total: number | null }
  | (MessageRow & { readonly ids: null })

/** Ids before and after all others. */
const minId = "00000000-0000-0000-0000-000000000000"
const maxId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/** `OFFSET 0` keeps the look-up by primary key: for a small table, PostgreSQL would rather read all of it. */
const statementOf = ({ name, oldestFirst = false, total, where }: MessageLists) =>
  prepared(
    name,
    /* sql */ `
WITH pages AS MATERIALIZED (
  SELECT l.n, (${total})::float8 AS total, ARRAY(
    SELECT m.id FROM messages AS m
    WHERE m.organization_id = $1::uuid AND ${where} AND m.id ${oldestFirst ? ">" : "<"} l.start
    ORDER BY m.id ${oldestFirst ? "" : "DESC"} OFFSET l.skipped LIMIT l.max
  ) AS ids
  FROM unnest($2::uuid[], $3::uuid[], $4::int[], $5::int[]) WITH ORDINALITY AS l(key, start, skipped, max, n)
)
(SELECT ids, total, NULL AS id, NULL AS organization_id, NULL AS json FROM pages ORDER BY n)
UNION ALL
SELECT NULL, NULL, found.* FROM (SELECT DISTINCT unnest(ids) AS id FROM pages) AS w CROSS JOIN LATERAL (
  SELECT ${messageColumns} FROM ${messageTables} WHERE m.organization_id = $1::uuid AND m.id = w.id OFFSET 0
) AS found`
  )

/** A page, and whether there is a list. */
interface Found {
  readonly isList: boolean
  readonly page: Page<EncodedMessage>
}

/** Reads pages with one statement, in order. Each message is read once. */
export const readPages = (sql: SqlClient.SqlClient, lists: MessageLists) => {
  const statement = statementOf(lists)
  const start = lists.oldestFirst ? minId : maxId
  return (organization: OrganizationId) =>
    Effect.fnUntraced(function* (pages: ReadonlyArray<PageOf>) {
      const rows = yield* sql.unsafe<Row>(statement, [
        organization,
        pages.map(({ key }) => key),
        pages.map(({ request }) => request.after ?? start),
        pages.map(({ request }) => skippedItems(request)),
        pages.map(({ request }) => request.limit + 1)
      ])
      const [messageRows, pageRows] = Array.partition(rows, (row) => row.ids !== null)
      const messages = new Map<MessageId, EncodedMessage>()
      for (const message of yield* readableRows(messageRows, encodedFromRow)) messages.set(message.id, message)
      return Array.zipWith(pageRows, pages, ({ ids, total }, { request }): Found => {
        const shown = ids.slice(0, request.limit)
        const items = shown.flatMap((id) => messages.get(id) ?? [])
        const lastId = ids.length > request.limit ? shown.at(-1) : undefined
        return { isList: total !== null, page: page(items, total ?? 0, request, { lastId }) }
      })
    })
}

/**
 * Reads pages near the start of a list, or after a message. Concurrent readers of an organization share statements: a
 * statement costs PostgreSQL as much as five messages in it.
 */
export const pagesTogether = (sql: SqlClient.SqlClient, lists: MessageLists) =>
  readTogether(readPages(sql, lists), ({ request }: PageOf) => request.limit + 1)

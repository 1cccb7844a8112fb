import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Page, type PageRequest, page } from "@switchboard/domain/Page"
import type { EncodedMessage, MessageFilter } from "@switchboard/services/messages/MessageRepo"
import { readableRows } from "@switchboard/services/ReadableRows"
import { Array, DateTime, Effect } from "effect"
import { readTogether } from "../database/LookUpTogether.js"
import { prepared } from "../database/Prepared.js"
import { containsText, filtered, filterOn, mayContainText, type Source } from "../Filters.js"
import { firstIdAt } from "../FirstIdAt.js"
import { selectPage, skippedItems, withinReach } from "../Lists.js"
import { encodedFromRow, type MessageRow, messageColumns } from "./MessageJson.js"
import { messageTables } from "./MessageRows.js"
import { storedTotal } from "./MessageTotals.js"

const messages: Source = { table: "messages", alias: "m", id: "id" }
const states: Source = { table: "message_states", alias: "s", id: "message_id" }
const participants: Source = { table: "message_participants", alias: "p", id: "message_id" }
const recipients: Source = { ...participants, alias: "r" }
const tags: Source = { table: "message_tags", alias: "t", id: "message_id" }

/**
 * A condition: the participant has the address. At most one has an e-mail address, so that the index keeps its order. Two
 * participants of a message can have a number, one for calls and texts, the other for WhatsApp: the first one counts.
 */
const hasAddress = (sql: SqlClient.SqlClient, organization: OrganizationId, address: string) => {
  const owners = (kinds: Fragment) => sql`(SELECT participant_id FROM participant_addresses
    WHERE organization_id = ${organization} AND kind ${kinds} AND address = lower(${address}))`
  if (address.includes("@")) return sql`r.participant_id = ${owners(sql`= 'email'`)}`
  const numbered = sql`ANY (ARRAY${owners(sql`IN ('phone', 'whatsapp')`)})`
  return sql`r.participant_id = ${numbered} AND NOT EXISTS (SELECT FROM message_participants AS o
    WHERE o.organization_id = r.organization_id AND o.message_id = r.message_id AND o.participant_id = ${numbered}
      AND o.participant_id < r.participant_id)`
}

/** SQL: the recipients of `messages AS m`, each as `a`. */
const recipientsOf = `FROM (VALUES ('to'), ('cc'), ('bcc')) AS l(list)
  CROSS JOIN LATERAL json_array_elements_text(m.addressing -> l.list) AS a`

/** SQL: the author of a received message; null for a sent one. */
const author = "CASE WHEN m.direction = 'inbound' THEN m.content ->> 'from' END"

/** The texts of a search. */
const texts = ["m.subject_line", "m.external_id", "m.reference_id", author]

/** The text of the index of a search. */
const indexedTexts =
  "message_texts(m.subject_line, m.content, m.addressing, m.external_id, m.reference_id, m.direction)"

/** A page of an organization's messages, newest first. */
export const listMessages = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  filter: MessageFilter,
  request: PageRequest
) => {
  const { endDate, startDate } = filter
  const isRecipient = (condition: Fragment) => sql`EXISTS (SELECT ${sql.literal(recipientsOf)} WHERE ${condition})`
  const contains = (text: string) =>
    sql.or([containsText(sql, text, texts), isRecipient(containsText(sql, text, ["a"]))])
  return selectPage(sql, request, {
    ...filtered(sql, organization, {
      all: messages,
      ordered: [
        ...filterOn(messages, filter.externalId, (value) => sql`m.external_id = ${value}`),
        ...filterOn(messages, filter.referenceId, (value) => sql`m.reference_id = ${value}`),
        ...filterOn(messages, filter.conversationId, (value) => sql`m.conversation_id = ${value}`),
        ...filterOn(recipients, filter.recipient, (value) => hasAddress(sql, organization, value)),
        ...filterOn(participants, filter.participantId, (value) => sql`p.participant_id = ${value}`),
        ...filterOn(tags, filter.tag, (value) => sql`t.tag = ${value}`),
        ...filterOn(states, filter.status, (value) =>
          value === "pending" || value === "processing"
            ? sql`s.listed_status = 'open' AND s.status = ${value}`
            : sql`s.listed_status = ${value}`
        ),
        ...filterOn(messages, filter.channel, (value) => sql`m.channel = ${value}`)
      ],
      tests: [
        ...filterOn(messages, filter.direction, (value) => sql`m.direction = ${value}`),
        ...filterOn(messages, filter.recipient, (value) => isRecipient(sql`lower(a) = lower(${value})`)),
        ...filterOn(messages, filter.search, contains, (text) =>
          sql.and([mayContainText(sql, text, indexedTexts), contains(text)])
        )
      ],
      range: (id) => [
        ...(startDate === undefined ? [] : [sql`${id} >= ${firstIdAt(startDate)}`]),
        ...(endDate === undefined ? [] : [sql`${id} < ${firstIdAt(DateTime.add(endDate, { millis: 1 }))}`])
      ],
      rows: [messages, states]
    }),
    columns: messageColumns,
    read: encodedFromRow,
    total: storedTotal(sql, organization, filter)
  })
}

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

/** Skipped index entries that take as long as a message. */
const entriesPerMessage = 10

/**
 * Reads pages of a list. Concurrent readers of an organization share statements: 8 readers of the first page then wait
 * 8 ms instead of 100 ms. A page with many items before it has a statement of its own.
 */
export const pagesTogether = (sql: SqlClient.SqlClient, lists: MessageLists) =>
  Effect.map(
    readTogether(
      readPages(sql, lists),
      ({ request }: PageOf) => request.limit + 1 + skippedItems(request) / entriesPerMessage
    ),
    (read) => (organization: OrganizationId, key: string, request: PageRequest) =>
      withinReach(request)(read(organization, { key, request }))
  )

/** All messages of an organization, whose id is the key. */
export const allMessages: MessageLists = {
  name: "list_messages",
  where: "true",
  total: "coalesce((SELECT messages_kept FROM organization_usage WHERE organization_id = l.key), 0)"
}

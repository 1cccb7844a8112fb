import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { MessageFilter } from "@switchboard/services/messages/MessageRepo"
import { DateTime } from "effect"
import { containsText, mayContainText } from "../ContainsText.js"
import { firstIdAt } from "../FirstIdAt.js"

/** A table with rows of messages. */
export interface MessageTable {
  readonly table: string
  /** The alias of the table in a list. */
  readonly alias: string
  /** The column of the message's id. */
  readonly id: string
}

/** A filter of messages. */
export interface MessageCondition extends MessageTable {
  /**
   * What the table's index of the filter returns: an organization's matches in the order of their ids, or in no order.
   * A test has no index.
   */
  readonly index: "ordered" | "unordered" | "none"
  /** The condition on an alias of the table. */
  readonly matches: (alias: string) => Fragment
  /** A condition that all matches meet, and few other rows. The unordered index serves it, and not `matches`. */
  readonly mayMatch?: (alias: string) => Fragment
}

/** A condition: the participant has the address. At most one has an e-mail address, so that the index keeps its order. */
const hasAddress = (sql: SqlClient.SqlClient, organization: OrganizationId, participant: Fragment, address: string) => {
  const owners = (kinds: Fragment) => sql`(SELECT participant_id FROM participant_addresses
    WHERE organization_id = ${organization} AND kind ${kinds} AND address = lower(${address}))`
  return address.includes("@")
    ? sql`${participant} = ${owners(sql`= 'email'`)}`
    : sql`${participant} = ANY (ARRAY${owners(sql`IN ('phone', 'whatsapp')`)})`
}

/** The tables of the recipients of a message, each as `a`. */
const recipientsOf = (
  sql: SqlClient.SqlClient,
  message: Fragment
) => sql`FROM (VALUES ('to'), ('cc'), ('bcc')) AS l(list)
  CROSS JOIN LATERAL json_array_elements_text(${message}.addressing -> l.list) AS a`

/** The author of a received message; null for a sent one. */
const authorOf = (m: string) => `CASE WHEN ${m}.direction = 'inbound' THEN ${m}.content ->> 'from' END`

/** A condition: the subject, a recipient, an author or an id of the caller contains the text. One index has all of them. */
const searchCondition = (sql: SqlClient.SqlClient, search: string): MessageCondition => ({
  table: "messages",
  alias: "m",
  id: "id",
  index: "unordered",
  matches: (m) =>
    sql.or([
      containsText(sql, search, [`${m}.subject_line`, `${m}.external_id`, `${m}.reference_id`, authorOf(m)]),
      sql`EXISTS (SELECT ${recipientsOf(sql, sql.literal(m))} WHERE ${containsText(sql, search, ["a"])})`
    ]),
  mayMatch: (m) =>
    mayContainText(
      sql,
      search,
      `message_texts(${m}.subject_line, ${m}.content, ${m}.addressing, ${m}.external_id, ${m}.reference_id,
        ${m}.direction)`
    )
})

/** No filter: all messages in the order of their ids. */
export const everyMessage = (sql: SqlClient.SqlClient): MessageCondition => ({
  table: "messages",
  alias: "m",
  id: "id",
  index: "ordered",
  matches: () => sql`true`
})

/** The filters of a request, without the time range. */
export const messageConditions = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  filter: MessageFilter
): ReadonlyArray<MessageCondition> => {
  const conditionOn =
    (table: string, alias: string, id: string, index: MessageCondition["index"] = "ordered") =>
    <A>(value: A | undefined, matches: (alias: Fragment, value: A) => Fragment): ReadonlyArray<MessageCondition> =>
      value === undefined ? [] : [{ table, alias, id, index, matches: (name) => matches(sql.literal(name), value) }]
  const onMessages = conditionOn("messages", "m", "id")
  const onStates = conditionOn("message_states", "s", "message_id")
  const onParticipants = conditionOn("message_participants", "p", "message_id")
  const onTags = conditionOn("message_tags", "t", "message_id")
  return [
    ...onMessages(filter.externalId, (m, value) => sql`${m}.external_id = ${value}`),
    ...onMessages(filter.referenceId, (m, value) => sql`${m}.reference_id = ${value}`),
    ...onMessages(filter.conversationId, (m, value) => sql`${m}.conversation_id = ${value}`),
    ...onParticipants(filter.participantId, (p, value) => sql`${p}.participant_id = ${value}`),
    ...onParticipants(filter.recipient, (p, value) => hasAddress(sql, organization, sql`${p}.participant_id`, value)),
    ...conditionOn(
      "messages",
      "m",
      "id",
      "none"
    )(filter.recipient, (m, value) => sql`EXISTS (SELECT ${recipientsOf(sql, m)} WHERE lower(a) = lower(${value}))`),
    ...onStates(filter.status, (s, value) =>
      value === "pending" || value === "processing"
        ? sql`${s}.listed_status = 'open' AND ${s}.status = ${value}`
        : sql`${s}.listed_status = ${value}`
    ),
    ...onMessages(filter.channel, (m, value) => sql`${m}.channel = ${value}`),
    ...onTags(filter.tag, (t, value) => sql`${t}.tag = ${value}`),
    ...(filter.search === undefined ? [] : [searchCondition(sql, filter.search)])
  ]
}

/** The SQL conditions of a filter with the organization and the time range. */
export const conditionsIn =
  (sql: SqlClient.SqlClient, organization: OrganizationId, { endDate, startDate }: MessageFilter) =>
  (condition: MessageCondition): ReadonlyArray<Fragment> => {
    const alias = sql.literal(condition.alias)
    const id = sql.literal(idOf(condition))
    return [
      sql`${alias}.organization_id = ${organization}`,
      condition.matches(condition.alias),
      ...(startDate === undefined ? [] : [sql`${id} >= ${firstIdAt(startDate)}`]),
      ...(endDate === undefined ? [] : [sql`${id} < ${firstIdAt(DateTime.add(endDate, { millis: 1 }))}`])
    ]
  }

/** A table with its alias. */
export const tableOf = ({ alias, table }: MessageTable) => `${table} AS ${alias}`

/** The column of the message's id, with its alias. */
export const idOf = ({ alias, id }: MessageTable) => `${alias}.${id}`

/** Whether both conditions are on the same row of a message. Other tables have several rows of a message. */
export const isSameRow = (left: MessageCondition, right: MessageCondition) =>
  left.table === right.table && ["messages", "message_states"].includes(left.table)

/**
 * A condition on a message that the filter `first` and those of `joined` have found: it also matches another one. Reads
 * one row of another table by primary key: `OFFSET` prevents a join in another order. The condition names all joined
 * tables, so that PostgreSQL tests it after their join.
 */
export const alsoMatches = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  condition: MessageCondition,
  first: MessageCondition,
  joined: ReadonlyArray<MessageCondition>
) => {
  const { id, matches, table } = condition
  const isFound = sql.and([first, ...joined].map((one) => sql`o.${sql.literal(id)} = ${sql.literal(idOf(one))}`))
  return isSameRow(condition, first)
    ? matches(first.alias)
    : sql`EXISTS (SELECT FROM ${sql.literal(table)} AS o WHERE o.organization_id = ${organization}
        AND ${isFound} AND ${matches("o")} OFFSET 0)`
}

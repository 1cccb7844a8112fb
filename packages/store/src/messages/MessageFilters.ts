import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { MessageFilter } from "@switchboard/services/messages/MessageRepo"
import { containingPattern } from "../ContainsText.js"

/** A filter of messages. */
export interface MessageCondition {
  readonly table: string
  /** The alias of the table in a list. */
  readonly alias: string
  /** The column of the message's id. */
  readonly id: string
  /**
   * What the table's index of the filter returns: an organization's matches in the order of their ids, or in no order.
   * A test has no index.
   */
  readonly index: "ordered" | "unordered" | "none"
  /** The condition on an alias of the table. */
  readonly matches: (alias: Fragment) => Fragment
}

/** A condition: the participant has the address. At most one has an e-mail address, so that the index keeps its order. */
const hasAddress = (sql: SqlClient.SqlClient, organization: OrganizationId, participant: Fragment, address: string) => {
  const owners = (kinds: Fragment) => sql`(SELECT participant_id FROM participant_addresses
    WHERE organization_id = ${organization} AND kind ${kinds} AND address = lower(${address}))`
  return address.includes("@")
    ? sql`${participant} = ${owners(sql`= 'email'`)}`
    : sql`${participant} = ANY (ARRAY${owners(sql`IN ('phone', 'whatsapp')`)})`
}

/** The filters of a request, without the time range. */
export const messageConditions = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  filter: MessageFilter
): ReadonlyArray<MessageCondition> => {
  const conditionOn =
    (table: string, alias: string, id: string, index: MessageCondition["index"] = "ordered") =>
    <A>(value: A | undefined, matches: (alias: Fragment, value: A) => Fragment): ReadonlyArray<MessageCondition> =>
      value === undefined ? [] : [{ table, alias, id, index, matches: (name) => matches(name, value) }]
  const onMessages = conditionOn("messages", "m", "id")
  const onStates = conditionOn("message_states", "s", "message_id")
  const onParticipants = conditionOn("message_participants", "p", "message_id")
  const onTags = conditionOn("message_tags", "t", "message_id")
  const onSubjects = conditionOn("messages", "m", "id", "unordered")
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
    )(
      filter.recipient,
      (m, value) => sql`EXISTS (SELECT FROM (VALUES ('to'), ('cc'), ('bcc')) AS l(list)
        CROSS JOIN LATERAL json_array_elements_text(${m}.addressing -> l.list) AS a WHERE lower(a) = lower(${value}))`
    ),
    ...onStates(filter.status, (s, value) =>
      value === "pending" || value === "processing"
        ? sql`${s}.listed_status = 'open' AND ${s}.status = ${value}`
        : sql`${s}.listed_status = ${value}`
    ),
    ...onMessages(filter.channel, (m, value) => sql`${m}.channel = ${value}`),
    ...onTags(filter.tag, (t, value) => sql`${t}.tag = ${value}`),
    ...onSubjects(filter.search, (m, value) => sql`${m}.content ->> 'subject' ILIKE ${containingPattern(value)}`)
  ]
}

/** Whether both conditions are on the same row of a message. Other tables have several rows of a message. */
const isSameRow = (left: MessageCondition, right: MessageCondition) =>
  left.table === right.table && ["messages", "message_states"].includes(left.table)

/**
 * A condition on a message that one filter has found: it also matches another one. Reads one row of another table by
 * primary key: `OFFSET` prevents a join in another order.
 */
export const alsoMatches = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  condition: MessageCondition,
  found: MessageCondition
) => {
  const { id, matches, table } = condition
  return isSameRow(condition, found)
    ? matches(sql.literal(found.alias))
    : sql`EXISTS (SELECT FROM ${sql.literal(table)} AS o WHERE o.organization_id = ${organization}
        AND o.${sql.literal(id)} = ${sql.literal(`${found.alias}.${found.id}`)} AND ${matches(sql.literal("o"))} OFFSET 0)`
}

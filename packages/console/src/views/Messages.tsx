import { ResourceNotFoundError, type SwitchboardEvent } from "@switchboard/client/promise"
import { maxCounted } from "@switchboard/domain/Page"
import { escapeFormula } from "@switchboard/domain/Text"
import { useEffect, useRef, useState } from "preact/hooks"
import { client } from "../app/Client.js"
import { useEvents, useLatest } from "../app/LiveEvents.js"
import { place } from "../app/Location.js"
import { linkTo, paths } from "../app/Paths.js"
import type { Message } from "../app/Types.js"
import { ActionButton } from "../components/Actions.js"
import { feedStep, useFeed } from "../components/Feed.js"
import { FeedList } from "../components/FeedList.js"
import { counted, dayOf, idIn, nextDay, numberText } from "../components/Format.js"
import { ChoiceFilter, DateFilter, filterChoice, filterText, SearchFilter, TagFilter } from "../components/ListView.js"
import { EmptyState, sendCommand, showDone } from "../components/Notices.js"
import { useLoad, ViewHeader } from "../components/View.js"
import { MessageRow, mailContentOf, messageColumns, recipientsOf } from "./MessageRow.js"
import { SendLink } from "./Sender.js"

const statuses = [
  "pending",
  "scheduled",
  "queued",
  "processing",
  "sent",
  "delivered",
  "read",
  "failed",
  "bounced",
  "complained"
] as const

const channels = ["email", "sms", "whatsapp", "voice"] as const

/** The minimum number of characters of a search. */
const minSearch = 3

/** What the text of the search is: the id of a message, or a part of a subject, an address or an own id. */
const searchFilter = (text = "") => {
  const id = idIn(text)
  if (id !== undefined) return { id }
  return text.length < minSearch ? {} : { search: text }
}

/** The filters of the list of messages, from the URL. Unknown values are left out. Days are complete. */
const messageFilters = () => {
  const { query } = place.value
  const to = dayOf(query, "to")
  return {
    ...searchFilter(filterText("search")),
    tag: filterText("tag"),
    status: filterChoice("status", statuses),
    channel: filterChoice("channel", channels),
    startDate: dayOf(query, "from"),
    // The end is inclusive.
    endDate: to === undefined ? undefined : new Date(nextDay(to).getTime() - 1)
  }
}

type MessageFilters = ReturnType<typeof messageFilters>

/** The fields of the filters above the list. Each is a part of the URL. */
const MessageFilterFields = () => (
  <search class="filters">
    <SearchFilter label="Find messages" placeholder="Find by address, subject or id" />
    <ChoiceFilter name="status" label="Status" values={statuses} />
    <ChoiceFilter name="channel" label="Channel" values={channels} />
    <TagFilter />
    <DateFilter label="From" name="from" />
    <DateFilter label="To" name="to" />
  </search>
)

/** The message of an id; undefined if there is none. */
const messageOf = async (id: string, signal: AbortSignal | undefined): Promise<Message | undefined> => {
  try {
    return await client.messages.get({ path: { id } }, signal === undefined ? {} : { signal })
  } catch (error) {
    if (error instanceof ResourceNotFoundError) return undefined
    throw error
  }
}

/** The query of the list. An id that no message has is searched for: it can be an id of the caller. */
const queryOf = ({ id, ...filters }: MessageFilters, limit: number) => ({
  urlParams: { ...filters, ...(id === undefined ? {} : { search: id }), limit }
})

/** All messages that the filters match, newest first; with the id of a message only that message. */
async function* openMessages(filters: MessageFilters, signal: AbortSignal) {
  const message = filters.id === undefined ? undefined : await messageOf(filters.id, signal)
  if (message !== undefined) yield message
  else yield* client.messages.list.all(queryOf(filters, feedStep), { signal })
}

/** The first messages that the filters match, and the number of all of them in words. */
const firstMessages = async (filters: MessageFilters, limit: number, signal?: AbortSignal) => {
  const message = filters.id === undefined ? undefined : await messageOf(filters.id, signal)
  if (message !== undefined) return { items: [message], total: 1, totalText: counted(1, "message") }
  const [{ items, pagination }, { headers }] = await client.messages.list(
    { ...queryOf(filters, limit), withResponse: true },
    signal === undefined ? {} : { signal }
  )
  const { total } = pagination
  const isEstimated = headers["total-estimated"] === "true"
  return {
    items,
    total,
    totalText: isEstimated ? `more than ${counted(maxCounted, "message")}` : counted(total, "message")
  }
}

/** The maximum number of messages of a file: 100 requests. */
const maxExported = 10_000

const list = (values: ReadonlyArray<string> = []) => values.join(", ")

/** The columns, named as those of `GET /analytics/export`. */
const columns: ReadonlyArray<readonly [name: string, cell: (message: Message) => string | null | undefined]> = [
  ["id", ({ id }) => id],
  ["createdAt", ({ createdAt }) => createdAt.toISOString()],
  ["channel", ({ channel }) => channel],
  ["direction", ({ direction }) => direction],
  ["status", ({ status }) => status],
  ["from", ({ content }) => content.from],
  ["to", (message) => list(recipientsOf(message))],
  ["cc", ({ emailMetadata }) => list(emailMetadata?.cc)],
  ["bcc", ({ emailMetadata }) => list(emailMetadata?.bcc)],
  ["subject", (message) => mailContentOf(message)?.subject],
  ["externalId", ({ externalId }) => externalId],
  ["referenceId", ({ referenceId }) => referenceId],
  ["tags", ({ tags }) => list(tags)],
  ["lastError", ({ lastError }) => lastError]
]

/** A line of CSV (RFC 4180). */
const line = (cells: ReadonlyArray<string>) =>
  `${cells.map((cell) => `"${escapeFormula(cell).replaceAll('"', '""')}"`).join(",")}\r\n`

const download = (lines: ReadonlyArray<string>) => {
  const url = URL.createObjectURL(new Blob([...lines], { type: "text/csv" }))
  Object.assign(document.createElement("a"), { href: url, download: "messages.csv" }).click()
  URL.revokeObjectURL(url)
}

/** Exports the messages that the filters match as CSV, newest first, at most `maxExported`. */
const ExportMessages = ({ filters }: { readonly filters: MessageFilters }) => {
  const [count, setCount] = useState<number>()
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const run = async () => {
    const controller = new AbortController()
    running.current = controller
    const lines = [line(columns.map(([name]) => name))]
    try {
      for await (const message of openMessages(filters, controller.signal)) {
        lines.push(line(columns.map(([, cell]) => cell(message) ?? "")))
        if (lines.length % 100 === 0) setCount(lines.length)
        if (lines.length > maxExported) break
      }
    } finally {
      setCount(undefined)
    }
    download(lines)
    showDone(`${counted(lines.length - 1, "message")} exported`)
  }
  return (
    <ActionButton
      label={count === undefined ? "Export CSV" : `Exporting: ${numberText(count)}`}
      icon="download"
      permission="messages.read"
      action={run}
    />
  )
}

const keyOf = ({ id }: Message) => id

/** The loaded message that an event is about, with its new status. */
const changedMessage = (event: SwitchboardEvent, items: ReadonlyArray<Message>): Message | undefined => {
  if (event.type === "unknown" || !("deliveryAttempts" in event.data)) return undefined
  const { id, status } = event.data
  const message = items.find((item) => item.id === id)
  return message === undefined ? undefined : { ...message, status }
}

/** The list of messages, newest first, kept up to date by events. */
export const MessagesView = () => {
  const filters = messageFilters()
  const key = JSON.stringify(filters)
  const feed = useFeed(key, keyOf, (signal) => openMessages(filters, signal))
  const first = useLoad((signal) => firstMessages(filters, 1, signal), [key])
  const refresh = useLatest(async () => {
    const loaded = await firstMessages(filters, feedStep)
    feed.update(loaded.items)
    first.replace(loaded)
  })
  useEvents(["message."], (event) => {
    if (event.type === "message.deleted") feed.remove(event.data.id)
    const changed = changedMessage(event, feed.items.peek())
    if (changed !== undefined && filters.status !== undefined && changed.status !== filters.status)
      feed.remove(changed.id)
    else if (changed !== undefined) feed.update([changed])
    refresh()
  })
  const { total = 0, totalText } = first.value ?? {}
  return (
    <>
      <ViewHeader title="Messages">
        <SendLink />
      </ViewHeader>
      <MessageFilterFields />
      {total > 0 && (
        <div class="list-summary">
          <span>
            {totalText}
            {total >= maxExported && `; the export has the newest ${numberText(maxExported)}`}
          </span>
          <ExportMessages key={key} filters={filters} />
        </div>
      )}
      <FeedList
        label="Messages"
        layout="messages"
        columns={messageColumns}
        feed={feed}
        keyOf={keyOf}
        hrefOf={({ id }) => linkTo(paths.message, { id })}
        row={(message) => <MessageRow message={message} />}
        empty={
          key === "{}" ? (
            <EmptyState title="No messages yet" text="Send the first one here, or with curl:" command={sendCommand()}>
              <SendLink />
            </EmptyState>
          ) : (
            <EmptyState title="No message matches" text="Change the filters, or remove them." />
          )
        }
      />
    </>
  )
}

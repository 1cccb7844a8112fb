import type { SwitchboardEvent } from "@switchboard/client/promise"
import { useEvents } from "../../app/LiveEvents.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { Message } from "../../app/Types.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { EmptyState } from "../../components/EmptyState.js"
import { feedStep, useFeed } from "../../components/Feed.js"
import { FeedList } from "../../components/FeedList.js"
import { useLatest } from "../../components/UseLatest.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { SendLink } from "../send/SendLink.js"
import { ExportMessages, maxExported } from "./ExportMessages.js"
import { firstMessages, openMessages } from "./FindMessages.js"
import { MessageFilterFields, messageFilters } from "./MessageFilters.js"
import { MessageRow, messageHeadings } from "./MessageRow.js"

const command = curlCommand("/messages", {
  channel: "email",
  to: [{ email: "ada@example.com" }],
  email: { subject: "Hello", text: "It works." }
})

const keyOf = ({ id }: Message) => id

/** The loaded message that an event is about, with its new status. */
const changedMessage = (event: SwitchboardEvent, items: ReadonlyArray<Message>): Message | undefined => {
  if (event.type === "unknown" || !("deliveryAttempts" in event.data)) return undefined
  const { id, status } = event.data
  const message = items.find((item) => item.id === id)
  return message === undefined ? undefined : { ...message, status }
}

/** The list of messages, newest first, kept up to date by events. */
const MessagesView = () => {
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
            {total >= maxExported && `; the export has the newest ${maxExported.toLocaleString("en")}`}
          </span>
          <ExportMessages key={key} filters={filters} />
        </div>
      )}
      <FeedList
        label="Messages"
        columns="messages"
        headings={messageHeadings}
        feed={feed}
        keyOf={keyOf}
        hrefOf={({ id }) => linkTo(paths.message, { id })}
        row={(message) => <MessageRow message={message} />}
        empty={
          key === "{}" ? (
            <EmptyState title="No messages yet" text="Send the first one here, or with curl:" command={command}>
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

export default MessagesView

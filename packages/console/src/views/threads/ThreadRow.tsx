import type { Thread } from "../../app/Types.js"
import { Icon } from "../../components/Icon.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"

/** The people outside the organization in a thread. */
const contactsOf = ({ participants }: Thread): string =>
  participants
    .filter(({ type }) => type !== "sender")
    .map(({ displayName, name }) => displayName ?? name)
    .join(", ")

/** The cells of a thread in a list. */
export const ThreadRow = ({ thread }: { readonly thread: Thread }) => (
  <>
    <span
      class={`direction ${thread.lastMessageDirection}`}
      title={thread.lastMessageDirection === "inbound" ? "last received" : "last sent"}
    >
      <Icon name={thread.lastMessageDirection === "inbound" ? "inbox" : "send"} />
    </span>
    <span class="partner">{contactsOf(thread)}</span>
    <span class={thread.unreadCount > 0 ? "subject unread" : "subject"}>
      {thread.unreadCount > 0 && <span class="tag unread-count">{thread.unreadCount} unread</span>}
      {thread.subject === "" ? <em>no subject</em> : thread.subject}
      <span class="tag">{thread.messageCount}</span>
    </span>
    <Status value={thread.status} />
    <Time value={thread.lastMessageAt} />
  </>
)

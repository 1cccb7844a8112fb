import { ChoiceFilter, filterChoice, filterText, SearchFilter, TagFilter } from "../../components/ListFilters.js"

const statuses = ["active", "waiting", "snoozed", "resolved", "archived"] as const
const channels = ["email", "sms", "whatsapp", "voice"] as const
/** The priorities of conversations; 2 is normal. */
export const conversationPriorities = ["0", "1", "2", "3", "4"] as const

/** The filters of the list of conversations, from the URL. Unknown values are left out. */
export const conversationFilters = () => {
  const priority = filterChoice("priority", conversationPriorities)
  return {
    search: filterText("search"),
    status: filterChoice("status", statuses),
    channel: filterChoice("channel", channels),
    priority: priority === undefined ? undefined : Number(priority),
    tag: filterText("tag")
  }
}

/** The filters above the list. Each is a part of the URL. */
export const ConversationFilters = () => (
  <>
    <SearchFilter label="Find conversations" placeholder="Find by title or description" />
    <TagFilter />
    <ChoiceFilter name="status" label="Status" values={statuses} />
    <ChoiceFilter name="priority" label="Priority" values={conversationPriorities} />
    <ChoiceFilter name="channel" label="Channel" values={channels} />
  </>
)

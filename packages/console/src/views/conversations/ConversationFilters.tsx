import { changeQuery, place } from "../../app/Location.js"
import { ChoiceFilter, SearchFilter, searchOf } from "../../components/ListFilters.js"

const statuses = ["active", "waiting", "snoozed", "resolved", "archived"] as const
const channels = ["email", "sms", "whatsapp", "voice"] as const
const priorities = ["0", "1", "2", "3", "4"] as const

/** The filters of the list of conversations, from the URL. Unknown values are left out. */
export const conversationFilters = (query: URLSearchParams) => {
  const status = statuses.find((value) => value === query.get("status"))
  const channel = channels.find((value) => value === query.get("channel"))
  const priority = priorities.find((value) => value === query.get("priority"))
  const tag = query.get("tag")?.trim() ?? ""
  return {
    ...searchOf(query),
    ...(status === undefined ? {} : { status }),
    ...(channel === undefined ? {} : { channel }),
    ...(priority === undefined ? {} : { priority: Number(priority) }),
    ...(tag === "" ? {} : { tag })
  }
}

/** The filters above the list. Each is a part of the URL. */
export const ConversationFilters = () => (
  <search class="filters">
    <SearchFilter label="Find conversations" placeholder="Find by title or description" />
    <input
      class="tag-filter"
      type="search"
      aria-label="Tag"
      placeholder="Tag"
      value={place.value.query.get("tag") ?? ""}
      onInput={(event) => changeQuery({ tag: event.currentTarget.value })}
    />
    <ChoiceFilter name="status" label="Status" values={statuses} />
    <ChoiceFilter name="priority" label="Priority" values={priorities} />
    <ChoiceFilter name="channel" label="Channel" values={channels} />
  </search>
)

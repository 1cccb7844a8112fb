import { place } from "../../app/Location.js"
import { idIn } from "../../app/SearchTerm.js"
import { dayOf, nextDay } from "../../components/Days.js"
import {
  ChoiceFilter,
  DateFilter,
  filterChoice,
  filterText,
  SearchFilter,
  TagFilter
} from "../../components/ListFilters.js"

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
export const messageFilters = () => {
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

export type MessageFilters = ReturnType<typeof messageFilters>

/** The fields of the filters above the list. Each is a part of the URL. */
export const MessageFilterFields = () => (
  <search class="filters">
    <SearchFilter label="Find messages" placeholder="Find by address, subject or id" />
    <ChoiceFilter name="status" label="Status" values={statuses} />
    <ChoiceFilter name="channel" label="Channel" values={channels} />
    <TagFilter />
    <DateFilter label="From" name="from" />
    <DateFilter label="To" name="to" />
  </search>
)

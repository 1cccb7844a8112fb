import { Icon } from "../../components/Icon.js"
import { ChoiceFilter, filterChoice } from "../../components/ListFilters.js"
import { useFilterText } from "./UseFilterText.js"

/** What the text of the search is compared with: query parameters of the list. */
const searchFields = {
  search: "Subject",
  recipient: "Recipient",
  externalId: "Own id",
  referenceId: "Reference",
  tag: "Tag"
} as const

type SearchField = keyof typeof searchFields

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

const isField = (name: string): name is SearchField => Object.hasOwn(searchFields, name)

/** The filters of the list of messages, from the URL. Unknown values are left out. */
export const messageFilters = (query: URLSearchParams) => {
  const texts = [...query].filter(([name, value]) => isField(name) && value.length >= (name === "search" ? 3 : 1))
  return {
    ...Object.fromEntries(texts),
    status: filterChoice("status", statuses),
    channel: filterChoice("channel", channels)
  }
}

/** The filters above the list. Each is a part of the URL. */
export const MessageFilters = () => {
  const { field, setField, setText, text } = useFilterText(Object.keys(searchFields))
  return (
    <search class="filters">
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label="Find messages"
          placeholder={`Find by ${searchFields[isField(field) ? field : "search"].toLowerCase()}`}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <select aria-label="Find in" value={field} onChange={(event) => setField(event.currentTarget.value)}>
          {Object.entries(searchFields).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <ChoiceFilter name="status" label="Status" values={statuses} />
      <ChoiceFilter name="channel" label="Channel" values={channels} />
    </search>
  )
}

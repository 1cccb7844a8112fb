import { client } from "../../app/Client.js"
import { navigate } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { Participant } from "../../app/Types.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { feedStep } from "../../components/Feed.js"
import { FormDialog } from "../../components/FormDialog.js"
import { ChoiceFilter, filterChoice, filterText, SearchFilter } from "../../components/ListFilters.js"
import { ListView } from "../../components/ListView.js"
import { Time } from "../../components/Time.js"
import { addressesOf, ContactFields, contactOf } from "./ContactFields.js"

const types = ["contact", "sender", "agent"] as const

const create = async (form: FormData) => {
  const { id } = await client.participants.create({ payload: contactOf(form) })
  navigate(linkTo(paths.contact, { id }))
}

const row = (participant: Participant) => (
  <>
    <span class="name">
      <strong>{participant.displayName ?? participant.name}</strong>
      {participant.type !== "contact" && <span class="tag">{participant.type}</span>}
    </span>
    <span class="secondary">{addressesOf(participant).join(", ")}</span>
    <Time value={participant.createdAt} />
  </>
)

/** The participants of messages and conversations, newest first. */
const ContactsView = () => {
  const filters = { search: filterText("search"), type: filterChoice("type", types) }
  return (
    <ListView
      title="Contacts"
      noun="contact"
      filters={filters}
      open={(signal) => client.participants.list.all({ urlParams: { filters, limit: feedStep } }, { signal })}
      events={["message.created", "message.received"]}
      columns="contacts"
      headings={["Name", "Addresses", "Added"]}
      hrefOf={({ id }) => linkTo(paths.contact, { id })}
      row={row}
      empty={{
        text: "Each recipient and author of a message becomes a contact. To create one yourself:",
        command: curlCommand("/participants", { name: "Ada Lovelace", email: "ada@example.com" })
      }}
      actions={() => (
        <FormDialog
          label="Create a contact"
          kind="primary"
          permission="participants.write"
          submitLabel="Create"
          submit={create}
        >
          <ContactFields />
        </FormDialog>
      )}
    >
      <SearchFilter label="Find contacts" placeholder="Find by name or address" />
      <ChoiceFilter name="type" label="Type" values={types} />
    </ListView>
  )
}

export default ContactsView

import type { ComponentChildren } from "preact"
import { client } from "../app/Client.js"
import { useEvents } from "../app/LiveEvents.js"
import { navigate } from "../app/Location.js"
import { linkTo, type PathParams, paths } from "../app/Paths.js"
import { can } from "../app/SessionState.js"
import type { Participant } from "../app/Types.js"
import { FormDialog } from "../components/Actions.js"
import { now, Time } from "../components/Facts.js"
import { feedStep } from "../components/Feed.js"
import { FeedList } from "../components/FeedList.js"
import { MetadataCard, MetadataField, metadataOf, requiredText, TextField, textOf } from "../components/Fields.js"
import { countryName } from "../components/Format.js"
import { filterChoice, filterText, idOf, listView, useResources } from "../components/ListView.js"
import { EmptyState } from "../components/Notices.js"
import { DeleteButton, FactsCard, PendingView, useResource } from "../components/Resource.js"
import { useLoad, ViewHeader } from "../components/View.js"
import { MessageRow, messageColumns } from "./MessageRow.js"

/** The request of a form. Empty fields are undefined. */
const contactOf = (form: FormData) => ({
  name: requiredText(form, "name"),
  displayName: textOf(form, "displayName"),
  email: textOf(form, "email"),
  phone: textOf(form, "phone"),
  whatsappId: textOf(form, "whatsappId"),
  country: textOf(form, "country"),
  region: textOf(form, "region"),
  metadata: metadataOf(form)
})

/** All addresses of a participant. */
const addressesOf = ({ channelIdentities: { email = [], phone = [], whatsapp = [] } }: Participant) => [
  ...new Set([...email, ...phone, ...whatsapp])
]

/** The fields of a new contact, or of one to change. A participant with several addresses of a kind shows the first. */
const ContactFields = ({ participant }: { readonly participant?: Participant }) => {
  const { email = [], phone = [], whatsapp = [] } = participant?.channelIdentities ?? {}
  return (
    <>
      <TextField label="Name" name="name" required placeholder="Ada Lovelace" value={participant?.name} />
      <TextField
        label="Display name"
        name="displayName"
        placeholder="the name"
        value={participant?.displayName}
        hint="Shown in place of the name."
      />
      <TextField
        label="E-mail address"
        name="email"
        inputMode="email"
        placeholder="ada@example.com"
        value={email[0]}
        {...(email.length > 1 ? { hint: `It replaces all of: ${email.join(", ")}` } : {})}
      />
      <TextField
        label="Phone number"
        name="phone"
        inputMode="tel"
        placeholder="+49 30 123456"
        value={phone[0]}
        hint="With the country code."
      />
      <TextField
        label="WhatsApp number"
        name="whatsappId"
        inputMode="tel"
        placeholder="+49 30 123456"
        value={whatsapp[0]}
      />
      <TextField
        label="Country"
        name="country"
        placeholder="DE"
        value={participant?.country}
        hint="The code of two letters (ISO 3166-1)."
      />
      <TextField label="Region" name="region" placeholder="Berlin" value={participant?.region} />
      <MetadataField value={participant?.metadata} />
    </>
  )
}

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
export const ContactsView = listView({
  title: "Contacts",
  noun: "contact",
  search: "Find by name or address",
  choices: { type: types },
  filters: () => ({ search: filterText("search"), type: filterChoice("type", types) }),
  open: (filters, signal) => client.participants.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
  events: ["message.created", "message.received"],
  layout: "contacts",
  columns: { Name: 1, Addresses: 1.4, Added: "96px" },
  hrefOf: ({ id }) => linkTo(paths.contact, { id }),
  row,
  empty: "Each recipient and author of a message becomes a contact. To create one yourself:",
  example: ["/participants", { name: "Ada Lovelace", email: "ada@example.com" }],
  actions: () => (
    <FormDialog
      label="Create a contact"
      kind="primary"
      permission="participants.write"
      submitLabel="Create"
      submit={create}
    >
      <ContactFields />
    </FormDialog>
  )
})

const back = { href: linkTo(paths.contacts, {}), label: "Contacts" }

interface ContactActionsProps {
  readonly participant: Participant
  readonly changed: (participant: Participant) => void
}

const ContactActions = ({ changed, participant }: ContactActionsProps) => {
  const { id } = participant
  const edit = async (form: FormData) => {
    const { name, ...rest } = contactOf(form)
    const { country = null, displayName = null, metadata = null, region = null, ...addresses } = rest
    const { email = null, phone = null, whatsappId = null } = addresses
    // An address replaces all others of its kind: one that did not change is left out.
    const { email: emails = [], phone: phones = [], whatsapp = [] } = participant.channelIdentities
    const payload = {
      ...{ name, displayName, country, region, metadata },
      ...(email === (emails[0] ?? null) ? {} : { email }),
      ...(phone === (phones[0] ?? null) ? {} : { phone }),
      ...(whatsappId === (whatsapp[0] ?? null) ? {} : { whatsappId })
    }
    changed(await client.participants.update({ path: { id }, payload }))
  }
  return (
    <>
      <FormDialog
        label="Edit"
        permission="participants.write"
        submitLabel="Save"
        submit={edit}
        done="The contact is saved"
      >
        <ContactFields participant={participant} />
      </FormDialog>
      <DeleteButton
        permission="participants.write"
        confirm={`Delete ${participant.name} for good? This is only possible without messages and conversations.`}
        action={() => client.participants.remove({ path: { id } })}
        done="The contact is deleted"
        to={back.href}
      />
    </>
  )
}

const Messages = ({ id }: { readonly id: string }) => {
  const { feed } = useResources(
    id,
    (signal) => client.messages.list.all({ urlParams: { participantId: id, limit: feedStep } }, { signal }),
    ["message."]
  )
  return (
    <section aria-label="Messages">
      <FeedList
        label="Messages"
        layout="messages"
        columns={messageColumns}
        feed={feed}
        keyOf={idOf}
        hrefOf={(message) => linkTo(paths.message, { id: message.id })}
        row={(message) => <MessageRow message={message} />}
        empty={<EmptyState title="No messages yet" text="Messages to and from this contact are listed here." />}
      />
    </section>
  )
}

/** The service window or free entry point of a participant: while one is open, WhatsApp messages need no template. */
const useServiceWindow = (participantId: string): ComponentChildren => {
  const { reload, value } = useLoad(
    async (signal) =>
      can("whatsapp.read")
        ? (await client.serviceWindows.list({ urlParams: { filters: { participantId }, limit: 1 } }, { signal }))
            .items[0]
        : undefined,
    [participantId]
  )
  useEvents(["message.received"], reload)
  if (value === undefined) return null
  const { freeEntryPointExpiresAt, serviceWindowExpiresAt } = value
  const end = Math.max(serviceWindowExpiresAt.getTime(), freeEntryPointExpiresAt?.getTime() ?? 0)
  return end > now.value ? (
    <>
      open until <Time value={new Date(end)} isComplete />
    </>
  ) : (
    "closed"
  )
}

const ContactFacts = ({ participant }: { readonly participant: Participant }) => {
  const { channelIdentities, country, createdAt, id, name, region, type, updatedAt } = participant
  const { email = [], phone = [], whatsapp = [] } = channelIdentities
  const serviceWindow = useServiceWindow(id)
  return (
    <FactsCard
      facts={[
        ["Name", name],
        ["Type", type],
        ...email.map((address) => ["E-mail", address] as const),
        ...phone.map((number) => ["Phone", number] as const),
        ...whatsapp.map((number) => ["WhatsApp", number] as const),
        ["WhatsApp window", serviceWindow],
        ["Country", country === undefined ? undefined : countryName(country)],
        ["Region", region],
        ["Added", createdAt],
        ["Changed", updatedAt]
      ]}
      id={id}
    />
  )
}

/** One participant: its addresses, its messages. */
export const ContactView = ({ id }: PathParams<typeof paths.contact>) => {
  const resource = useResource(id, (options) => client.participants.get({ path: { id } }, options))
  const { value: participant } = resource
  if (participant === undefined) return <PendingView title="Contact" back={back} resource={resource} />
  return (
    <>
      <ViewHeader title={participant.displayName ?? participant.name} back={back}>
        <ContactActions participant={participant} changed={resource.replace} />
      </ViewHeader>
      <div class="detail facts-first">
        {can("messages.read") ? <Messages id={id} /> : <div />}
        <aside>
          <ContactFacts participant={participant} />
          <MetadataCard value={participant.metadata} />
        </aside>
      </div>
    </>
  )
}

import { client } from "../../app/Client.js"
import { navigate } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import { can } from "../../app/SessionState.js"
import { showDone } from "../../app/Toasts.js"
import type { Participant } from "../../app/Types.js"
import type { ViewProps } from "../../app/View.js"
import { ActionButton } from "../../components/ActionButton.js"
import { EmptyState } from "../../components/EmptyState.js"
import { Facts } from "../../components/Facts.js"
import { feedStep } from "../../components/Feed.js"
import { FeedList } from "../../components/FeedList.js"
import { FormDialog } from "../../components/FormDialog.js"
import { Identifier } from "../../components/Identifier.js"
import { MetadataCard } from "../../components/MetadataField.js"
import { Pending } from "../../components/Pending.js"
import { Time } from "../../components/Time.js"
import { useLoad } from "../../components/UseLoad.js"
import { idOf, useResources } from "../../components/UseResources.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { countryName } from "../analytics/CountryName.js"
import { MessageRow, messageHeadings } from "../messages/MessageRow.js"
import { ContactFields, contactOf } from "./ContactFields.js"

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
    showDone("The contact is saved")
  }
  const remove = async () => {
    await client.participants.remove({ path: { id } })
    showDone("The contact is deleted")
    navigate(linkTo(paths.contacts, {}))
  }
  return (
    <>
      <FormDialog label="Edit" permission="participants.write" submitLabel="Save" submit={edit}>
        <ContactFields participant={participant} />
      </FormDialog>
      <ActionButton
        label="Delete"
        kind="danger"
        permission="participants.write"
        confirm={`Delete ${participant.name} for good? This is only possible without messages and conversations.`}
        action={remove}
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
        columns="messages"
        headings={messageHeadings}
        feed={feed}
        keyOf={idOf}
        hrefOf={(message) => linkTo(paths.message, { id: message.id })}
        row={(message) => <MessageRow message={message} />}
        empty={<EmptyState title="No messages yet" text="Messages to and from this contact are listed here." />}
      />
    </section>
  )
}

/** One participant: its addresses, its messages. */
const ContactView = ({ params: { id } }: ViewProps<typeof paths.contact>) => {
  const { error, reload, replace, value } = useLoad(
    (signal) => client.participants.get({ path: { id } }, { signal }),
    [id]
  )
  if (value === undefined) {
    return (
      <>
        <ViewHeader title="Contact" back={back} />
        <Pending error={error} reload={reload} />
      </>
    )
  }
  const { channelIdentities, country, createdAt, displayName, metadata, name, region, type, updatedAt } = value
  const { email = [], phone = [], whatsapp = [] } = channelIdentities
  return (
    <>
      <ViewHeader title={displayName ?? name} back={back}>
        <ContactActions participant={value} changed={replace} />
      </ViewHeader>
      <div class="detail facts-first">
        {can("messages.read") ? <Messages id={id} /> : <div />}
        <aside>
          <section class="card" aria-label="Facts">
            <Facts
              facts={[
                ["Name", name],
                ["Type", type],
                ...email.map((address) => ["E-mail", address] as const),
                ...phone.map((number) => ["Phone", number] as const),
                ...whatsapp.map((number) => ["WhatsApp", number] as const),
                ["Country", country === undefined ? undefined : countryName(country)],
                ["Region", region],
                ["Added", <Time key="added" value={createdAt} isComplete />],
                ["Changed", <Time key="changed" value={updatedAt} isComplete />],
                ["Id", <Identifier key="id" label="id" value={id} />]
              ]}
            />
          </section>
          <MetadataCard value={metadata} />
        </aside>
      </div>
    </>
  )
}

export default ContactView

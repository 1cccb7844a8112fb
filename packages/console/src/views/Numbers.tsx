import { client } from "../app/Client.js"
import { organizationId } from "../app/SessionState.js"
import type { OptOut } from "../app/Types.js"
import { ActionButton, FormDialog } from "../components/Actions.js"
import { DataTable } from "../components/DataTable.js"
import { Time } from "../components/Facts.js"
import { feedStep } from "../components/Feed.js"
import { requiredText, SelectField, TextField } from "../components/Fields.js"
import { filterText, listView } from "../components/ListView.js"
import { Command, Pending } from "../components/Notices.js"
import { Card } from "../components/Resource.js"
import { useLoad, ViewHeader } from "../components/View.js"
import { channelNames } from "./MessageRow.js"
import { useNumbers } from "./Sender.js"
import { phoneOf } from "./SmsFields.js"

/** The numbers and sender ids of the organization, and the command that adds one. */
export const NumbersView = () => {
  const { error, reload, value } = useLoad((signal) => client.numbers.list({}, { signal }), [])
  return (
    <>
      <ViewHeader title="Numbers" />
      <p class="lead">
        Texts, WhatsApp messages and calls are sent from these numbers and sender ids. The first one of a channel is its
        default sender.
      </p>
      {value === undefined ? (
        <Pending error={error} reload={reload} />
      ) : (
        <div class="detail">
          <Card class="steps" title="Numbers and sender ids">
            <DataTable
              caption="Numbers"
              columns={["Number", "Channels"]}
              rows={value.items.map(({ channels, number }) => [
                number,
                channels.map((channel) => channelNames[channel]).join(", ")
              ])}
            />
          </Card>
          <aside>
            <Card title="Add a number">
              <p>
                The operator of the service adds a number or sender id that the provider gave you, with its channels:
              </p>
              <Command
                text={`switchboard numbers add NUMBER --organization ${organizationId()} --channels sms,whatsapp,voice`}
              />
            </Card>
          </aside>
        </div>
      )}
    </>
  )
}

const NumberField = () => (
  <SelectField
    label="Number"
    name="number"
    options={(useNumbers("sms") ?? []).map((number) => [number, number])}
    hint="Texts from other numbers are still sent."
  />
)

/** The form of a new opt-out. */
const AddOptOut = ({ added }: { readonly added: () => void }) => {
  const add = async (form: FormData) => {
    const payload = { phone: phoneOf(requiredText(form, "phone")), number: requiredText(form, "number") }
    await client.optOuts.create({ payload })
    added()
  }
  return (
    <FormDialog
      label="Add an opt-out"
      kind="primary"
      permission="email.write"
      submitLabel="Add"
      submit={add}
      done="The phone gets no more texts from the number"
    >
      <TextField label="Phone" name="phone" inputMode="tel" required placeholder="+49 151 23456789" />
      <NumberField />
    </FormDialog>
  )
}

const sources = { recipient: "by text", api: "by request" } as const

interface OptOutRowProps {
  readonly optOut: OptOut
  readonly removed: () => void
}

const OptOutRow = ({ optOut: { createdAt, id, number, phone, source }, removed }: OptOutRowProps) => (
  <>
    <span class="name">
      <strong>{phone}</strong> from {number}
    </span>
    <span>{sources[source]}</span>
    <Time value={createdAt} />
    <span class="row-actions">
      <ActionButton
        label="Lift"
        permission="email.write"
        confirm={`Lift the opt-out of ${phone}? Texts from ${number} are sent there again. Do this with the recipient's consent only.`}
        action={async () => {
          await client.optOuts.remove({ path: { id } })
          removed()
        }}
        done={`${phone} gets texts again`}
      />
    </span>
  </>
)

/** The phone that the list is searched for; undefined until it is complete. */
const searchedPhone = () => /^\+\d{7,15}$/.exec(phoneOf(filterText("search") ?? ""))?.[0]

/** The phones that get no texts from a number, newest first. */
export const OptOutsView = listView({
  title: "Opt-outs",
  noun: "opt-out",
  search: "Find by complete phone number",
  filters: () => ({ phone: searchedPhone() }),
  open: (filters, signal) => client.optOuts.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
  events: ["message.received"],
  layout: "senders",
  columns: { Phone: 1, Source: "104px", Added: "96px", "": "80px" },
  row: (optOut, { feed }) => <OptOutRow optOut={optOut} removed={() => feed.remove(optOut.id)} />,
  emptyTitle: "No opt-outs",
  empty: "A phone that sends STOP to a number gets no more texts from it. To add an opt-out yourself:",
  example: ["/sms/opt-outs", { number: "+15550100000", phone: "+4915123456789" }],
  actions: ({ refresh }) => <AddOptOut added={refresh} />
})

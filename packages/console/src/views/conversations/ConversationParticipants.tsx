import { client } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import { can } from "../../app/SessionState.js"
import { showDone } from "../../app/Toasts.js"
import type { Conversation } from "../../app/Types.js"
import { ActionButton } from "../../components/ActionButton.js"
import { TextField } from "../../components/Field.js"
import { FormDialog } from "../../components/FormDialog.js"
import { requiredText } from "../../components/FormValues.js"
import { messageCount } from "../../components/MessageCount.js"
import { trackedParticipants } from "./ConversationJson.js"

interface ConversationParticipantsProps {
  readonly conversation: Conversation
  readonly changed: (conversation: Conversation) => void
}

/** The id of the only contact with a name or address like the text. */
const findContact = async (search: string): Promise<string> => {
  const { items } = await client.participants.list({ urlParams: { filters: { search }, limit: 10 } })
  const [first, second] = items
  if (first === undefined) throw new Error(`No contact matches ${search}. Create it in the list of contacts.`)
  if (second === undefined) return first.id
  const exact = items.find(({ channelIdentities: { email = [], phone = [] }, name }) =>
    [name, ...email, ...phone].includes(search)
  )
  if (exact !== undefined) return exact.id
  throw new Error(`Several contacts match: ${items.map(({ name }) => name).join(", ")}. Enter an address.`)
}

/** The participants of a conversation, with the actions to add and remove them. */
export const ConversationParticipants = ({ changed, conversation }: ConversationParticipantsProps) => {
  const { id } = conversation
  const participants = trackedParticipants(conversation.participantTracking)
  const add = async (form: FormData) => {
    const participantIds = [await findContact(requiredText(form, "contact"))]
    changed(await client.conversations.addParticipants({ path: { id }, payload: { id, participantIds } }))
    showDone("The participant is added")
  }
  const remove = async (participantId: string) => {
    const payload = { participantIds: [participantId] }
    changed(await client.conversations.removeParticipants({ path: { id }, payload }))
    showDone("The participant is removed")
  }
  return (
    <section class="card" aria-labelledby="participants">
      <h2 id="participants">Participants</h2>
      {participants.length === 0 && <p class="hint">None yet</p>}
      <ul class="plain-list">
        {participants.map(({ id: participantId, messageCount: count, name }) => (
          <li key={participantId} class="participant">
            <span>
              {can("participants.read") ? <a href={linkTo(paths.contact, { id: participantId })}>{name}</a> : name}{" "}
              <small>{messageCount(count)}</small>
            </span>
            <ActionButton
              label="Remove"
              permission="conversations.write"
              confirm={`Remove ${name} from this conversation? The messages stay.`}
              action={() => remove(participantId)}
            />
          </li>
        ))}
      </ul>
      {can("participants.read") && (
        <div class="card-actions">
          <FormDialog label="Add a participant" permission="conversations.write" submitLabel="Add" submit={add}>
            <TextField
              label="Contact"
              name="contact"
              required
              placeholder="ada@example.com"
              hint="The name or an address of a contact."
            />
          </FormDialog>
        </div>
      )}
    </section>
  )
}

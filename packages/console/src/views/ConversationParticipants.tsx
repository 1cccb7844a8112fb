import { client } from "../app/Client.js"
import { linkTo, paths } from "../app/Paths.js"
import { can } from "../app/SessionState.js"
import type { Conversation } from "../app/Types.js"
import { ActionButton, FormDialog } from "../components/Actions.js"
import { requiredText, TextField } from "../components/Fields.js"
import { counted } from "../components/Format.js"
import { Card } from "../components/Resource.js"

/** A participant of a conversation, from the JSON of `participantTracking`. */
interface TrackedParticipant {
  readonly id: string
  readonly name: string
  readonly messageCount: number
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined

const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0)

/** The participants in the JSON of `participantTracking`. */
const trackedParticipants = (tracking: string): ReadonlyArray<TrackedParticipant> => {
  const participants = fieldOf(parse(tracking), "participants")
  return Array.isArray(participants)
    ? participants.map((participant: unknown) => ({
        id: String(fieldOf(participant, "id")),
        name: String(fieldOf(participant, "name")),
        messageCount: numberOf(fieldOf(participant, "messageCount"))
      }))
    : []
}

/** The title of a conversation, or else the names of its participants. */
export const conversationName = ({ participantTracking, title }: Conversation): string =>
  title ||
  trackedParticipants(participantTracking)
    .map(({ name }) => name)
    .join(", ") ||
  "No title"

/** The average time to a reply in the JSON of `metrics`, in seconds; undefined without replies. */
export const averageResponseSeconds = (metrics: string): number | undefined => {
  const seconds = fieldOf(parse(metrics), "averageResponseSeconds")
  return typeof seconds === "number" ? seconds : undefined
}

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
  }
  const remove = async (participantId: string) => {
    const payload = { participantIds: [participantId] }
    changed(await client.conversations.removeParticipants({ path: { id }, payload }))
  }
  return (
    <Card title="Participants">
      {participants.length === 0 && <p class="hint">None yet</p>}
      <ul class="plain-list">
        {participants.map(({ id: participantId, messageCount: count, name }) => (
          <li key={participantId} class="participant">
            <span>
              {can("participants.read") ? <a href={linkTo(paths.contact, { id: participantId })}>{name}</a> : name}{" "}
              <small>{counted(count, "message")}</small>
            </span>
            <ActionButton
              label="Remove"
              permission="conversations.write"
              confirm={`Remove ${name} from this conversation? The messages stay.`}
              action={() => remove(participantId)}
              done="The participant is removed"
            />
          </li>
        ))}
      </ul>
      {can("participants.read") && (
        <div class="card-actions">
          <FormDialog
            label="Add a participant"
            permission="conversations.write"
            submitLabel="Add"
            submit={add}
            done="The participant is added"
          >
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
    </Card>
  )
}

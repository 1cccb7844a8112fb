import { client } from "../../app/Client.js"
import { showDone } from "../../app/Toasts.js"
import type { Conversation } from "../../app/Types.js"
import { durationText } from "../../components/Duration.js"
import { Facts } from "../../components/Facts.js"
import { FormDialog } from "../../components/FormDialog.js"
import { Identifier } from "../../components/Identifier.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { ConversationFields, conversationOf } from "./ConversationFields.js"
import { averageResponseSeconds } from "./ConversationJson.js"
import { ConversationParticipants } from "./ConversationParticipants.js"

interface ConversationFactsProps {
  readonly conversation: Conversation
  readonly changed: (conversation: Conversation) => void
}

/** The participants and the facts of a conversation beside its messages. */
export const ConversationFacts = ({ changed, conversation }: ConversationFactsProps) => {
  const edit = async (form: FormData) => {
    const { description = null, title = null, ...fields } = conversationOf(form)
    const payload = { ...fields, description, title }
    changed(await client.conversations.update({ path: { id: conversation.id }, payload }))
    showDone("The conversation is saved")
  }
  const response = averageResponseSeconds(conversation.metrics)
  return (
    <aside>
      <ConversationParticipants conversation={conversation} changed={changed} />
      <section class="card" aria-label="Facts">
        <Facts
          facts={[
            ["Status", <Status key="status" value={conversation.status} />],
            ["Reason", conversation.statusReason],
            ["Priority", String(conversation.priority)],
            ["Urgency", conversation.urgency],
            ["Channels", conversation.channels.join(", ")],
            ["Tags", conversation.tags.join(", ")],
            ["Started", <Time key="started" value={conversation.startedAt} isComplete />],
            [
              "Resolved",
              conversation.resolvedAt === undefined ? null : (
                <Time key="resolved" value={conversation.resolvedAt} isComplete />
              )
            ],
            ["Notes", conversation.resolutionNotes],
            ["Response", response === undefined ? null : `${durationText(response)} on average`],
            ["Own id", conversation.externalId],
            ["Id", <Identifier key="id" label="id" value={conversation.id} />]
          ]}
        />
        <div class="card-actions">
          <FormDialog label="Edit" permission="conversations.write" submitLabel="Save" submit={edit}>
            <ConversationFields conversation={conversation} />
          </FormDialog>
        </div>
      </section>
    </aside>
  )
}

import type { Conversation } from "../../app/Types.js"
import { durationText } from "../../components/Duration.js"
import { Facts } from "../../components/Facts.js"
import { Identifier } from "../../components/Identifier.js"
import { messageCount } from "../../components/MessageCount.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { averageResponseSeconds, trackedParticipants } from "./ConversationJson.js"

/** The participants and the facts of a conversation beside its messages. */
export const ConversationFacts = ({ conversation }: { readonly conversation: Conversation }) => {
  const participants = trackedParticipants(conversation.participantTracking)
  const response = averageResponseSeconds(conversation.metrics)
  return (
    <aside>
      <section class="card" aria-labelledby="participants">
        <h2 id="participants">Participants</h2>
        {participants.length === 0 && <p class="hint">None yet</p>}
        <ul class="plain-list">
          {participants.map(({ id, messageCount: count, name }) => (
            <li key={id}>
              {name} <small>{messageCount(count)}</small>
            </li>
          ))}
        </ul>
      </section>
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
      </section>
    </aside>
  )
}

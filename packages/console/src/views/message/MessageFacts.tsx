import type { Message } from "../../app/Types.js"
import { Facts } from "../../components/Facts.js"
import { Identifier } from "../../components/Identifier.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { relatedFacts } from "./Related.js"

const list = (values: ReadonlyArray<string> | undefined) =>
  values === undefined || values.length === 0 ? null : values.join(", ")

/** The facts of a message beside its content. */
export const MessageFacts = ({ message }: { readonly message: Message }) => {
  const { channel, content, direction, emailMetadata, externalId, referenceId, scheduledAt, tags } = message
  return (
    <section class="card" aria-label="Facts">
      <Facts
        facts={[
          ["Status", <Status key="status" value={message.status} />],
          ["Direction", `${direction}, ${channel}`],
          ["From", content.from],
          ["To", list(emailMetadata?.to)],
          ["Cc", list(emailMetadata?.cc)],
          ["Bcc", list(emailMetadata?.bcc)],
          ["Created", <Time key="created" value={message.createdAt} isComplete />],
          ["Scheduled", scheduledAt === null ? null : <Time key="scheduled" value={scheduledAt} isComplete />],
          ["Attempts", message.deliveryAttempts === 0 ? null : String(message.deliveryAttempts)],
          ["Tags", list(tags)],
          ["Categories", list(message.categories)],
          ...relatedFacts(message),
          ["Own id", externalId === null ? null : <Identifier key="own" label="own id" value={externalId} />],
          ["Reference", referenceId],
          ["Id", <Identifier key="id" label="id" value={message.id} />]
        ]}
      />
    </section>
  )
}

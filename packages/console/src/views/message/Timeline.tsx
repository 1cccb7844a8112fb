import type { MessageTimeline } from "../../app/Types.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"

/** The history of a message, oldest first. */
export const Timeline = ({ events }: Pick<MessageTimeline, "events">) => (
  <section class="card" aria-labelledby="timeline">
    <h2 id="timeline">Timeline</h2>
    <ol class="timeline">
      {events.map(({ reason, recipient, status, timestamp, type }, index) => (
        <li key={`${index} ${timestamp}`}>
          <Status value={status ?? type.slice(type.lastIndexOf(".") + 1)} />
          <Time value={timestamp} isComplete />
          {recipient !== undefined && <p>{recipient}</p>}
          {reason !== undefined && <p class="hint">{reason}</p>}
        </li>
      ))}
    </ol>
  </section>
)

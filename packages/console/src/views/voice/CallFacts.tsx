import { linkTo, paths } from "../../app/Paths.js"
import type { VoiceCall } from "../../app/Types.js"
import { durationText } from "../../components/Duration.js"
import { Facts } from "../../components/Facts.js"
import { Identifier } from "../../components/Identifier.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"

const timeOf = (value: Date | undefined) => (value === undefined ? null : <Time value={value} isComplete />)

/** The facts of a call beside its transcript. */
export const CallFacts = ({ call }: { readonly call: VoiceCall }) => (
  <aside>
    <section class="card" aria-label="Facts">
      <Facts
        facts={[
          ["Status", <Status key="status" value={call.status} />],
          ["Direction", `${call.direction}, ${call.transport}`],
          ["From", call.from],
          ["To", call.to],
          ["Duration", call.durationSeconds === undefined ? null : durationText(call.durationSeconds)],
          ["Menu choice", call.metadata?.menuFinalSelection?.menuItemLabel],
          ["Created", timeOf(call.createdAt)],
          ["Answered", timeOf(call.answeredAt)],
          ["Ended", timeOf(call.endedAt)],
          [
            "Agent",
            call.voiceAgentId === undefined ? null : (
              <a key="agent" href={linkTo(paths.agent, { id: call.voiceAgentId })}>
                Agent of the call
              </a>
            )
          ],
          ["Id", <Identifier key="id" label="id" value={call.id} />]
        ]}
      />
    </section>
  </aside>
)

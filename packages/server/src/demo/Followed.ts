import type { Switchboard } from "@switchboard/client"
import type { Message } from "@switchboard/domain/messages/Message"
import { Effect } from "effect"

/** A message is on its way until the relay has it: a relay that confirms by notification leaves it at `sent`. */
const arrived = ({ status }: Message) => !["pending", "scheduled", "queued", "processing"].includes(status)

/** A message, once it is there. */
export const followed = (client: Switchboard, id: Message["id"]) => {
  const look: Effect.Effect<Message, Effect.Effect.Error<ReturnType<Switchboard["messages"]["get"]>>> = Effect.flatMap(
    client.messages.get({ path: { id } }),
    (message) => (arrived(message) ? Effect.succeed(message) : Effect.delay(look, "50 millis"))
  )
  return Effect.timeout(look, "60 seconds")
}

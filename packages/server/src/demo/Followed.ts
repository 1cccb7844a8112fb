import type { Message, Switchboard } from "@switchboard/client"
import { Effect } from "effect"

/** Whether the relay has the message. With `SMTP_CONFIRMATION=dsn` it remains `sent` until a notification arrives. */
const isSent = ({ status }: Message) => !["pending", "scheduled", "queued", "processing"].includes(status)

/** Polls a message until the relay has it. */
export const followed = (client: Switchboard, id: Message["id"]) => {
  const poll: Effect.Effect<Message, Effect.Effect.Error<ReturnType<Switchboard["messages"]["get"]>>> = Effect.flatMap(
    client.messages.get({ path: { id } }),
    (message) => (isSent(message) ? Effect.succeed(message) : Effect.delay(poll, "50 millis"))
  )
  return Effect.timeout(poll, "60 seconds")
}

import type { Message } from "../../app/Types.js"

/** The message that a reply refers to: the latest received one, or else the latest. */
export const answeredMessage = (messages: ReadonlyArray<Message>): Message | undefined =>
  messages.findLast(({ direction }) => direction === "inbound") ?? messages.at(-1)

import { client } from "../../app/Client.js"
import type { Message } from "../../app/Types.js"

/** How many messages are shown at first, and how many earlier ones are added at a time. */
export const messageStep = 50

/** A conversation with its latest messages, at most `count`, oldest first. */
export const loadConversation = async (id: string, count: number, signal?: AbortSignal) => {
  const options = signal === undefined ? {} : { signal }
  const conversation = await client.conversations.get({ path: { id } }, options)
  const latest: Array<Message> = []
  let hasEarlier = false
  for await (const message of client.messages.list.all(
    { urlParams: { conversationId: id, limit: messageStep } },
    options
  )) {
    if (latest.length === count) {
      hasEarlier = true
      break
    }
    latest.push(message)
  }
  return { conversation, messages: latest.toReversed(), hasEarlier }
}

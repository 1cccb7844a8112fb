import { client } from "../../app/Client.js"
import type { Message } from "../../app/Types.js"

const pageSize = 50

/** How many pages are shown at first: two, so that a last page of few messages has a part of the exchange before it. */
export const firstPages = 2

/** A thread with its latest messages, oldest first: those of its last `count` pages. */
export const loadThread = async (id: string, count: number, signal?: AbortSignal) => {
  const options = signal === undefined ? {} : { signal }
  const thread = await client.threads.get({ path: { id } }, options)
  const last = Math.max(1, Math.ceil(thread.messageCount / pageSize))
  const first = Math.max(1, last - count + 1)
  const pages = await Promise.all(
    Array.from({ length: last - first + 1 }, (_, at) =>
      client.threads.messages({ path: { id }, urlParams: { limit: pageSize, page: first + at } }, options)
    )
  )
  const messages: ReadonlyArray<Message> = pages.flatMap(({ items }) => items)
  return { thread, messages, hasEarlier: first > 1 }
}

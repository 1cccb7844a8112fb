import { ResourceNotFoundError } from "@switchboard/client/promise"
import { maxCounted } from "@switchboard/domain/Page"
import { client } from "../../app/Client.js"
import type { Message } from "../../app/Types.js"
import { feedStep } from "../../components/Feed.js"
import { messageCount } from "../../components/MessageCount.js"
import type { MessageFilters } from "./MessageFilters.js"

/** The message of an id; undefined if there is none. */
const messageOf = async (id: string, signal: AbortSignal | undefined): Promise<Message | undefined> => {
  try {
    return await client.messages.get({ path: { id } }, signal === undefined ? {} : { signal })
  } catch (error) {
    if (error instanceof ResourceNotFoundError) return undefined
    throw error
  }
}

/** The query of the list. An id that no message has is searched for: it can be an id of the caller. */
const queryOf = ({ id, ...filters }: MessageFilters, limit: number) => ({
  urlParams: { ...filters, ...(id === undefined ? {} : { search: id }), limit }
})

/** All messages that the filters match, newest first; with the id of a message only that message. */
export async function* openMessages(filters: MessageFilters, signal: AbortSignal) {
  const message = filters.id === undefined ? undefined : await messageOf(filters.id, signal)
  if (message !== undefined) yield message
  else yield* client.messages.list.all(queryOf(filters, feedStep), { signal })
}

/** The first messages that the filters match, and the number of all of them in words. */
export const firstMessages = async (filters: MessageFilters, limit: number, signal?: AbortSignal) => {
  const message = filters.id === undefined ? undefined : await messageOf(filters.id, signal)
  if (message !== undefined) return { items: [message], total: 1, totalText: messageCount(1) }
  const [{ items, pagination }, { headers }] = await client.messages.list(
    { ...queryOf(filters, limit), withResponse: true },
    signal === undefined ? {} : { signal }
  )
  const { total } = pagination
  const isEstimated = headers["total-estimated"] === "true"
  return { items, total, totalText: isEstimated ? `more than ${messageCount(maxCounted)}` : messageCount(total) }
}

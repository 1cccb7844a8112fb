import { threadExamples } from "@switchboard/api/email/threads/ThreadExamples"
import { Thread, ThreadCounts } from "@switchboard/domain/email/threads/Thread"
import type { ThreadFilters } from "@switchboard/domain/email/threads/ThreadRequests"
import type { Message } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { page } from "@switchboard/domain/Page"
import { ThreadRepo } from "@switchboard/services/email/threads/ThreadRepo"
import { Threads } from "@switchboard/services/email/threads/Threads"
import { Effect, Layer, Option, Schema } from "effect"
import { encodeMessage } from "../../EncodeMessage.js"

/** The only thread, of the only message. */
export const threadExample = threadExamples["threads.get"].response

/** The filters of all list requests. */
export const requestedFilters: Array<ThreadFilters> = []

/** One thread, of one organization and one message. */
export const threadsInMemory = (message: Message) => {
  let thread = Schema.decodeUnknownSync(Thread)(threadExample)
  const of = (organization: OrganizationId) =>
    Option.liftPredicate(thread, (one) => one.organizationId === organization)
  const find: ThreadRepo["Type"]["find"] = (organization, id) =>
    Effect.sync(() => Option.filter(of(organization), (one) => one.id === id))
  return Threads.Default.pipe(
    Layer.provide(
      Layer.mock(ThreadRepo, {
        counts: (organization) =>
          Effect.sync(() => {
            const count = Option.isSome(of(organization)) ? 1 : 0
            return new ThreadCounts({
              totalThreads: count,
              activeThreads: count,
              resolvedThreads: 0,
              archivedThreads: 0,
              threadsLast7Days: 0,
              threadsLast30Days: count
            })
          }),
        list: (organization, filters, request) =>
          Effect.sync(() => {
            requestedFilters.push(filters)
            const found = Option.toArray(of(organization))
            return page(found, found.length, request)
          }),
        find,
        findByMessage: (organization, id) =>
          Effect.sync(() => Option.filter(of(organization), () => id === message.id)),
        messages: (organization, id, request) =>
          Effect.map(
            find(organization, id),
            Option.map(() => page([encodeMessage(message)], 1, request))
          ),
        markRead: (organization, id) =>
          Effect.tap(find(organization, id), () => {
            thread = new Thread({ ...thread, unreadCount: 0 })
          }).pipe(Effect.zipRight(find(organization, id)))
      })
    )
  )
}

import { HttpApiBuilder } from "@effect/platform"
import { Thread, ThreadCounts, ThreadMetadata } from "@switchboard/domain/email/threads/Thread"
import { pageRequest } from "@switchboard/domain/Page"
import { Threads } from "@switchboard/services/email/threads/Threads"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { respond } from "../../Respond.js"
import { ThreadMessagePage, ThreadPage } from "./ThreadsApi.js"

const answerThread = respond(Thread)
const answerCounts = respond(ThreadCounts)
const answerPage = respond(ThreadPage)
const answerMetadata = respond(ThreadMetadata)
const answerMessages = respond(ThreadMessagePage)

export const ThreadsHttp = HttpApiBuilder.group(
  Api,
  "threads",
  Effect.fnUntraced(function* (handlers) {
    const threads = yield* Threads
    return handlers
      .handleRaw("counts", () =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(threads.counts(organizationId), (counts) => answerCounts(counts))
        )
      )
      .handleRaw("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(threads.list(organizationId, filters, pageRequest(params)), (found) => answerPage(found))
        )
      )
      .handleRaw("getByMessage", ({ path: { messageId } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(threads.getByMessage(organizationId, messageId), (found) => answerThread(found))
        )
      )
      .handleRaw("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(threads.get(organizationId, id), (found) => answerThread(found))
        )
      )
      .handleRaw("metadata", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(threads.metadata(organizationId, id), (found) => answerMetadata(found))
        )
      )
      .handleRaw("messages", ({ path: { id }, urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(threads.messages(organizationId, id, pageRequest(urlParams)), (found) => answerMessages(found))
        )
      )
      .handleRaw("markRead", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(threads.markRead(organizationId, id), (found) => answerThread(found))
        )
      )
  })
)

import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { Threads } from "@switchboard/services/email/threads/Threads"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { encodedPage, withBodies } from "../../http/WithBodies.js"

export const ThreadsHttp = HttpApiBuilder.group(
  Api,
  "threads",
  Effect.fnUntraced(function* (handlers) {
    const threads = yield* Threads
    return yield* handlers
      .handle("counts", () => Effect.flatMap(CurrentCaller, ({ organizationId }) => threads.counts(organizationId)))
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          threads.list(organizationId, filters, pageRequest(params))
        )
      )
      .handle("getByMessage", ({ path: { messageId } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => threads.getByMessage(organizationId, messageId))
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => threads.get(organizationId, id))
      )
      .handle("metadata", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => threads.metadata(organizationId, id))
      )
      .handle("messages", ({ path: { id }, request, urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(threads.messages(organizationId, id, pageRequest(urlParams)), (found) =>
            encodedPage(found, request.originalUrl)
          )
        )
      )
      .handle("markRead", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => threads.markRead(organizationId, id))
      )
      .pipe(withBodies)
  })
)

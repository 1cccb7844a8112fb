import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { Thread, ThreadCounts, ThreadId, ThreadMetadata } from "@switchboard/domain/email/threads/Thread"
import { ThreadFilters } from "@switchboard/domain/email/threads/ThreadRequests"
import { Message, MessageId } from "@switchboard/domain/messages/Message"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Examples, Extension, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Filters } from "../../Filters.js"
import { threadExamples } from "./ThreadExamples.js"

const id = Schema.Struct({ id: ThreadId })

/** What a list of threads may be narrowed to. */
export const ThreadListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(ThreadFilters, { status: "active", search: "order" }))
})

export const ThreadPage = Page(Thread).annotations({ identifier: "ThreadPage" })
export const ThreadMessagePage = Page(Message).annotations({ identifier: "ThreadMessagePage" })

/** Mails that answer each other. */
export class ThreadsApi extends HttpApiGroup.make("threads")
  .add(
    HttpApiEndpoint.get("counts", "/email/threads/counts")
      .addSuccess(ThreadCounts)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Count threads")
      .annotate(
        OpenApi.Description,
        "All threads of the organization by status, and those that began in the last 7 and 30 days."
      )
  )
  .add(
    HttpApiEndpoint.get("list", "/email/threads")
      .setUrlParams(ThreadListParams)
      .addSuccess(ThreadPage)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "List threads")
      .annotate(
        OpenApi.Description,
        "Threads of the organization, newest first. A thread begins when a second message joins a first, by a reply that comes in or a send that names `inReplyToMessageId`, or with mail that answers nothing. Its status is that of its conversation, where waiting and snoozed count as active."
      )
  )
  .add(
    HttpApiEndpoint.get("getByMessage", "/email/threads/by-message/:messageId")
      .setPath(Schema.Struct({ messageId: MessageId }))
      .addSuccess(Thread)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Get the thread of a message")
      .annotate(OpenApi.Description, "A message that nobody has answered, and that answers nothing, has none (404).")
  )
  .add(
    HttpApiEndpoint.get("get", "/email/threads/:id")
      .setPath(id)
      .addSuccess(Thread)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Get a thread")
      .annotate(OpenApi.Description, "One whose messages are all deleted is gone too (404).")
  )
  .add(
    HttpApiEndpoint.get("metadata", "/email/threads/:id/metadata")
      .setPath(id)
      .addSuccess(ThreadMetadata)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Get a thread's metadata")
      .annotate(OpenApi.Description, "Who takes part, how many messages there are, and how many are unread.")
  )
  .add(
    HttpApiEndpoint.get("messages", "/email/threads/:id/messages")
      .setPath(id)
      .setUrlParams(Schema.Struct(PageParams))
      .addSuccess(ThreadMessagePage)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "List a thread's messages")
      .annotate(OpenApi.Description, "What went out and came in, oldest first.")
  )
  .add(
    HttpApiEndpoint.post("markRead", "/email/threads/:id/read")
      .setPath(id)
      .addSuccess(Thread)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Mark a thread as read")
      .annotate(OpenApi.Description, "An extension. Whatever has come in by now is read; what comes later is unread.")
  )
  .middleware(Authorization)
  .annotate(Examples, threadExamples)
  .annotate(OpenApi.Title, "Threads") {}

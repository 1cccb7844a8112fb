import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { Thread, ThreadCounts, ThreadFilters, ThreadId, ThreadMetadata } from "@switchboard/domain/email/threads/Thread"
import { Message, MessageId } from "@switchboard/domain/messages/Message"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Audit, Extension, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Filters } from "../../JsonParameter.js"

const id = Schema.Struct({ id: ThreadId })

/** Query parameters of the list of threads. */
export const ThreadListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(ThreadFilters, { status: "active", search: "order" }))
})

export const ThreadPage = Page(Thread).annotations({ identifier: "ThreadPage" })
export const ThreadMessagePage = Page(Message).annotations({ identifier: "ThreadMessagePage" })

/** E-mail threads. */
export class ThreadsApi extends HttpApiGroup.make("threads")
  .add(
    HttpApiEndpoint.get("counts", "/email/threads/counts")
      .addSuccess(ThreadCounts)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Count threads")
      .annotate(
        OpenApi.Description,
        "Counts the threads of the organization by status, and the threads that began in the last 7 and 30 days."
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
        "Threads of the organization, newest first. A thread begins with a received mail that is no reply, or when a second message joins a first: by a received reply, or by a send with `inReplyToMessageId`."
      )
  )
  .add(
    HttpApiEndpoint.get("getByMessage", "/email/threads/by-message/:messageId")
      .setPath(Schema.Struct({ messageId: MessageId }))
      .addSuccess(Thread)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Retrieve the thread of a message")
      .annotate(OpenApi.Description, "404: the message has no replies and is no reply.")
  )
  .add(
    HttpApiEndpoint.get("get", "/email/threads/:id")
      .setPath(id)
      .addSuccess(Thread)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Retrieve a thread")
      .annotate(OpenApi.Description, "404: the thread does not exist, or all its messages were deleted.")
  )
  .add(
    HttpApiEndpoint.get("metadata", "/email/threads/:id/metadata")
      .setPath(id)
      .addSuccess(ThreadMetadata)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Retrieve the metadata of a thread")
      .annotate(OpenApi.Description, "Returns participants and the number of messages and of unread messages.")
  )
  .add(
    HttpApiEndpoint.get("messages", "/email/threads/:id/messages")
      .setPath(id)
      .setUrlParams(Schema.Struct(PageParams))
      .addSuccess(ThreadMessagePage)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "List the messages of a thread")
      .annotate(OpenApi.Description, "Sent and received messages, oldest first.")
  )
  .add(
    HttpApiEndpoint.post("markRead", "/email/threads/:id/read")
      .setPath(id)
      .addSuccess(Thread)
      .addError(ResourceNotFoundError)
      .annotate(Audit, { unaudited: "It marks messages as read." })
      .annotate(Permission, "email.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Mark a thread as read")
      .annotate(OpenApi.Description, "Marks all messages received so far as read.")
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Threads") {}

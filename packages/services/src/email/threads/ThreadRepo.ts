import type { BadRequestError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Thread, ThreadCounts, ThreadFilters, ThreadId } from "@switchboard/domain/email/threads/Thread"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type Effect, type Option } from "effect"
import type { EncodedMessage } from "../../messages/MessageRepo.js"

/** Reads threads. A thread without messages does not exist. */
export class ThreadRepo extends Context.Tag("services/ThreadRepo")<
  ThreadRepo,
  {
    /** The numbers of threads and of unread messages. */
    readonly counts: (organization: OrganizationId) => Effect.Effect<ThreadCounts, ServiceUnavailableError>
    /** The organization's threads, newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: ThreadFilters,
      page: PageRequest
    ) => Effect.Effect<Page<Thread>, BadRequestError | ServiceUnavailableError>
    /** A thread of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: ThreadId
    ) => Effect.Effect<Option.Option<Thread>, ServiceUnavailableError>
    /** The thread of a message. */
    readonly findByMessage: (
      organization: OrganizationId,
      message: MessageId
    ) => Effect.Effect<Option.Option<Thread>, ServiceUnavailableError>
    /** The messages of a thread, oldest first. None if the organization has no such thread. */
    readonly messages: (
      organization: OrganizationId,
      id: ThreadId,
      page: PageRequest
    ) => Effect.Effect<Option.Option<Page<EncodedMessage>>, BadRequestError | ServiceUnavailableError>
    /** Marks all messages received so far as read. None if the organization has no such thread. */
    readonly markRead: (
      organization: OrganizationId,
      id: ThreadId
    ) => Effect.Effect<Option.Option<Thread>, ServiceUnavailableError>
  }
>() {}

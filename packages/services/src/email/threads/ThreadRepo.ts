import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Thread, ThreadCounts, ThreadId } from "@switchboard/domain/email/threads/Thread"
import type { ThreadFilters } from "@switchboard/domain/email/threads/ThreadRequests"
import type { Message, MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type Effect, type Option } from "effect"

/** Where threads are kept. One whose messages are all deleted is none. */
export class ThreadRepo extends Context.Tag("services/ThreadRepo")<
  ThreadRepo,
  {
    readonly counts: (organization: OrganizationId) => Effect.Effect<ThreadCounts, ServiceUnavailableError>
    /** Newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: ThreadFilters,
      page: PageRequest
    ) => Effect.Effect<Page<Thread>, ServiceUnavailableError>
    readonly find: (
      organization: OrganizationId,
      id: ThreadId
    ) => Effect.Effect<Option.Option<Thread>, ServiceUnavailableError>
    readonly findByMessage: (
      organization: OrganizationId,
      message: MessageId
    ) => Effect.Effect<Option.Option<Thread>, ServiceUnavailableError>
    /** Oldest first. None if the organization has no such thread. */
    readonly messages: (
      organization: OrganizationId,
      id: ThreadId,
      page: PageRequest
    ) => Effect.Effect<Option.Option<Page<Message>>, ServiceUnavailableError>
    /** Whatever has come in by now is read. None if the organization has no such thread. */
    readonly markRead: (
      organization: OrganizationId,
      id: ThreadId
    ) => Effect.Effect<Option.Option<Thread>, ServiceUnavailableError>
  }
>() {}

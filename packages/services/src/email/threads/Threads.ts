import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { type ThreadId, ThreadMetadata } from "@switchboard/domain/email/threads/Thread"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { Effect, type Option } from "effect"
import { ThreadRepo } from "./ThreadRepo.js"

/** E-mail threads. */
export class Threads extends Effect.Service<Threads>()("services/Threads", {
  effect: Effect.gen(function* () {
    const repo = yield* ThreadRepo

    /** The error names the id that the caller used, of a thread or a message. */
    const orNotFound =
      (id: ThreadId | MessageId) =>
      <A, E>(found: Effect.Effect<Option.Option<A>, E>) =>
        Effect.flatMap(
          found,
          Effect.mapError(() => new ResourceNotFoundError({ resource: "thread", id }))
        )

    const get = (organization: OrganizationId, id: ThreadId) => orNotFound(id)(repo.find(organization, id))

    /** The metadata of a thread. */
    const metadata = (organization: OrganizationId, id: ThreadId) =>
      Effect.map(
        get(organization, id),
        ({ firstMessageAt, hasAttachments, lastMessageAt, messageCount, participants, subject, unreadCount }) =>
          new ThreadMetadata(
            { id, subject, participants, messageCount, unreadCount, firstMessageAt, lastMessageAt, hasAttachments },
            { disableValidation: true }
          )
      )

    return {
      counts: repo.counts,
      list: repo.list,
      get,
      /** The thread of a message. */
      getByMessage: (organization: OrganizationId, message: MessageId) =>
        orNotFound(message)(repo.findByMessage(organization, message)),
      metadata,
      messages: (organization: OrganizationId, id: ThreadId, page: PageRequest) =>
        orNotFound(id)(repo.messages(organization, id, page)),
      markRead: (organization: OrganizationId, id: ThreadId) => orNotFound(id)(repo.markRead(organization, id))
    } as const
  })
}) {}

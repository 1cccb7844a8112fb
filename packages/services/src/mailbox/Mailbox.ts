import { ResourceNotFoundError, type ServiceUnavailableError } from "@switchboard/domain/Errors"
import { MailboxMail, type MailboxMailId, MailboxMailSummary } from "@switchboard/domain/mailbox/MailboxMail"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type PageRequest, page } from "@switchboard/domain/Page"
import { Context, Effect } from "effect"
import { MailboxRepo, MailParser, type RawMail } from "./MailboxRepo.js"

/** Whether the service delivers to its local mailbox. */
export class MailboxEnabled extends Context.Tag("services/MailboxEnabled")<MailboxEnabled, boolean>() {}

/** Makes a function that finds a mail of an organization. Without the local mailbox, no mail is found. */
export const findMail = Effect.gen(function* () {
  const repo = yield* MailboxRepo
  const isEnabled = yield* MailboxEnabled
  return (
    organization: OrganizationId,
    id: MailboxMailId
  ): Effect.Effect<RawMail, ResourceNotFoundError | ServiceUnavailableError> => {
    const notFound = new ResourceNotFoundError({ resource: "mail", id })
    return isEnabled
      ? Effect.catchTag(Effect.flatten(repo.find(organization, id)), "NoSuchElementException", () => notFound)
      : notFound
  }
})

const decoder = new TextDecoder("utf-8")

/** The local mailbox: the messages of an organization that were delivered to it. */
export class Mailbox extends Effect.Service<Mailbox>()("services/Mailbox", {
  effect: Effect.gen(function* () {
    const repo = yield* MailboxRepo
    const parser = yield* MailParser
    const isEnabled = yield* MailboxEnabled
    const find = yield* findMail

    const envelope = ({ id, mailFrom, messageId, raw, rcptTo, receivedAt }: RawMail) => ({
      id,
      messageId,
      mailFrom,
      rcptTo,
      receivedAt,
      size: raw.byteLength
    })

    const list = Effect.fn("Mailbox.list")(function* (
      organization: OrganizationId,
      messageId: MessageId | undefined,
      request: PageRequest
    ) {
      if (!isEnabled) return page<MailboxMailSummary>([], 0, request)
      const { items, ...rest } = yield* repo.list(organization, messageId, request)
      const summaries = yield* Effect.forEach(items, (mail) =>
        Effect.map(
          parser.parse(mail.raw),
          ({ from, subject, to }) => new MailboxMailSummary({ ...envelope(mail), from, subject, to })
        )
      )
      return { ...rest, items: summaries }
    })

    const get = Effect.fn("Mailbox.get")(function* (organization: OrganizationId, id: MailboxMailId) {
      const mail = yield* find(organization, id)
      const { replyTo: _, ...parsed } = yield* parser.parse(mail.raw)
      return new MailboxMail({ ...envelope(mail), ...parsed, raw: decoder.decode(mail.raw) })
    })

    return { list, get } as const
  })
}) {}

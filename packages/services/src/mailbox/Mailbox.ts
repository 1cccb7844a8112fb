import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { MailboxMail, type MailboxMailId, MailboxMailSummary } from "@switchboard/domain/mailbox/MailboxMail"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Page, type PageRequest, page } from "@switchboard/domain/Page"
import { Context, Effect } from "effect"
import { MailboxRepo, type RawMail } from "./MailboxRepo.js"
import { MailParser } from "./MailParser.js"

/** Whether the service delivers into its own mailbox: if not, there is no mailbox to read. */
export class MailboxInUse extends Context.Tag("services/MailboxInUse")<MailboxInUse, boolean>() {}

const decoder = new TextDecoder("utf-8")

/** What the local mailbox got, for the organization that sent it. */
export class Mailbox extends Effect.Service<Mailbox>()("services/Mailbox", {
  effect: Effect.gen(function* () {
    const repo = yield* MailboxRepo
    const parser = yield* MailParser
    const inUse = yield* MailboxInUse

    const envelope = ({ id, mailFrom, messageId, raw, rcptTo, receivedAt }: RawMail) => ({
      id,
      messageId,
      mailFrom,
      rcptTo,
      receivedAt,
      size: raw.byteLength
    })

    const list = Effect.fn("Mailbox.list")(function* (organization: OrganizationId, request: PageRequest) {
      if (!inUse) return page<MailboxMailSummary>([], 0, request)
      const { items, pagination } = yield* repo.list(organization, request)
      const summaries = yield* Effect.forEach(items, (mail) =>
        Effect.map(
          parser.parse(mail.raw),
          ({ from, subject, to }) => new MailboxMailSummary({ ...envelope(mail), from, subject, to })
        )
      )
      const summarized: Page<MailboxMailSummary> = { items: summaries, pagination }
      return summarized
    })

    const get = Effect.fn("Mailbox.get")(function* (organization: OrganizationId, id: MailboxMailId) {
      const notFound = new ResourceNotFoundError({ resource: "mail", id })
      if (!inUse) return yield* notFound
      const mail = yield* Effect.flatten(repo.find(organization, id)).pipe(
        Effect.catchTag("NoSuchElementException", () => notFound)
      )
      const { replyTo: _, ...parsed } = yield* parser.parse(mail.raw)
      return new MailboxMail({ ...envelope(mail), ...parsed, raw: decoder.decode(mail.raw) })
    })

    return { list, get } as const
  })
}) {}

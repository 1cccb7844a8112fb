import { ResourceNotFoundError, type ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { MailboxMailId } from "@switchboard/domain/mailbox/MailboxMail"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"
import { MailboxEnabled } from "./MailboxEnabled.js"
import { MailboxRepo, type RawMail } from "./MailboxRepo.js"

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

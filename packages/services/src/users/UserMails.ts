import { randomUUID } from "node:crypto"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { untracked } from "@switchboard/domain/email/tracking/Tracking"
import { Effect, Redacted } from "effect"
import { signedToken, unsignedToken } from "../email/send/SignedLinks.js"
import { Messages } from "../messages/Messages.js"
import type { Caller } from "../messages/SendContext.js"
import { PublicUrl } from "../PublicUrl.js"
import { Signatures } from "../SecretBox.js"

/** A mail with a link to a page of the console. `nonce` signs the link. */
interface LinkMail {
  readonly to: EmailAddress
  readonly page: "invitation" | "reset"
  /** The id of the invitation or the reset. */
  readonly subjectId: string
  readonly nonce: string
  readonly subject: string
  /** The paragraphs before the link, and the one after it. They contain no text of a caller. */
  readonly before: string
  readonly after: string
}

/**
 * Mails of the service to users. Each is a message of the organization from its default sender. The stored message has no
 * signature in its link: a reader of messages can't follow it.
 */
export class UserMails extends Effect.Service<UserMails>()("services/UserMails", {
  effect: Effect.gen(function* () {
    const messages = yield* Messages
    const publicUrl = yield* PublicUrl
    const signatures = yield* Signatures

    const urlOf = (page: LinkMail["page"], token: string) => `${publicUrl}/console/#${page}=${token}`

    /** The token of a link, with the nonce that its mail needs. */
    const newToken = (organizationId: Caller["organizationId"], subjectId: string) =>
      Effect.sync(() => {
        const nonce = randomUUID()
        return { nonce, token: Redacted.make(signedToken(signatures, organizationId, subjectId, nonce)) }
      })

    /** Sends a mail. Returns whether it was accepted for delivery: an organization may have no default sender. */
    const send = (caller: Caller, { after, before, nonce, page, subject, subjectId, to }: LinkMail) => {
      const { headers, token } = unsignedToken(caller.organizationId, subjectId, nonce)
      const url = urlOf(page, token)
      return messages
        .sendEmail(caller, {
          channel: "email",
          to: [{ email: to }],
          isAutomated: true,
          email: {
            subject,
            html: `<p>${before}</p>\n<p><a href="${url}">${url}</a></p>\n<p>${after}</p>`,
            text: `${before}\n\n${url}\n\n${after}\n`,
            headers: { ...headers, "Auto-Submitted": "auto-generated" },
            ...untracked
          }
        })
        .pipe(
          Effect.as(true),
          Effect.catchAll((error) =>
            Effect.as(Effect.logWarning(`The mail "${subject}" was not sent`, error.message), false)
          )
        )
    }

    return { newToken, send, urlOf } as const
  })
}) {}

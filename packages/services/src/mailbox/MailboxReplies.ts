import {
  ConflictError,
  ResourceNotFoundError,
  ServiceUnavailableError,
  ValidationError
} from "@switchboard/domain/Errors"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { MailboxMailId } from "@switchboard/domain/mailbox/MailboxMail"
import { MailboxAnswer, type MailboxReply } from "@switchboard/domain/mailbox/MailboxReply"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, Option, Schema } from "effect"
import type { MailReceipt } from "../messages/delivery/MailTransport.js"
import { newUuid } from "../NewUuid.js"
import { MailboxInUse } from "./Mailbox.js"
import { MailboxRepo, type RawMail } from "./MailboxRepo.js"
import { MailParser, type ParsedMail } from "./MailParser.js"
import { recipientAnswer } from "./RecipientAnswer.js"
import { WayIn } from "./WayIn.js"

const decodeAddress = Schema.decodeOption(EmailAddress)

const retryAfterSeconds = 1

const later = (response: string) =>
  new ServiceUnavailableError({ message: `The answer can't be brought now: ${response}`, retryAfterSeconds })

const conflict = (message: string) => new ConflictError({ message, resource: "mail" })

/** The recipient who answers: the first, unless another is named. */
const authorOf = ({ rcptTo }: RawMail, { from }: MailboxReply) => {
  const [first = ""] = rcptTo
  const named = from === undefined ? first : rcptTo.find((one) => one.toLowerCase() === from.toLowerCase())
  return named === undefined
    ? new ValidationError({
        message: "The request body is invalid",
        fields: { from: [`must be a recipient of the mail: ${rcptTo.join(", ")}`] }
      })
    : Effect.succeed(named)
}

/** Whom a program answers: whoever the mail asks to, else its author. */
const addressees = ({ from, replyTo }: ParsedMail): ReadonlyArray<string> =>
  (replyTo.length > 0 ? replyTo : [from]).flatMap((address) => Option.toArray(decodeAddress(address)))

/** Whoever the server took the answer for. Nobody at all is how things stand with the mail, if not just for now. */
const takenFor = ({ replies }: MailReceipt) => {
  const taken = replies.flatMap(({ recipient, verdict }) => (verdict === "accepted" ? [recipient] : []))
  if (taken.length > 0) return Effect.succeed(taken)
  const words = replies.map(({ recipient, response }) => `${recipient}: ${response}`).join("; ")
  return replies.some(({ verdict }) => verdict === "deferred")
    ? later(words)
    : conflict(`Nobody here takes answers to this mail (${words})`)
}

/** Recipients of the local mailbox who answer, so that a conversation can be played where no mail leaves the house. */
export class MailboxReplies extends Effect.Service<MailboxReplies>()("services/MailboxReplies", {
  effect: Effect.gen(function* () {
    const repo = yield* MailboxRepo
    const parser = yield* MailParser
    const inUse = yield* MailboxInUse
    const wayIn = yield* WayIn

    /** Writes the answer as the recipient's program would, and brings it to where the service receives mail. */
    const reply = Effect.fn("MailboxReplies.reply")(
      function* (organization: OrganizationId, id: MailboxMailId, given: MailboxReply) {
        const notFound = new ResourceNotFoundError({ resource: "mail", id })
        if (!inUse) return yield* notFound
        const mail = yield* Effect.mapError(yield* repo.find(organization, id), () => notFound)
        const author = yield* authorOf(mail, given)
        const parsed = yield* parser.parse(mail.raw)
        const to = addressees(parsed)
        if (to.length === 0) return yield* conflict("The mail names nobody to answer")
        const date = yield* DateTime.now
        const answer = recipientAnswer({ mail, parsed, author, to }, given, {
          date,
          id: newUuid({ msecs: DateTime.toEpochMillis(date) })
        })
        const receipt = yield* wayIn.bring(answer)
        return new MailboxAnswer(
          {
            messageId: answer.messageId,
            from: author,
            to: yield* takenFor(receipt),
            subject: answer.subject,
            response: receipt.response ?? ""
          },
          { disableValidation: true }
        )
      },
      Effect.catchTags({
        MailRefused: ({ response }) => conflict(`The answer was refused: ${response}`),
        MailDeferred: ({ response }) => later(response),
        RelayUnavailable: ({ response }) => later(response)
      })
    )

    return { reply } as const
  })
}) {}

import { ResourceNotFoundError, type ServiceUnavailableError, type ValidationError } from "@switchboard/domain/Errors"
import { ancestorIds, parentIds } from "@switchboard/domain/email/send/ReplyHeaders"
import type { EmailMessage, EmailMetadata, Message } from "@switchboard/domain/messages/Message"
import type { EmailSendOrReply } from "@switchboard/domain/messages/SendRequest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, Either, Option } from "effect"
import { Senders } from "../../email/senders/Senders.js"
import { Templates } from "../../email/templates/Templates.js"
import { ParticipantRepo } from "../../participants/ParticipantRepo.js"
import { type CompleteMessage, MessageRepo, type NewMessage } from "../MessageRepo.js"
import type { Caller } from "../SendContext.js"
import { mailAddressing } from "./Addressing.js"
import { composeEmail, inlineBody, renderedBody, repeatedEmail, storedBody } from "./ComposeEmail.js"

/** A composed message, before it is accepted. */
export interface Prepared {
  readonly message: NewMessage
  /** Why it is refused, unless it repeats an earlier send; null if it is not. */
  readonly problem: ResourceNotFoundError | ValidationError | null
  /** The message that it replies to. */
  readonly parent: Option.Option<Message>
}

/** The maximum number of parents that are read to reconstruct References. */
const maxSteps = 20

/**
 * The mail that a reply's headers are made from. If the parent has no References, as some mail clients omit them, they
 * are reconstructed from the parent's own parents.
 */
const parentMail = (
  find: MessageRepo["Type"]["find"],
  { emailMetadata, organizationId, parentMessageId }: Message,
  steps = maxSteps
): Effect.Effect<EmailMetadata | null, ServiceUnavailableError> =>
  Effect.gen(function* () {
    if (emailMetadata == null) return null
    if (parentMessageId === null || steps === 0 || ancestorIds(emailMetadata).length > 0) return emailMetadata
    const parent = yield* find(organizationId, parentMessageId)
    const before = Option.isNone(parent) ? null : yield* parentMail(find, parent.value, steps - 1)
    if (before === null) return emailMetadata
    const references = [...ancestorIds(before), before.messageId].join(" ")
    return { ...emailMetadata, headers: { ...emailMetadata.headers, References: references } }
  })

/** Makes e-mails of requests: finds sender, addressees, template and parent. */
export const prepareEmail = Effect.gen(function* () {
  const repo = yield* MessageRepo
  const senders = yield* Senders
  const compose = yield* composeEmail
  const templateBody = renderedBody(yield* Templates)
  const resolveAddressees = mailAddressing(yield* ParticipantRepo)

  /** The message that a send answers: the one of its request, or the one that its headers name. */
  const findParent = Effect.fnUntraced(function* (
    organization: OrganizationId,
    { email: { headers = {} }, inReplyToMessageId }: EmailSendOrReply
  ) {
    if (inReplyToMessageId !== undefined) return yield* repo.find(organization, inReplyToMessageId)
    const hints = parentIds(headers)
    if (hints.inReplyTo.length + hints.references.length === 0) return Option.none()
    const id = yield* repo.findParent(organization, hints)
    return Option.isNone(id) ? Option.none() : yield* repo.find(organization, id.value)
  })

  const prepare = Effect.fnUntraced(function* (caller: Caller, request: EmailSendOrReply) {
    const organization = caller.organizationId
    const from = yield* senders.resolve(organization, request.email.from)
    const addressees = yield* resolveAddressees(organization, request)
    const body =
      request.email.templateId === undefined
        ? Either.right(inlineBody(request))
        : yield* templateBody(organization, request.email.templateId, request).pipe(
            Effect.map(Either.right),
            Effect.catchTag("ResourceNotFoundError", "ValidationError", (problem) =>
              Effect.succeed(Either.left(problem))
            )
          )
    const content = Either.getOrElse(body, () => inlineBody(request))
    const { inReplyToMessageId: parentId } = request
    const parent = yield* findParent(organization, request)
    const parentMetadata = Option.isNone(parent) ? null : yield* parentMail(repo.find, parent.value)
    const composed = yield* compose(caller, request, from, addressees, content, parentMetadata)
    const message: NewMessage = Option.match(parent, {
      onNone: () => composed,
      onSome: ({ id }) => ({ ...composed, facts: { ...composed.facts, parentMessageId: id } })
    })
    const problem =
      parentId !== undefined && Option.isNone(parent)
        ? new ResourceNotFoundError({ resource: "message", id: parentId })
        : Option.getOrNull(Either.getLeft(body))
    const prepared: Prepared = { message, problem, parent }
    return prepared
  })

  /** The e-mail that sends another one again, in the same thread. */
  const repeat = Effect.fnUntraced(function* (
    caller: Caller,
    message: EmailMessage,
    { attachments, ...tracking }: CompleteMessage,
    idempotencyKey: string | undefined
  ) {
    const { emailMetadata, parentMessageId, threadId } = message
    // The repeat of a submitted mail is composed from its content: it has a Message-ID of its own.
    const files = emailMetadata.submitted ? attachments.slice(1) : attachments
    const request = repeatedEmail(message, tracking, idempotencyKey)
    const from = yield* senders.resolve(caller.organizationId, request.email.from)
    const addressees = yield* resolveAddressees(caller.organizationId, request)
    const composed = yield* compose(caller, request, from, addressees, storedBody(message.content), null, files)
    const prepared: Prepared = {
      message: { ...composed, facts: { ...composed.facts, parentMessageId, threadId } },
      problem: null,
      parent: Option.none()
    }
    return prepared
  })

  return { prepare, repeat } as const
})

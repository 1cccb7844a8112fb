import type { RequestedRange } from "@switchboard/domain/analytics/DateRange"
import {
  ConflictError,
  ResourceNotFoundError,
  type ServiceUnavailableError,
  ValidationError
} from "@switchboard/domain/Errors"
import { ancestorIds } from "@switchboard/domain/email/send/ReplyHeaders"
import type { ConversationId, EmailMetadata, Message, MessageId } from "@switchboard/domain/messages/Message"
import type { SendOrReply, SendRequest } from "@switchboard/domain/messages/SendRequest"
import { cancelled, resent } from "@switchboard/domain/messages/state/MessageLifecycle"
import { timelineOf } from "@switchboard/domain/messages/state/Timeline"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { DateTime, Effect, Either, Option } from "effect"
import { ConversationRepo } from "../conversations/ConversationRepo.js"
import { Senders } from "../email/senders/Senders.js"
import { Templates } from "../email/templates/Templates.js"
import { OrganizationRepo } from "../organizations/OrganizationRepo.js"
import { usageExceeded } from "../organizations/Organizations.js"
import { requestedRanges } from "../organizations/RequestedRanges.js"
import { ParticipantRepo } from "../participants/ParticipantRepo.js"
import { RateLimits } from "../rateLimits/RateLimits.js"
import { addressing } from "./compose/Addressing.js"
import { Compose, inlineBody, renderedBody, resendProblem, resendRequest, storedBody } from "./compose/Compose.js"
import { type Accepted, type MessageFilter, MessageRepo, type NewMessage } from "./MessageRepo.js"
import type { Caller } from "./SendContext.js"

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

/** The maximum time before a scheduled send. */
const maxScheduleAhead = "90 days"

/** Sends and manages messages. */
export class Messages extends Effect.Service<Messages>()("services/Messages", {
  effect: Effect.gen(function* () {
    const repo = yield* MessageRepo
    const conversations = yield* ConversationRepo
    const senders = yield* Senders
    const limits = yield* RateLimits
    const compose = yield* Compose
    const organizations = yield* OrganizationRepo
    const recordExceeded = yield* usageExceeded(organizations)
    const ranges = requestedRanges(organizations)
    const templateBody = renderedBody(yield* Templates)
    const resolveAddressees = addressing(yield* ParticipantRepo)

    const notFound = (id: MessageId) => new ResourceNotFoundError({ resource: "message", id })

    const checkConversation = Effect.fnUntraced(function* (organization: OrganizationId, id: ConversationId) {
      if (yield* conversations.exists(organization, id)) return
      return yield* new ResourceNotFoundError({ resource: "conversation", id })
    })

    const scheduleProblem = (request: SendRequest, now: DateTime.Utc) => {
      if (request.scheduledAt === undefined) return null
      const problem = DateTime.lessThanOrEqualTo(request.scheduledAt, now)
        ? "must be in the future"
        : DateTime.greaterThan(request.scheduledAt, DateTime.addDuration(now, maxScheduleAhead))
          ? `must be at most ${maxScheduleAhead} ahead`
          : null
      return problem === null
        ? null
        : new ValidationError({ message: "The request body is invalid", fields: { scheduledAt: [problem] } })
    }

    /** A reply joins the thread and conversation of its parent. */
    const acceptReply = Effect.fnUntraced(function* (message: NewMessage, parent: Message) {
      const { conversationId, threadId } = parent
      if (threadId === null) {
        const accepted = yield* repo.acceptReply(message, parent.id)
        return yield* Effect.mapError(accepted, () => notFound(parent.id))
      }
      const facts = { ...message.facts, threadId, conversationId: message.facts.conversationId ?? conversationId }
      return yield* repo.accept({ ...message, facts })
    })

    /**
     * Stores, counts and queues a composed message in one transaction, unless it has a problem. A repeat returns the
     * earlier message without using the plan or the rate limit, also if a problem came up since.
     */
    const acceptOnce = <E>(message: NewMessage, problem: E | null, parent: Option.Option<Message>) => {
      const organization = message.facts.organizationId
      const replayOr = <Refusal>(error: Refusal) =>
        Effect.flatMap(
          repo.findReplay(organization, message.identity),
          Option.match({
            onNone: () => Effect.fail(error),
            onSome: (original) => Effect.succeed<Accepted>({ message: original, replayed: true })
          })
        )
      const accept = Option.match(parent, {
        onNone: (): ReturnType<typeof acceptReply> => repo.accept(message),
        onSome: (parentMessage) => acceptReply(message, parentMessage)
      })
      // The rate limit is checked first, since it needs no database. A send over the limit may still be a repeat.
      return problem !== null
        ? replayOr(problem)
        : Effect.matchEffect(limits.send(organization), {
            onFailure: replayOr,
            onSuccess: () =>
              accept.pipe(
                Effect.tapErrorTag("PaymentRequiredError", () => recordExceeded(organization)),
                Effect.flatMap((accepted) =>
                  accepted.replayed ? Effect.as(limits.refundSend(organization), accepted) : Effect.succeed(accepted)
                )
              )
          })
    }

    /** Accepts a message. `isInBatch` if the request sends several messages: they wait behind others. */
    const send = Effect.fnUntraced(function* (caller: Caller, request: SendOrReply, isInBatch = false) {
      const organization = caller.organizationId
      const from = yield* senders.resolve(organization, request.email.from)
      if (request.conversationId !== undefined) yield* checkConversation(organization, request.conversationId)
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
      const parent = parentId === undefined ? Option.none() : yield* repo.find(organization, parentId)
      const parentMetadata = Option.isNone(parent) ? null : yield* parentMail(repo.find, parent.value)
      const composed = yield* compose.message(caller, request, from, addressees, content, parentMetadata)
      const message = isInBatch ? { ...composed, isBulk: true } : composed
      const problem =
        parentId !== undefined && Option.isNone(parent)
          ? notFound(parentId)
          : Either.isLeft(body)
            ? body.left
            : scheduleProblem(request, message.facts.createdAt)
      return yield* acceptOnce(message, problem, parent)
    })

    /**
     * Accepts a new message with the content, recipients and thread of another one. Repeated within the deduplication
     * window, or with the same idempotency key, it returns the first new message. A failed message records the new one.
     * `isInBatch` if several messages are sent again: they wait behind others.
     */
    const resend = Effect.fn("Messages.resend")(function* (
      caller: Caller,
      id: MessageId,
      idempotencyKey?: string,
      isInBatch = false
    ) {
      const organization = caller.organizationId
      const complete = yield* Effect.mapError(yield* repo.findComplete(organization, id), () => notFound(id))
      const { content, emailMetadata, parentMessageId, threadId } = complete.message
      const problem = resendProblem(complete.message)
      if (problem !== null || emailMetadata == null) {
        return yield* new ConflictError({ message: problem ?? "Only an e-mail can be sent again", resource: "message" })
      }
      const request = resendRequest(complete, emailMetadata, idempotencyKey)
      const from = yield* senders.resolve(organization, request.email.from)
      if (request.conversationId !== undefined) yield* checkConversation(organization, request.conversationId)
      const addressees = yield* resolveAddressees(organization, request)
      const body = storedBody(content)
      const composed = yield* compose.message(caller, request, from, addressees, body, null, complete.attachments)
      const message = {
        ...composed,
        isBulk: composed.isBulk || isInBatch,
        facts: { ...composed.facts, parentMessageId, threadId }
      }
      const accepted = yield* acceptOnce(message, null, Option.none())
      if (complete.message.status === "failed") {
        const now = yield* DateTime.now
        yield* repo.change(organization, id, (state) => Effect.succeed(resent(state, accepted.message.id, now)))
      }
      return accepted
    })

    const get = Effect.fnUntraced(function* (organization: OrganizationId, id: MessageId) {
      const found = yield* repo.find(organization, id)
      return yield* Effect.mapError(found, () => notFound(id))
    })

    /** A message in its encoded form. */
    const getEncoded = Effect.fnUntraced(function* (organization: OrganizationId, id: MessageId) {
      return yield* Effect.mapError(yield* repo.findEncoded(organization, id), () => notFound(id))
    })

    /** A page of the organization's messages, newest first. */
    const list = Effect.fnUntraced(function* (
      organization: OrganizationId,
      { endDate, startDate, ...filter }: Omit<MessageFilter, keyof RequestedRange> & RequestedRange,
      page: PageRequest
    ) {
      const { end, start } = yield* ranges.ends(organization, { startDate, endDate })
      return yield* repo.list(organization, { ...filter, startDate: start, endDate: end }, page)
    })

    /** The history of a message, oldest first. */
    const timeline = Effect.fnUntraced(function* (organization: OrganizationId, id: MessageId) {
      return timelineOf(yield* get(organization, id))
    })

    /** Cancels a scheduled message. */
    const cancel = Effect.fnUntraced(function* (organization: OrganizationId, id: MessageId) {
      const now = yield* DateTime.now
      const changed = yield* repo.change(organization, id, (state) =>
        state.status === "scheduled"
          ? Effect.succeed(cancelled(state, now))
          : new ConflictError({
              message: `Only a scheduled message can be cancelled: this one is ${state.status}`,
              resource: "message"
            })
      )
      return yield* Effect.mapError(changed, () => notFound(id))
    })

    /** Deletes a message's content and recipients. An unsent message is withdrawn. */
    const remove = Effect.fnUntraced(function* (organization: OrganizationId, id: MessageId) {
      if (!(yield* repo.remove(organization, id))) return yield* notFound(id)
    })

    return { send, resend, get, getEncoded, list, timeline, cancel, remove } as const
  })
}) {}

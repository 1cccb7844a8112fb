import {
  ConflictError,
  ResourceNotFoundError,
  type ServiceUnavailableError,
  ValidationError
} from "@switchboard/domain/Errors"
import { idsBefore } from "@switchboard/domain/email/send/ReplyHeaders"
import type { EmailMetadata, Message, MessageId } from "@switchboard/domain/messages/Message"
import type { SendOrReply, SendRequest } from "@switchboard/domain/messages/SendRequest"
import { cancelled } from "@switchboard/domain/messages/state/MessageLifecycle"
import { timelineOf } from "@switchboard/domain/messages/state/Timeline"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, Either, Option } from "effect"
import { ConversationRepo } from "../conversations/ConversationRepo.js"
import { Senders } from "../email/senders/Senders.js"
import { Templates } from "../email/templates/Templates.js"
import { OrganizationRepo } from "../organizations/OrganizationRepo.js"
import { usageExceeded } from "../organizations/UsageExceeded.js"
import { ParticipantRepo } from "../participants/ParticipantRepo.js"
import { RateLimits } from "../rateLimits/RateLimits.js"
import type { Caller } from "./Caller.js"
import { addressing } from "./compose/Addressing.js"
import { Compose } from "./compose/Compose.js"
import { emailBody, inlineBody } from "./compose/EmailBody.js"
import { type Accepted, MessageRepo, type NewMessage } from "./MessageRepo.js"

/** How far the line of a mail is followed that names nothing before it: whoever answers drops the headers seldom. */
const furthest = 20

/**
 * What the headers of an answer to a message are made from. Some mail readers name nothing of what they answer: then
 * that is told by the messages before, as far as they are known.
 */
const answeredMail = (
  find: MessageRepo["Type"]["find"],
  { emailMetadata, organizationId, parentMessageId }: Message,
  steps = furthest
): Effect.Effect<EmailMetadata | null, ServiceUnavailableError> =>
  Effect.gen(function* () {
    if (emailMetadata == null) return null
    if (parentMessageId === null || steps === 0 || idsBefore(emailMetadata).length > 0) return emailMetadata
    const parent = yield* find(organizationId, parentMessageId)
    const before = Option.isNone(parent) ? null : yield* answeredMail(find, parent.value, steps - 1)
    if (before === null) return emailMetadata
    const references = [...idsBefore(before), before.messageId].join(" ")
    return { ...emailMetadata, headers: { ...emailMetadata.headers, References: references } }
  })

/** The furthest day that a message may be scheduled for. */
const longestAhead = "90 days"

/** What can be done with messages. */
export class Messages extends Effect.Service<Messages>()("services/Messages", {
  effect: Effect.gen(function* () {
    const repo = yield* MessageRepo
    const conversations = yield* ConversationRepo
    const senders = yield* Senders
    const limits = yield* RateLimits
    const compose = yield* Compose
    const tellExceeded = yield* usageExceeded(yield* OrganizationRepo)
    const bodyOf = emailBody(yield* Templates)
    const resolveAddressees = addressing(yield* ParticipantRepo)

    const notFound = (id: MessageId) => new ResourceNotFoundError({ resource: "message", id })

    const checkConversation = Effect.fnUntraced(function* (
      organization: OrganizationId,
      { conversationId: id }: SendRequest
    ) {
      if (id === undefined || (yield* conversations.exists(organization, id))) return
      return yield* new ResourceNotFoundError({ resource: "conversation", id })
    })

    const scheduleProblem = (request: SendRequest, now: DateTime.Utc) => {
      if (request.scheduledAt === undefined) return null
      if (DateTime.lessThanOrEqualTo(request.scheduledAt, now)) return "must be in the future"
      return DateTime.greaterThan(request.scheduledAt, DateTime.addDuration(now, longestAhead))
        ? `must be at most ${longestAhead} ahead`
        : null
    }

    /** An answer belongs where what it answers does. */
    const acceptAnswer = Effect.fnUntraced(function* (message: NewMessage, answered: Message) {
      const { conversationId, threadId } = answered
      if (threadId === null) {
        const accepted = yield* repo.acceptAnswer(message, answered.id)
        return yield* Effect.mapError(accepted, () => notFound(answered.id))
      }
      const facts = { ...message.facts, threadId, conversationId: message.facts.conversationId ?? conversationId }
      return yield* repo.accept({ ...message, facts })
    })

    /**
     * Accepts a message: stored, counted and queued in one transaction, or not at all. A repetition gives the earlier
     * message, takes no usage and no send of the rate limit.
     */
    const send = Effect.fnUntraced(function* (caller: Caller, request: SendOrReply) {
      const organization = caller.organizationId
      const from = yield* senders.resolve(organization, request.email.from)
      yield* checkConversation(organization, request)
      const addressees = yield* resolveAddressees(organization, request)
      const body = yield* bodyOf(organization, request).pipe(
        Effect.map(Either.right),
        Effect.catchTag("ResourceNotFoundError", "ValidationError", (problem) => Effect.succeed(Either.left(problem)))
      )
      const says = Either.getOrElse(body, () => inlineBody(request))
      const { inReplyToMessageId: parentId } = request
      const parent = parentId === undefined ? Option.none() : yield* repo.find(organization, parentId)
      const answered = Option.isNone(parent) ? null : yield* answeredMail(repo.find, parent.value)
      const message = yield* compose.message(caller, request, from, addressees, says, answered)

      const replay = repo
        .findReplay(organization, message.identity)
        .pipe(Effect.map(Option.map((original): Accepted => ({ message: original, replayed: true }))))
      const replayOr = <E>(error: E) =>
        Effect.flatMap(
          replay,
          Option.match({
            onNone: () => Effect.fail(error),
            onSome: (original) => Effect.succeed(original)
          })
        )

      // A retry may come when what it answers was deleted: it is still the same send.
      if (parentId !== undefined && Option.isNone(parent)) return yield* replayOr(notFound(parentId))
      // A retry may come when its template has changed, or is gone: it is still the same send.
      if (Either.isLeft(body)) return yield* replayOr(body.left)
      // A retry of a scheduled send may come after its time: it is still the same send.
      const problem = scheduleProblem(request, message.facts.createdAt)
      if (problem !== null) {
        return yield* replayOr(
          new ValidationError({ message: "The request body is invalid", fields: { scheduledAt: [problem] } })
        )
      }
      // The budget is asked first because that is free; only who has none left may still be a replay.
      return yield* Effect.matchEffect(limits.send(organization), {
        onFailure: replayOr,
        onSuccess: () =>
          Option.match(parent, {
            onNone: () => repo.accept(message),
            onSome: (answered) => acceptAnswer(message, answered)
          }).pipe(
            Effect.tap(({ replayed }) => (replayed ? limits.refundSend(organization) : Effect.void)),
            Effect.tapErrorTag("PaymentRequiredError", () => tellExceeded(organization))
          )
      })
    })

    const get = Effect.fnUntraced(function* (organization: OrganizationId, id: MessageId) {
      const found = yield* repo.find(organization, id)
      return yield* Effect.mapError(found, () => notFound(id))
    })

    /** Everything that is known to have happened to a message, oldest first. */
    const timeline = Effect.fnUntraced(function* (organization: OrganizationId, id: MessageId) {
      return timelineOf(yield* get(organization, id))
    })

    /** Takes a scheduled message back before its time. */
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

    /** Erases a message's content and recipients; what was not sent yet is withdrawn. */
    const remove = Effect.fnUntraced(function* (organization: OrganizationId, id: MessageId) {
      if (!(yield* repo.remove(organization, id))) return yield* notFound(id)
    })

    return { send, get, list: repo.list, timeline, cancel, remove } as const
  })
}) {}

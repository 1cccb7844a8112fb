import type { RequestedRange } from "@switchboard/domain/analytics/DateRange"
import { ConflictError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import {
  type ConversationId,
  deliveriesOf,
  isEmail,
  isSms,
  isWhatsApp,
  type Message,
  type MessageId
} from "@switchboard/domain/messages/Message"
import type { EmailSendOrReply, Send, SendRequest } from "@switchboard/domain/messages/SendRequest"
import { cancelled, resent } from "@switchboard/domain/messages/state/MessageLifecycle"
import { timelineOf } from "@switchboard/domain/messages/state/Timeline"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { DateTime, Effect, Option } from "effect"
import { ConversationRepo } from "../conversations/ConversationRepo.js"
import { OrganizationRepo } from "../organizations/OrganizationRepo.js"
import { usageExceeded } from "../organizations/Organizations.js"
import { requestedRanges } from "../organizations/RequestedRanges.js"
import { RateLimits } from "../rateLimits/RateLimits.js"
import { prepareSms } from "../sms/PrepareSms.js"
import { prepareWhatsApp } from "../whatsapp/PrepareWhatsApp.js"
import { type Prepared, prepareEmail } from "./compose/PrepareEmail.js"
import { type Accepted, type MessageFilter, MessageRepo, type NewMessage } from "./MessageRepo.js"
import type { Caller } from "./SendContext.js"

/** The reason why a message can't be sent again; null if it can. */
const resendProblem = (message: Message): string | null => {
  if (message.direction === "inbound") return "Only an outbound message can be sent again: this one was received"
  if (message.content.erasedAt !== undefined) return "The content of the message was erased"
  const { bcc = [], cc = [], to = deliveriesOf(message) } = message.emailMetadata ?? {}
  return [...to, ...cc, ...bcc].length === 0 ? "The recipients of the message were erased" : null
}

/** The maximum time before a scheduled send. */
const maxScheduleAhead = "90 days"

/** Sends and manages messages. */
export class Messages extends Effect.Service<Messages>()("services/Messages", {
  effect: Effect.gen(function* () {
    const repo = yield* MessageRepo
    const conversations = yield* ConversationRepo
    const limits = yield* RateLimits
    const emails = yield* prepareEmail
    const texts = yield* prepareSms
    const whatsapp = yield* prepareWhatsApp
    const organizations = yield* OrganizationRepo
    const recordExceeded = yield* usageExceeded(organizations)
    const ranges = requestedRanges(organizations)

    const notFound = (id: MessageId) => new ResourceNotFoundError({ resource: "message", id })

    const checkConversation = Effect.fnUntraced(function* (organization: OrganizationId, id: ConversationId) {
      if (yield* conversations.exists(organization, id)) return
      return yield* new ResourceNotFoundError({ resource: "conversation", id })
    })

    const scheduleProblem = (request: Pick<SendRequest, "scheduledAt">, now: DateTime.Utc) => {
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

    const acceptPrepared = <E, R>(
      { organizationId }: Caller,
      request: Send,
      prepared: Effect.Effect<Prepared, E, R>,
      isInBatch: boolean
    ) =>
      Effect.gen(function* () {
        if (request.conversationId !== undefined) yield* checkConversation(organizationId, request.conversationId)
        const { message, parent, problem } = yield* prepared
        return yield* acceptOnce(
          isInBatch ? { ...message, isBulk: true } : message,
          problem ?? scheduleProblem(request, message.facts.createdAt),
          parent
        )
      })

    /** Accepts an e-mail. `isInBatch` if the request sends several messages: they wait behind others. */
    const sendEmail = (caller: Caller, request: EmailSendOrReply, isInBatch = false) =>
      acceptPrepared(caller, request, emails.prepare(caller, request), isInBatch)

    /** Fails with the problem for which `sendEmail` would not accept an e-mail, apart from limits and conflicts. */
    const checkEmail = Effect.fnUntraced(function* (caller: Caller, request: EmailSendOrReply) {
      const { message, problem } = yield* emails.prepare(caller, request)
      const found = problem ?? scheduleProblem(request, message.facts.createdAt)
      if (found !== null) return yield* found
    })

    /** Accepts a message of any channel. */
    const send = (caller: Caller, request: Send, isInBatch = false) => {
      switch (request.channel) {
        case "email":
          return sendEmail(caller, request, isInBatch)
        case "sms":
          return acceptPrepared(caller, request, texts.prepare(caller, request), isInBatch)
        case "whatsapp":
          return acceptPrepared(caller, request, whatsapp.prepare(caller, request), isInBatch)
      }
    }

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
      const earlier = complete.message
      const conflict = (message: string) => new ConflictError({ message, resource: "message" })
      const problem = resendProblem(earlier)
      if (problem !== null) return yield* conflict(problem)
      if (earlier.conversationId !== null) yield* checkConversation(organization, earlier.conversationId)
      const prepared = isEmail(earlier)
        ? yield* emails.repeat(caller, earlier, complete, idempotencyKey)
        : isSms(earlier)
          ? yield* texts.repeat(caller, earlier, idempotencyKey)
          : isWhatsApp(earlier)
            ? yield* whatsapp.repeat(caller, earlier, complete.attachments, idempotencyKey)
            : yield* conflict("A call can't be sent again")
      const message = { ...prepared.message, isBulk: prepared.message.isBulk || isInBatch }
      const accepted = yield* acceptOnce(message, prepared.problem, Option.none())
      if (earlier.status === "failed") {
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

    /** Sends a scheduled message at another time. */
    const reschedule = Effect.fnUntraced(function* (
      organization: OrganizationId,
      id: MessageId,
      scheduledAt: DateTime.Utc
    ) {
      const problem = scheduleProblem({ scheduledAt }, yield* DateTime.now)
      if (problem !== null) return yield* problem
      const found = yield* repo.reschedule(organization, id, scheduledAt)
      const message = yield* Effect.mapError(found, () => notFound(id))
      if (message.status === "scheduled") return message
      return yield* new ConflictError({
        message: `Only a scheduled message can be sent at another time: this one is ${message.status}`,
        resource: "message"
      })
    })

    /** Deletes a message's content and recipients. An unsent message is withdrawn. */
    const remove = Effect.fnUntraced(function* (organization: OrganizationId, id: MessageId) {
      if (!(yield* repo.remove(organization, id))) return yield* notFound(id)
    })

    return { send, sendEmail, checkEmail, resend, get, getEncoded, list, timeline, cancel, reschedule, remove } as const
  })
}) {}

import type { Tracking } from "@switchboard/domain/email/tracking/Tracking"
import { marketing } from "@switchboard/domain/messages/Categories"
import {
  type Message,
  type MessageAddressing,
  type MessageContent,
  MessageId
} from "@switchboard/domain/messages/Message"
import { requestIdentity } from "@switchboard/domain/messages/RequestIdentity"
import type { Send } from "@switchboard/domain/messages/SendRequest"
import { accepted } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, Option } from "effect"
import { hashIdentity } from "../../idempotency/CreationKey.js"
import { newId, newUuid } from "../../NewId.js"
import { OrganizationRepo } from "../../organizations/OrganizationRepo.js"
import { sharedLookup } from "../../SharedLookup.js"
import type { NewMessage } from "../MessageRepo.js"
import { type Caller, SendSettings } from "../SendContext.js"

/** The fields of any channel in the request that sends a message again: at once. */
export const repeatedFields = (message: Message, idempotencyKey: string | undefined) => ({
  idempotencyKey,
  conversationId: message.conversationId ?? undefined,
  externalId: message.externalId ?? undefined,
  referenceId: message.referenceId ?? undefined,
  tags: message.tags,
  categories: message.categories,
  isTest: message.isTest,
  isAutomated: message.isAutomated,
  resendOf: message.id
})

/** What the channel of a message decides. */
interface Composed extends Pick<NewMessage, "attachments" | "recipients" | "sender" | keyof Tracking> {
  readonly content: MessageContent
  readonly addressing: (id: MessageId) => MessageAddressing
  /** A decimal number. */
  readonly cost: string
  /** The text that two sends without an idempotency key have in common if they are the same. */
  readonly identity: Parameters<typeof hashIdentity>[0]
}

/** The idempotency key of a request with the hash of the request. */
const idempotencyKeyOf = Effect.fnUntraced(function* (request: Send) {
  const { idempotencyKey: key } = request
  if (key === undefined) return null
  return { key, fingerprint: yield* hashIdentity((fileText) => requestIdentity(request, fileText)) }
})

/** Makes the message of a request, from what its channel has composed. */
export class Compose extends Effect.Service<Compose>()("services/Compose", {
  effect: Effect.gen(function* () {
    const organizations = yield* OrganizationRepo
    const settings = yield* SendSettings

    const currencies = yield* sharedLookup({
      capacity: 10_000,
      timeToLive: "10 seconds",
      lookup: (organization: OrganizationId) =>
        Effect.map(
          organizations.find(organization),
          Option.map(({ defaultCurrency }) => defaultCurrency)
        ),
      idOf: (organization) => organization
    })

    const message = Effect.fnUntraced(function* (
      caller: Caller,
      request: Send,
      { addressing, content, cost, identity, ...composed }: Composed
    ) {
      const { id, now } = yield* newId(MessageId)
      const currency = yield* currencies.get(caller.organizationId)
      const idempotencyKey = yield* idempotencyKeyOf(request)
      const contentHash = yield* hashIdentity(identity)
      const made: NewMessage = {
        ...composed,
        isBulk: request.categories?.includes(marketing) ?? false,
        facts: {
          id,
          organizationId: caller.organizationId,
          conversationId: request.conversationId ?? null,
          threadId: null,
          parentMessageId: null,
          participantMetadata: null,
          channel: request.channel,
          direction: "outbound",
          content,
          scheduledAt: request.scheduledAt ?? null,
          cost,
          currency: Option.getOrElse(currency, () => "USD"),
          maxRetries: settings.retrySchedule.length,
          workflowRunId: null,
          queueMessageId: newUuid(DateTime.toEpochMillis(now)),
          tags: request.tags ?? [],
          categories: request.categories ?? [],
          isTest: request.isTest ?? false,
          isInternal: false,
          isAutomated: request.isAutomated ?? false,
          externalId: request.externalId ?? null,
          referenceId: request.referenceId ?? null,
          apiKeyId: caller.apiKeyId,
          httpMethod: caller.request.method,
          apiRequestMetadata: caller.request,
          apiResponseMetadata: null,
          createdAt: now,
          createdBy: null
        },
        state: accepted(composed.recipients, settings.retrySchedule.length, request.scheduledAt !== undefined, now),
        addressing: addressing(id),
        identity: { idempotencyKey, contentHash, dedupeWindow: settings.dedupeWindow },
        traceParent: caller.traceParent
      }
      return made
    })

    return { message } as const
  })
}) {}

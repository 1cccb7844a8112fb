import { assert, describe, it } from "@effect/vitest"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { PaymentRequiredError } from "@switchboard/domain/Errors"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { ConversationId } from "@switchboard/domain/messages/Message"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type MessageParticipant, ParticipantId } from "@switchboard/domain/participants/Participant"
import { defaultRetrySchedule } from "@switchboard/domain/RetrySchedule"
import { ConversationRepo } from "@switchboard/services/conversations/ConversationRepo"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { SenderRepo } from "@switchboard/services/email/senders/SenderRepo"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { TemplateRepo } from "@switchboard/services/email/templates/TemplateRepo"
import { Templates } from "@switchboard/services/email/templates/Templates"
import type { Caller } from "@switchboard/services/messages/Caller"
import { Compose } from "@switchboard/services/messages/compose/Compose"
import { MessageRepo, type NewMessage } from "@switchboard/services/messages/MessageRepo"
import { Messages } from "@switchboard/services/messages/Messages"
import { SendSettings } from "@switchboard/services/messages/SendSettings"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { ParticipantRepo } from "@switchboard/services/participants/ParticipantRepo"
import { BigDecimal, Context, Duration, Effect, Layer, Schema } from "effect"
import { NoLimits } from "./MessagesLive.js"

const address = Schema.decodeSync(EmailAddress)
const organizationId = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")
const ada = ParticipantId.make("01a1fc1d-e1b3-70c2-a5d2-d20017eabdaa")
const withoutEmail = ParticipantId.make("01a1fc1d-e1b3-70c2-a5d2-d20017eabdab")
const unknown = ParticipantId.make("01a1fc1d-e1b3-70c2-a5d2-d20017eabdac")
const known = ConversationId.make("01a1fc1e-4d11-7b3c-9a7e-2f3e4d5c6b7a")

const caller: Caller = {
  organizationId,
  apiKeyId: ApiKeyId.make("01a1fc1d-cf9d-766f-8d6a-43d494c1944f"),
  request: { method: "POST", endpoint: "/v1/messages", ipAddress: "", userAgent: "", headers: {}, query: {} },
  traceParent: null
}

const unused = Effect.dieMessage("not used in this test")

const participants: ReadonlyArray<MessageParticipant> = [
  { id: ada, name: "Ada", displayName: null, type: "contact", channelIdentities: { email: ["ada@example.com"] } },
  { id: withoutEmail, name: "Mute", displayName: null, type: "contact" }
]

const ParticipantsStub = Layer.mock(ParticipantRepo, {
  findMany: (_, ids) => Effect.succeed(participants.filter(({ id }) => ids.includes(id)))
})

/** Messages over a repository that records each message and rejects it because the plan limit is reached. */
const makeMessages = (stored: Array<NewMessage>) => {
  const full = new PaymentRequiredError({ resource: "messages", currentUsage: 1, limit: 1 })
  const Store = Layer.succeed(MessageRepo, {
    accept: (message) =>
      Effect.zipRight(
        Effect.sync(() => stored.push(message)),
        full
      ),
    acceptReply: () => unused,
    findReplay: () => Effect.succeedNone,
    findComplete: () => Effect.succeedNone,
    find: () => unused,
    findEncoded: () => unused,
    list: () => unused,
    change: () => unused,
    remove: () => unused
  })
  const Sender = Layer.succeed(SenderRepo, {
    findVerified: () => Effect.succeedNone,
    findDefault: () => Effect.succeedSome({ email: address("hello@localhost.test"), name: "Hello", replyTo: null }),
    findFirstOwner: () => Effect.succeedNone
  })
  const NoOrganization = Layer.succeed(OrganizationRepo, {
    insert: () => unused,
    insertFirst: () => unused,
    find: () => Effect.succeedNone,
    findWithUsage: () => unused,
    update: () => unused,
    markExceeded: () => Effect.succeed(true),
    list: unused,
    mergeCounts: unused,
    setPlan: () => unused
  })
  const Settings = Layer.succeed(SendSettings, {
    dedupeWindow: Duration.minutes(1),
    emailUnitCost: BigDecimal.unsafeFromString("0.0004"),
    retrySchedule: defaultRetrySchedule
  })
  return Effect.map(
    Layer.build(
      Messages.Default.pipe(
        Layer.provide(Layer.mergeAll(Senders.Default, Compose.Default, Templates.Default)),
        Layer.provide(
          Layer.mergeAll(
            Layer.mock(TemplateRepo, {}),
            Layer.mock(DomainRepo, {}),
            Layer.mock(ConversationRepo, { exists: (_, id) => Effect.succeed(id === known) })
          )
        ),
        Layer.provide(Layer.mergeAll(Store, ParticipantsStub, NoLimits, Sender, NoOrganization, Settings))
      )
    ),
    Context.get(Messages)
  )
}

const toContacts = (...ids: ReadonlyArray<string>) =>
  Schema.decodeUnknownSync(SendRequest)({
    channel: "email",
    to: ids.map((contactId) => ({ contactId })),
    email: { subject: "Hello", html: "<p>Hello</p>" }
  })

describe("Messages.send", () => {
  it.scoped("looks up each contact once, ignoring the case of ids, with no repository in its requirements", () =>
    Effect.gen(function* () {
      const stored: Array<NewMessage> = []
      const messages = yield* makeMessages(stored)
      const send: Effect.Effect<unknown, unknown> = messages.send(caller, toContacts(ada, ada.toUpperCase()))
      assert.instanceOf(yield* Effect.flip(send), PaymentRequiredError)
      assert.deepStrictEqual(
        stored.map(({ recipients }) => recipients),
        [[address("ada@example.com")]]
      )
    })
  )

  it.scoped("puts marketing and the sends of a batch behind others", () =>
    Effect.gen(function* () {
      const stored: Array<NewMessage> = []
      const messages = yield* makeMessages(stored)
      const request = toContacts(ada)
      yield* Effect.flip(messages.send(caller, request))
      yield* Effect.flip(messages.send(caller, { ...request, categories: ["news", "marketing"] }))
      yield* Effect.flip(messages.send(caller, request, true))
      assert.deepStrictEqual(
        stored.map(({ isBulk }) => isBulk),
        [false, true, true]
      )
    })
  )

  it.scoped("rejects an unknown contact and a contact without an email address", () =>
    Effect.gen(function* () {
      const stored: Array<NewMessage> = []
      const messages = yield* makeMessages(stored)
      const notFound = yield* Effect.flip(messages.send(caller, toContacts(ada, unknown)))
      assert.deepInclude(notFound, { _tag: "ResourceNotFoundError", resource: "participant", id: unknown })
      const invalid = yield* Effect.flip(messages.send(caller, toContacts(withoutEmail)))
      assert.deepInclude(invalid, {
        _tag: "ValidationError",
        fields: { "to.0.contactId": ["is a contact without an email address"] }
      })
      assert.isEmpty(stored)
    })
  )

  it.scoped("rejects an unknown conversation", () =>
    Effect.gen(function* () {
      const stored: Array<NewMessage> = []
      const messages = yield* makeMessages(stored)
      const given = toContacts(ada)
      yield* Effect.flip(messages.send(caller, { ...given, conversationId: known }))
      assert.deepStrictEqual(
        stored.map(({ facts }) => facts.conversationId),
        [known]
      )
      const id = ConversationId.make(unknown)
      const notFound = yield* Effect.flip(messages.send(caller, { ...given, conversationId: id }))
      assert.deepInclude(notFound, { _tag: "ResourceNotFoundError", resource: "conversation", id })
      assert.lengthOf(stored, 1)
    })
  )
})

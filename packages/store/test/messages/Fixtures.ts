import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { MessageId } from "@switchboard/domain/messages/Message"
import { accepted } from "@switchboard/domain/messages/state/MessageLifecycle"
import { OrganizationId, OrganizationSummary, type Plan } from "@switchboard/domain/organizations/Organization"
import type { NewMessage } from "@switchboard/services/messages/MessageRepo"
import { newId } from "@switchboard/services/NewId"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { type DateTime, Duration, Effect, Schema } from "effect"
import { v4, v7 } from "uuid"

const address = Schema.decodeSync(EmailAddress)
const keyId = ApiKeyId.make(v7())

/** Creates an organization. */
export const makeOrganization = (plan: Plan = "unlimited") =>
  Effect.gen(function* () {
    const organizations = yield* OrganizationRepo
    const { id, now } = yield* newId(OrganizationId)
    yield* organizations.insert(
      new OrganizationSummary({
        id,
        name: "Ada's",
        slug: id,
        plan,
        defaultCurrency: "EUR",
        isActive: true,
        messagesUsedThisMonth: 0,
        createdAt: now
      }),
      { email: address("hello@localhost.test"), name: "Ada's", replyTo: null }
    )
    return id
  })

interface Overrides {
  readonly to?: ReadonlyArray<string>
  readonly key?: string
  readonly fingerprint?: string
  readonly contentHash?: string
  readonly window?: Duration.DurationInput
  readonly scheduledAt?: DateTime.Utc
  readonly isTest?: boolean
  readonly trackOpens?: boolean
  readonly trackClicks?: boolean
  readonly isBulk?: boolean
}

/** A message that is not stored yet, unique by default. */
export const newMessage = (organizationId: OrganizationId, overrides: Overrides = {}) =>
  Effect.map(newId(MessageId), ({ id, now }): NewMessage => {
    const recipients = (overrides.to ?? ["ada@example.com"]).map((one) => address(one))
    return {
      facts: {
        id,
        organizationId,
        conversationId: null,
        threadId: null,
        parentMessageId: null,
        participantMetadata: null,
        channel: "email",
        direction: "outbound",
        content: {
          subject: "Hello",
          html: "<p>Hello</p>",
          text: "Hello",
          from: "Us <us@localhost.test>",
          replyTo: [],
          attachments: []
        },
        scheduledAt: overrides.scheduledAt ?? null,
        cost: "0",
        currency: "EUR",
        maxRetries: 8,
        workflowRunId: null,
        queueMessageId: v4(),
        tags: ["a"],
        categories: [],
        isTest: overrides.isTest ?? false,
        isInternal: false,
        isAutomated: false,
        externalId: null,
        referenceId: null,
        apiKeyId: keyId,
        httpMethod: "POST",
        apiRequestMetadata: {
          method: "POST",
          endpoint: "/v1/messages",
          ipAddress: "127.0.0.1",
          userAgent: "",
          headers: {},
          query: {}
        },
        apiResponseMetadata: null,
        createdAt: now,
        createdBy: null
      },
      state: accepted(recipients, 8, overrides.scheduledAt !== undefined, now),
      addressing: { messageId: `<${id}@localhost.test>`, to: recipients, cc: [], bcc: [], headers: {}, tags: [] },
      sender: { name: "Us", address: address("us@localhost.test") },
      recipients,
      attachments: [],
      trackOpens: overrides.trackOpens ?? false,
      trackClicks: overrides.trackClicks ?? false,
      isBulk: overrides.isBulk ?? false,
      identity: {
        idempotencyKey:
          overrides.key === undefined
            ? null
            : {
                key: overrides.key,
                fingerprint: overrides.fingerprint ?? "same"
              },
        contentHash: overrides.contentHash ?? id,
        dedupeWindow: Duration.decode(overrides.window ?? "60 seconds")
      },
      traceParent: null
    }
  })

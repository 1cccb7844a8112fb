// Derived from the declaration of the API: do not edit, run `npm run openapi`.
import type { ApiError, BadRequestError, ConflictError, ExternalServiceError, ForbiddenError, InternalError, PayloadTooLargeError, PaymentRequiredError, RateLimitedError, ResourceNotFoundError, ServiceUnavailableError, UnauthorizedError, ValidationError } from "@switchboard/domain/Errors"
import type { FileContent } from "@switchboard/domain/messages/Attachment"
import type { DateTime } from "effect"
import type { Call } from "./operations/Call.js"
import type { CallError } from "./operations/CallError.js"
/** The operations of the API by group. */
export interface Operations {
  readonly messages: MessagesOperations
  readonly mailbox: MailboxOperations
  readonly organizations: OrganizationsOperations
  readonly sessions: SessionsOperations
  readonly apiKeys: ApiKeysOperations
  readonly webhookEndpoints: WebhookEndpointsOperations
  readonly blocks: BlocksOperations
  readonly domains: DomainsOperations
  readonly receiving: ReceivingOperations
  readonly catchAll: CatchAllOperations
  readonly forwarding: ForwardingOperations
  readonly senders: SendersOperations
  readonly senderConfirmations: SenderConfirmationsOperations
  readonly templates: TemplatesOperations
  readonly email: EmailOperations
  readonly threads: ThreadsOperations
  readonly emailRecords: EmailRecordsOperations
  readonly emailStats: EmailStatsOperations
  readonly conversations: ConversationsOperations
  readonly participants: ParticipantsOperations
  readonly voiceAgents: VoiceAgentsOperations
  readonly voiceWorkflows: VoiceWorkflowsOperations
  readonly voiceCalls: VoiceCallsOperations
  readonly knowledgeBases: KnowledgeBasesOperations
  readonly analytics: AnalyticsOperations
  readonly whatsappStats: WhatsappStatsOperations
  readonly serviceWindows: ServiceWindowsOperations
  readonly drafts: DraftsOperations
  readonly attachments: AttachmentsOperations
  readonly events: EventsOperations
  readonly system: SystemOperations
}
export interface MessagesOperations {
  /**
   * List messages.
   *
   * Messages of the organization, newest first. All filters that are given must match. `recipient`, `externalId`, `referenceId`, `tag` and `search` are extensions.
   *
   * Permission: `messages.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Channel of the messages. Default: all. */
      readonly channel?: Channel | undefined
      /** Status of the messages. Default: all. */
      readonly status?: MessageStatus | undefined
      /** Id of the conversation of the messages. Default: all. */
      readonly conversationId?: string | undefined
      /** Id of the author or of a recipient. Default: all. */
      readonly participantId?: string | undefined
      /** E-mail address or phone number of a recipient (to, cc or bcc), complete, case-insensitive. Default: all. An extension. */
      readonly recipient?: string | undefined
      /** `externalId` of the messages. Default: all. An extension. */
      readonly externalId?: string | undefined
      /** `referenceId` of the messages. Default: all. An extension. */
      readonly referenceId?: string | undefined
      /** A tag of the messages. Default: all. An extension. */
      readonly tag?: string | undefined
      /** Part of the subject, of a recipient (to, cc or bcc), of the author of received mail, of `externalId` or of `referenceId`, case-insensitive, at least 3 characters without blanks around them. Default: all. An extension. */
      readonly search?: string | undefined
      /** Start of the range, inclusive: ISO 8601 date-time with a time zone, or a date (the start of the day in the time zone of the organization). Default: none. */
      readonly startDate?: DateTime.Utc | string | undefined
      /** End of the range: ISO 8601 date-time with a time zone (inclusive), or a date (the end of the day in the time zone of the organization). An end before the start is a 400. Default: none. */
      readonly endDate?: DateTime.Utc | string | undefined
    }
  }, MessagePage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Send a message.
   *
   * Accepts a message for delivery. 201 means that it is stored and will be delivered at least once.
   *
   * - **Repeats:** the same idempotency key with the same request returns the first message, with `Idempotent-Replayed: true`. With another request: 409.
   * - **Templates:** with `templateId`, the template supplies the parts that are not given inline, from `templateData`. A missing required variable is 422 (`templateData.NAME`). The plain text of a template is used only with its HTML.
   * - **Blocks:** a recipient with a block on all mail, or on one of the `categories`, is skipped (delivery `suppressed`).
   * - **Marketing:** with the category `marketing`, each recipient gets a separate copy that names no other recipient. It has an unsubscribe link and a one-click unsubscribe header (RFC 8058) for the categories of the message except `transactional`.
   * - **Open tracking:** with `trackOpens`, each recipient gets a separate copy with a tracking image at the end of its HTML. The first recipient who opens it makes the message `read`.
   * - **Message-ID:** all copies of a message have the same `Message-ID`.
   * - **Conversations:** with `conversationId`, the message and its replies join that conversation, and so do their participants.
   * - **502:** a provider that must respond before the message is accepted failed. The message is not accepted.
   *
   * Permission: `messages.send`.
   */
  readonly send: Call<{
    readonly headers?: {
      /** Key that makes a repeated send return the first message, 1 to 255 characters in UTF-8. Stored for 30 days. Default: `idempotencyKey` of the body. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: SendRequest
  }, Message, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | ExternalServiceError | PayloadTooLargeError | PaymentRequiredError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Send up to 100 messages.
   *
   * Validates and accepts each send separately: a send that fails does not affect the others.
   *
   * - **Repeats:** the same `Idempotency-Key` with the same batch returns the messages of the first one, with `Idempotent-Replayed: true`. Sends that were not accepted are tried again. With another batch: 409.
   * - A send with an `idempotencyKey` of its own keeps it.
   *
   * Permission: `messages.send`.
   */
  readonly batch: Call<{
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: BatchRequest
  }, BatchResult, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ValidationError | CallError>
  /**
   * Retrieve a message.
   *
   * Returns the current status, the earlier statuses and the delivery to each recipient.
   *
   * Permission: `messages.read`.
   */
  readonly get: Call<{
    readonly path: {
      /** Id of the message. */
      readonly id: string
    }
  }, Message, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Delete a message record.
   *
   * Erases content and recipients. A message that is not sent yet is cancelled. Usage, events and the idempotency key stay.
   *
   * Permission: `messages.delete`.
   */
  readonly remove: Call<{
    readonly path: {
      /** Id of the message. */
      readonly id: string
    }
  }, Removed, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Retrieve the timeline of a message.
   *
   * Events of the message, oldest first.
   *
   * Permission: `messages.read`.
   */
  readonly timeline: Call<{
    readonly path: {
      /** Id of the message. */
      readonly id: string
    }
  }, MessageTimeline, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Cancel a scheduled message.
   *
   * Only a message with the status `scheduled` can be cancelled. Otherwise: 409.
   *
   * Permission: `messages.send`.
   */
  readonly cancel: Call<{
    readonly path: {
      /** Id of the message. */
      readonly id: string
    }
  }, Message, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | ConflictError | CallError>
  /**
   * Send a message again.
   *
   * Accepts a new message with the content, attachments, recipients and thread of an outbound message. It is sent at once.
   *
   * - The rules of `POST /messages` apply: sender, plan, rates, and blocks of recipients.
   * - Idempotency keys are shared with `POST /messages`. Without a key, a repeat within a minute (`DEDUPE_WINDOW`) returns the first new message, with `Idempotent-Replayed: true`.
   * - 409: the message was received, or its content was erased.
   *
   * Permission: `messages.send`.
   */
  readonly resend: Call<{
    readonly path: {
      /** Id of the message. */
      readonly id: string
    }
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload?: NoFields
  }, Message, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | ExternalServiceError | PayloadTooLargeError | PaymentRequiredError | ResourceNotFoundError | ValidationError | CallError>
}
export interface MailboxOperations {
  /**
   * List the local mailbox.
   *
   * Mails of the organization in the local mailbox, newest first.
   *
   * Permission: `messages.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Id of the message of the mails: one mail, or a copy for each recipient. Default: all. */
      readonly messageId?: string | undefined
    }
  }, MailboxPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Retrieve a mail of the local mailbox.
   *
   * Returns the mail as received.
   *
   * Permission: `messages.read`.
   */
  readonly get: Call<{
    readonly path: {
      /** Id of the mail in the local mailbox. */
      readonly id: string
    }
  }, MailboxMail, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Reply to a mail of the local mailbox.
   *
   * Simulates the recipient. The reply is sent over SMTP to the inbound server of this service:
   *
   * - It is addressed to `Reply-To` of the mail, or to its author.
   * - It has `In-Reply-To` and `References`, and quotes the mail below `text`.
   * - 201 means that the inbound server took it. The message appears in its thread and conversation shortly after.
   * - 409: the inbound server rejected the recipients. The message contains its reply.
   * - 503: the inbound server cannot be reached.
   *
   * Permission: `messages.send`.
   */
  readonly reply: Call<{
    readonly path: {
      /** Id of the mail in the local mailbox. */
      readonly id: string
    }
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: MailboxReply
  }, MailboxAnswer, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Simulate an event of a mail in the local mailbox.
   *
   * Simulates what happens to a delivered mail, for all recipients of its envelope:
   *
   * - `bounce`: a delivery status notification (RFC 3464, status 5.1.1) is sent over SMTP to the return path of the mail.
   * - `complaint`: a feedback report (RFC 5965) is sent over SMTP to the return path, one for each recipient. Without a return path of this service, the complaint is recorded directly.
   * - `read`: the tracking pixel in the HTML is loaded from `PUBLIC_URL`.
   *
   * The event changes the message shortly after the response, as for mail that left the service. A repeat changes nothing.
   *
   * - 409: the mail has no return path of this service (`bounce`), no `Feedback-ID` of the organization (`complaint`) or no tracking pixel (`read`), or the inbound server rejected the report.
   * - 503: the inbound server or `PUBLIC_URL` cannot be reached.
   *
   * Permission: `messages.send`.
   */
  readonly simulate: Call<{
    readonly path: {
      /** Id of the mail in the local mailbox. */
      readonly id: string
    }
    readonly payload: MailboxSimulation
  }, Simulated, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
}
export interface OrganizationsOperations {
  /**
   * Retrieve the current organization.
   *
   * Returns the organization of the key and its usage. The monthly counters start again at 0 at `messagesResetAt`.
   *
   * Permission: `organization.read`.
   */
  readonly get: Call<Record<never, never>, Organization, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Update the current organization.
   *
   * Changes the given fields.
   *
   * - `null` removes `logo`, `countryCode` and `billingEmail`, and empties `metadata`.
   * - `metadata` replaces the earlier object.
   * - A slug of another organization is 409.
   * - New messages use a new `defaultCurrency` within seconds.
   *
   * Permission: `organization.write`.
   */
  readonly update: Call<{
    readonly payload?: UpdateOrganization
  }, Organization, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
}
export interface SessionsOperations {
  /**
   * Log in.
   *
   * Sets the cookie `switchboard_session` (HttpOnly, SameSite=Strict, 12 hours). Every operation that takes an API key accepts the cookie instead, with the permissions of that key; so does the event stream.
   *
   * - `loginToken` is the token of a log-in link: `/console/#login=TOKEN`. It is valid once, within 15 minutes after the link was printed; otherwise: 401. The session has the permissions of the API key that the link was made for.
   * - The session ends at log-out, or within a second after its API key ends.
   * - Sessions are for pages of the same origin. Pages of other origins (`CORS_ORIGINS`) send the API key.
   */
  readonly create: Call<{
    readonly payload: CreateSession
  }, Session, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | PayloadTooLargeError | RateLimitedError | ValidationError | CallError>
  /**
   * Retrieve the session.
   *
   * Returns the organization and the permissions of the session's API key, and the `csrfToken` of the session.
   */
  readonly get: Call<Record<never, never>, SessionDetails, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Log out.
   *
   * Ends the session and clears the cookie.
   */
  readonly remove: Call<Record<never, never>, Removed, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
}
export interface ApiKeysOperations {
  /**
   * List API keys.
   *
   * API keys of the organization, newest first. The complete keys are not shown.
   *
   * Permission: `apiKeys.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Conditions as a JSON object. Fields: `isActive`, `search` (part of name, description or start). All must hold. Default: none. */
      readonly filters?: {
        /** Whether the key is active. */
        readonly isActive?: boolean | undefined
        /** Part of the name, the description or the start of the key. */
        readonly search?: string | undefined
      } | undefined
    }
  }, ApiKeyPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Create an API key.
   *
   * Creates a key with the given permissions, or with those of a role. Only this response has the complete key. A key cannot grant permissions that it lacks (403).
   *
   * Permission: `apiKeys.write`.
   */
  readonly create: Call<{
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: CreateApiKey
  }, ApiKey, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ValidationError | CallError>
  /**
   * Retrieve an API key.
   *
   * Returns the key without its secret part. `lastUsedAt` may lag by up to a minute.
   *
   * Permission: `apiKeys.read`.
   */
  readonly get: Call<{
    readonly path: {
      /** Id of the API key. */
      readonly id: string
    }
  }, ApiKey, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Update an API key.
   *
   * Changes the given fields. `null` removes the description or the expiry. The change applies within a second. A key with permissions that the caller lacks cannot be changed (403).
   *
   * Permission: `apiKeys.write`.
   */
  readonly update: Call<{
    readonly path: {
      /** Id of the API key. */
      readonly id: string
    }
    readonly payload?: UpdateApiKey
  }, ApiKey, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Delete an API key.
   *
   * The key is rejected within a second, permanently. A key can delete itself, but no key with permissions that it lacks (403).
   *
   * Permission: `apiKeys.write`.
   */
  readonly remove: Call<{
    readonly path: {
      /** Id of the API key. */
      readonly id: string
    }
  }, Removed, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Rotate an API key.
   *
   * Replaces the secret value of the key. Only this response has the new value.
   *
   * - The old value works for `gracePeriodSeconds` more, also after another rotation.
   * - At most 10 old values work. The one nearest its end is dropped first.
   * - A key with permissions that the caller lacks cannot be rotated (403).
   *
   * Permission: `apiKeys.write`.
   */
  readonly rotate: Call<{
    readonly path: {
      /** Id of the API key. */
      readonly id: string
    }
    readonly payload?: RotateApiKey
  }, ApiKey, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * List the requests of an API key.
   *
   * Requests of the last 30 days, newest first. They appear after one or two seconds.
   *
   * Permission: `apiKeys.read`.
   */
  readonly activity: Call<{
    readonly path: {
      /** Id of the API key. */
      readonly id: string
    }
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
    }
  }, ApiKeyActivityPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Retrieve the usage of an API key.
   *
   * Counts the requests of the last 30 days.
   *
   * Permission: `apiKeys.read`.
   */
  readonly stats: Call<{
    readonly path: {
      /** Id of the API key. */
      readonly id: string
    }
  }, ApiKeyStats, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
}
export interface WebhookEndpointsOperations {
  /**
   * List webhook endpoints.
   *
   * Webhook endpoints of the organization, newest first. Their secrets are not shown.
   *
   * Permission: `webhooks.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Conditions as a JSON object. Fields: `status`, `search` (part of name, description or URL). All must hold. Default: none. */
      readonly filters?: {
        /** Current status. */
        readonly status?: WebhookStatus | undefined
        /** Part of the name, the description or the URL. */
        readonly search?: string | undefined
      } | undefined
    }
  }, WebhookEndpointPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Create a webhook endpoint.
   *
   * Subscribes a URL to events. Requests are signed according to Standard Webhooks. Only this response has the secret, in `config` and `configuration`. The events are listed under `webhooks` of this document.
   *
   * Permission: `webhooks.write`.
   */
  readonly create: Call<{
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: CreateWebhookEndpoint
  }, WebhookEndpoint, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ValidationError | CallError>
  /**
   * Retrieve a webhook endpoint.
   *
   * Returns the endpoint. `metrics` has the results of its deliveries and attempts.
   *
   * Permission: `webhooks.read`.
   */
  readonly get: Call<{
    readonly path: {
      /** Id of the webhook endpoint. */
      readonly id: string
    }
  }, WebhookEndpoint, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Update a webhook endpoint.
   *
   * Changes the given fields. `filters`, `rateLimit` and `headers` are replaced completely. `null` resets a field that a creation may omit. A paused endpoint keeps its pending deliveries. They are sent when it becomes active again, also after it was disabled.
   *
   * Permission: `webhooks.write`.
   */
  readonly update: Call<{
    readonly path: {
      /** Id of the webhook endpoint. */
      readonly id: string
    }
    readonly payload?: UpdateWebhookEndpoint
  }, WebhookEndpoint, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Delete a webhook endpoint.
   *
   * Deletes the endpoint and its deliveries. Pending deliveries are not sent.
   *
   * Permission: `webhooks.write`.
   */
  readonly remove: Call<{
    readonly path: {
      /** Id of the webhook endpoint. */
      readonly id: string
    }
  }, Removed, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Regenerate the signing secret.
   *
   * Only this response has the new secret. Each replaced secret also signs for 24 hours after its replacement: at most 10, without the one nearest its end.
   *
   * Permission: `webhooks.write`.
   */
  readonly regenerateSecret: Call<{
    readonly path: {
      /** Id of the webhook endpoint. */
      readonly webhookId: string
    }
    readonly payload?: RegenerateSecret
  }, RegeneratedSecret, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * List the deliveries to a webhook endpoint.
   *
   * Deliveries of the last 30 days, newest first, with the requests and responses of their attempts.
   *
   * Permission: `webhooks.read`.
   */
  readonly logs: Call<{
    readonly path: {
      /** Id of the webhook endpoint. */
      readonly id: string
    }
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Conditions as a JSON object. Fields: `status`, `event`, `messageId` (events of this message, an extension). All must hold. Default: none. */
      readonly filters?: {
        /** Current status. */
        readonly status?: WebhookDeliveryStatus | undefined
        /** Type of the event. */
        readonly event?: EventType | undefined
        /** Id of the message. */
        readonly messageId?: string | undefined
      } | undefined
    }
  }, WebhookDeliveryPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Retrieve a delivery to a webhook endpoint.
   *
   * Returns the delivery with the requests and responses of its attempts.
   *
   * Permission: `webhooks.read`.
   */
  readonly delivery: Call<{
    readonly path: {
      /** Id of the webhook endpoint. */
      readonly id: string
      /** Id of the delivery. */
      readonly deliveryId: string
    }
  }, WebhookDelivery, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Retrieve the delivery statistics of a webhook endpoint.
   *
   * Counts deliveries and attempts since the endpoint was created, without tests. `successRate` is that of the attempts.
   *
   * Permission: `webhooks.read`.
   */
  readonly stats: Call<{
    readonly path: {
      /** Id of the webhook endpoint. */
      readonly id: string
    }
  }, WebhookStats, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Test a webhook endpoint.
   *
   * Posts one signed example event at once and returns the result, within 15 seconds. It has no effect on the status of the endpoint.
   *
   * Permission: `webhooks.write`.
   */
  readonly test: Call<{
    readonly path: {
      /** Id of the webhook endpoint. */
      readonly id: string
    }
    readonly payload?: TestWebhook
  }, WebhookDelivery, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Retry a delivery.
   *
   * Makes one attempt as soon as possible, for a delivery of any status. 409: the endpoint is not active, or the delivery is a test.
   *
   * Permission: `webhooks.write`.
   */
  readonly retry: Call<{
    readonly path: {
      /** Id of the webhook endpoint. */
      readonly id: string
      /** Id of the delivery. */
      readonly deliveryId: string
    }
  }, WebhookDelivery, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | ResourceNotFoundError | CallError>
  /**
   * Retry all failed deliveries of an endpoint.
   *
   * Delivers again, with the complete retry schedule:
   *
   * - deliveries that failed since `since` (at most 30 days ago), and
   * - events that occurred while the endpoint was disabled.
   *
   * Permission: `webhooks.write`.
   */
  readonly recover: Call<{
    readonly path: {
      /** Id of the webhook endpoint. */
      readonly id: string
    }
    readonly payload: RecoverWebhook
  }, RecoveredWebhook, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
}
export interface BlocksOperations {
  /**
   * List blocks.
   *
   * Blocked addresses and domains, newest first, including expired blocks.
   *
   * Permission: `email.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Conditions as a JSON object. Fields: `reason`, `search` (part of the address or domain). All must hold. Default: none. */
      readonly filters?: {
        /** Reason of the block. */
        readonly reason?: BlockReason | undefined
        /** Part of the address or the domain. */
        readonly search?: string | undefined
      } | undefined
    }
  }, BlockPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Block an address or a domain.
   *
   * Blocks all mail to an address or domain, or with `category` (an extension) mail of that category.
   *
   * - Accepted messages that are not sent yet are affected too.
   * - A blocked recipient is skipped (delivery `suppressed`); the other recipients get the message. Without other recipients the message becomes `failed`, with the code `recipient_blocked`.
   * - A block on a category applies to messages that have it among their `categories`.
   * - A block on a domain does not apply to its subdomains.
   * - 409: the address or domain already has a block on all mail, or on the same category. An expired block is replaced.
   *
   * Permission: `email.write`.
   */
  readonly create: Call<{
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload?: CreateBlock
  }, Block, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ValidationError | CallError>
  /**
   * Check whether an address is blocked.
   *
   * Returns the blocks that apply, blocks on the address before blocks on its domain. Without `category`: all blocks. With `category` (an extension): blocks on all mail or on that category.
   *
   * Permission: `email.read`.
   */
  readonly check: Call<{
    readonly urlParams: {
      /** E-mail address to check, in the form of a send: blanks around it are ignored. */
      readonly email: string
      /** Category, 1 to 100 characters. Default: mail of any category. An extension. */
      readonly category?: string | undefined
    }
  }, BlockCheck, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * List the log of blocks.
   *
   * Entries newest first. `blocked`: a recipient of a message was skipped. `added`, `updated`, `removed`: the block changed. The block itself may have been removed.
   *
   * Permission: `email.read`.
   */
  readonly logs: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
    }
  }, BlockLogPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Import blocks from a CSV file.
   *
   * Adds the blocks of a CSV file (RFC 4180).
   *
   * - The body is `text/csv` in UTF-8: CRLF or LF, with or without a byte order mark.
   * - At most 16 MiB and 100,000 lines.
   * - The first line has the column names, in any order: `email` or `domain`, and any of `reason`, `category` and `expiresAt`.
   * - Each line is validated separately, as the body of `POST /email/blocks`. An empty cell is a missing field.
   * - A line whose address or domain already has a block in the same scope counts as `existing`.
   * - The response describes the first 1,000 invalid lines.
   * - 422: the file has an unknown column, too many lines or an unclosed quote. Nothing is stored.
   * - After a 503, some lines may be stored. A repeat counts them as `existing`.
   * - An apostrophe before a cell that begins like a formula is removed, because exports add it.
   * - Every added block is an event.
   * - At most 2 imports per organization and process at the same time (429).
   *
   * Permission: `email.write`.
   */
  readonly import: Call<{
    readonly payload: string
  }, BlockImport, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | PayloadTooLargeError | ValidationError | CallError>
  /**
   * Export blocks as a CSV file.
   *
   * Streams every block in force, oldest first, with the columns of an import.
   *
   * - `POST /email/blocks/import` reads this file.
   * - An incomplete response ends without its last chunk.
   * - A cell that a spreadsheet would run as a formula gets a leading apostrophe.
   * - At most 5 exports per organization and process at the same time (429).
   *
   * Permission: `email.read`.
   */
  readonly export: Call<Record<never, never>, string, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Update a block.
   *
   * Changes the given fields. `null` resets a field that a creation may omit.
   *
   * Permission: `email.write`.
   */
  readonly update: Call<{
    readonly path: {
      /** Id of the block. */
      readonly id: string
    }
    readonly payload?: UpdateBlock
  }, Block, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Delete a block.
   *
   * Mail to the address or domain is sent again. Messages already skipped, and the log, stay as they are.
   *
   * Permission: `email.write`.
   */
  readonly remove: Call<{
    readonly path: {
      /** Id of the block. */
      readonly id: string
    }
  }, Removed, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
}
export interface DomainsOperations {
  /**
   * List domains.
   *
   * Domains of the organization, newest first.
   *
   * Permission: `domains.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Conditions as a JSON object. Fields: `status`, `search` (part of the name). All must hold. Default: none. */
      readonly filters?: {
        /** Current status. */
        readonly status?: EmailDomainStatus | undefined
        /** Part of the name. */
        readonly search?: string | undefined
      } | undefined
    }
  }, EmailDomainPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Add a domain.
   *
   * Adds a domain to send from. It is `pending` until its `dnsRecords` are published.
   *
   * - The records are checked every 5 minutes for an hour, hourly up to 72 hours, then daily.
   * - An organization has at most 50 unverified domains (409).
   * - The request counts as 10 requests of the rate limit.
   *
   * Permission: `domains.write`.
   */
  readonly create: Call<{
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: CreateEmailDomain
  }, EmailDomain, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ValidationError | CallError>
  /**
   * Verify a domain.
   *
   * Looks up the DNS records and stores the result. `success`: ownership, DKIM and return path were found. `records` compares the expected records with those found. 409: another organization has verified the domain. 502: the name servers failed; nothing is stored.
   *
   * Permission: `domains.write`.
   */
  readonly verify: Call<{
    readonly payload: NamedEmailDomain
  }, DomainVerified, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | ExternalServiceError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Check the DNS records of a domain.
   *
   * Looks up the DNS records and compares them with the expected ones. Nothing is stored.
   *
   * Permission: `domains.read`.
   */
  readonly checkVerification: Call<{
    readonly payload: NamedEmailDomain
  }, DomainReport, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ExternalServiceError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Detect the DNS provider of a domain.
   *
   * Returns the name servers of the domain or of its `zone`. `provider` and `guideUrl` are present if the provider is recognized.
   *
   * Permission: `domains.read`.
   */
  readonly detectRegistrar: Call<{
    readonly urlParams: {
      /** Name of the domain. */
      readonly domain: string
    }
  }, DetectedRegistrar, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ExternalServiceError | CallError>
  /**
   * Retrieve a domain.
   *
   * Returns the domain and the DNS records to publish. Private keys are never shown.
   *
   * Permission: `domains.read`.
   */
  readonly get: Call<{
    readonly path: {
      /** Id of the domain. */
      readonly id: string
    }
  }, EmailDomain, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Retrieve the status of a domain.
   *
   * Returns the stored status and the result of a DNS lookup.
   *
   * - Quotes, chunks and white space of TXT records are ignored. CNAME records are followed.
   * - `_dmarc` is optional; any valid policy is accepted.
   * - For a verified domain, the DKIM key that does not sign is optional.
   *
   * Permission: `domains.read`.
   */
  readonly status: Call<{
    readonly path: {
      /** Id of the domain. */
      readonly id: string
    }
  }, DomainReport, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ExternalServiceError | ResourceNotFoundError | CallError>
  /**
   * Delete a domain.
   *
   * Deletes the domain, its keys and its receiving addresses. 409: a sender, a forwarding rule (`match.recipient`) or an enabled catch-all uses it.
   *
   * Permission: `domains.write`.
   */
  readonly remove: Call<{
    readonly path: {
      /** Id of the domain. */
      readonly id: string
    }
  }, Removed, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | ResourceNotFoundError | CallError>
  /**
   * Rotate the DKIM keys of a domain.
   *
   * The other selector signs from now on, within seconds. A new key replaces the earlier one.
   *
   * - Publish the new key before the next rotation. Keep the old record for some days, for mail in transit.
   * - 409: the domain is verified and the key that would sign is not published. The message names the record.
   * - The request counts as 10 requests of the rate limit.
   *
   * Permission: `domains.write`.
   */
  readonly rotateDkim: Call<{
    readonly path: {
      /** Id of the domain. */
      readonly id: string
    }
  }, EmailDomain, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | ExternalServiceError | ResourceNotFoundError | CallError>
}
export interface ReceivingOperations {
  /**
   * Enable receiving for a domain.
   *
   * Sets the addresses of a verified domain that receive mail.
   *
   * - The request replaces the earlier settings: omitted addresses are rejected, and without `catchAll` the catch-all is off. Its configuration stays.
   * - Signed reply addresses always receive mail.
   * - `dnsRecords` of the domain then include its MX record.
   * - 409: the domain is not verified.
   *
   * Permission: `domains.write`.
   */
  readonly enable: Call<{
    readonly payload: EnableReceiving
  }, ReceivingEnabled, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
}
export interface CatchAllOperations {
  /**
   * Enable the catch-all of a domain.
   *
   * Receives mail to every address of the domain except `exclude`.
   *
   * - The mail is also forwarded to `forwardTo`, unless a forwarding rule matches. Without `forwardTo` in the request, the earlier addresses stay.
   * - 409: the domain does not receive mail (enable receiving first), or the catch-all would receive the mail that it forwards.
   *
   * Permission: `email.write`.
   */
  readonly enable: Call<{
    readonly payload: SwitchCatchAll
  }, CatchAllConfig, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Disable the catch-all of a domain.
   *
   * Mail to unknown addresses of the domain is rejected. The configuration stays.
   *
   * Permission: `email.write`.
   */
  readonly disable: Call<{
    readonly payload: SwitchCatchAll
  }, CatchAllConfig, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Retrieve the catch-all of a domain.
   *
   * Returns the configuration. Without one, the catch-all is off.
   *
   * Permission: `email.read`.
   */
  readonly config: Call<{
    readonly urlParams: {
      /** Name of the domain. */
      readonly domain: string
    }
  }, CatchAllConfig, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Update the catch-all of a domain.
   *
   * Changes the given fields. Lists replace the earlier ones; `null` empties them.
   *
   * Permission: `email.write`.
   */
  readonly update: Call<{
    readonly payload: UpdateCatchAll
  }, CatchAllConfig, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Retrieve the statistics of a catch-all.
   *
   * Counts received and forwarded mail, and recipients rejected by `exclude`. Counts appear after some seconds. `last24Hours` and `last30Days` count full hours (UTC).
   *
   * Permission: `email.read`.
   */
  readonly stats: Call<{
    readonly urlParams: {
      /** Name of the domain. */
      readonly domain: string
    }
  }, CatchAllStats, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
}
export interface ForwardingOperations {
  /**
   * List forwarding rules.
   *
   * Forwarding rules of the organization, newest first.
   *
   * Permission: `email.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Conditions as a JSON object. Fields: `search` (part of the name). All must hold. Default: none. */
      readonly filters?: {
        /** Part of the name. */
        readonly search?: string | undefined
      } | undefined
    }
  }, ForwardingRulePage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Create a forwarding rule.
   *
   * Forwards mail for a receiving address, or for an address of a catch-all, to `forwardTo`.
   *
   * - **Order:** for each recipient the rules are tried by `priority`, lowest number first, then oldest first. The first match applies.
   * - **Match:** all conditions of `match` must hold. Upper and lower case are equal.
   * - **Copy:** with `keepCopy` the mail is also received. A reply to a message is always received.
   * - **Rewriting:** with `rewriteFrom`, mail whose sender has the DMARC policy `quarantine` or `reject`, or a policy that cannot be looked up, gets the receiving address as `From`, with the sender's name. It is signed with DKIM, without an ARC seal. `Reply-To` becomes the original author unless the mail has one; `X-Original-From` keeps the author.
   * - **Other mail** is forwarded unchanged, with an ARC seal.
   * - **Loops:** mail that the rule already forwarded, or that was forwarded three times, is not forwarded (`loop_blocked`).
   * - **Blocks:** a blocked address gets no mail. If no address could be reached, the mail is received even without `keepCopy`.
   * - 409: the rule would receive the mail that it forwards.
   *
   * Permission: `email.write`.
   */
  readonly create: Call<{
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: CreateForwardingRule
  }, ForwardingRule, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ValidationError | CallError>
  /**
   * Update a forwarding rule.
   *
   * Changes the given fields. `match` and `forwardTo` replace the earlier values. `null` resets a field that a creation may omit. Mail in transit keeps its addresses, and uses the current `rewriteFrom`.
   *
   * Permission: `email.write`.
   */
  readonly update: Call<{
    readonly path: {
      /** Id of the forwarding rule. */
      readonly id: string
    }
    readonly payload?: UpdateForwardingRule
  }, ForwardingRule, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Delete a forwarding rule.
   *
   * The log stays. Mail in transit is still forwarded, without a rewritten `From`.
   *
   * Permission: `email.write`.
   */
  readonly remove: Call<{
    readonly path: {
      /** Id of the forwarding rule. */
      readonly id: string
    }
  }, Removed, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * List the forwarding log.
   *
   * One entry for each mail and address, newest first, once the result is known:
   *
   * - `forwarded`: the relay took it.
   * - `failed`: it was rejected, attempted for twelve hours, or returned later, or the address is blocked.
   * - `loop_blocked`: the same rule had forwarded it before, or it was forwarded too often.
   *
   * Entries of a catch-all have no `ruleId`.
   *
   * Permission: `email.read`.
   */
  readonly log: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
    }
  }, ForwardingLogPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
}
export interface SendersOperations {
  /**
   * List senders.
   *
   * Senders of the organization, newest first. `verificationToken` is shown only with the permission `domains.write`. `reputation` is 100 less 10 per percent of bounces and 100 per percent of complaints, over the messages since the start of the day (UTC) 30 days ago.
   *
   * Permission: `domains.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Conditions as a JSON object. Fields: `verificationStatus`, `domainId`, `isActive`, `search` (part of address or name). All must hold. Default: none. */
      readonly filters?: {
        /** State of the verification. */
        readonly verificationStatus?: SenderVerification | undefined
        /** a string matching the pattern ^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|00000000-0000-0000-0000-000000000000)$ */
        readonly domainId?: string | undefined
        /** Whether the sender is active. */
        readonly isActive?: boolean | undefined
        /** Part of the address or the name. */
        readonly search?: string | undefined
      } | undefined
    }
  }, EmailSenderPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Add a sender.
   *
   * Adds an address to send from.
   *
   * - On a verified domain it is `verified` at once.
   * - On another domain of the organization it is `pending`. A confirmation link is sent to the address; it works once, for 48 hours. After 48 hours the sender is `failed`. Verification of the domain also verifies the sender.
   * - The sender is also `failed` while its verified domain is `failed`.
   * - Adding a `failed` sender again sends a new link and replaces its fields. It keeps its id; earlier links no longer work.
   * - The confirmation mail is sent from the default sender. 409: there is none.
   * - With `isDefault` it becomes the default sender once it is verified.
   * - 409: the address is a verified sender, or its link is still valid.
   * - 402: the plan's limit is reached.
   *
   * Permission: `domains.write`.
   */
  readonly create: Call<{
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: CreateEmailSender
  }, EmailSender, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | PaymentRequiredError | ValidationError | CallError>
  /**
   * Check the verification of a sender.
   *
   * Returns the verification status of the sender.
   *
   * Permission: `domains.read`.
   */
  readonly verification: Call<{
    readonly path: {
      /** Id of the sender. */
      readonly id: string
    }
  }, SenderStanding, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Delete a sender.
   *
   * Without a default sender, sends must name `from`. Addresses of a verified domain can be used without being senders.
   *
   * Permission: `domains.write`.
   */
  readonly remove: Call<{
    readonly path: {
      /** Id of the sender. */
      readonly id: string
    }
  }, Removed, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
}
export interface SenderConfirmationsOperations {
  /**
   * Show the confirmation page of a sender.
   *
   * Page of the link in a confirmation mail. It has a button that confirms. The request changes nothing, because mail scanners follow links.
   */
  readonly look: Call<{
    readonly urlParams: {
      /** Token of the link. */
      readonly token: string
    }
  }, string, BadRequestError | InternalError | ServiceUnavailableError | CallError>
  /**
   * Confirm a sender.
   *
   * Confirms the sender, once, within 48 hours. The request body is ignored.
   */
  readonly confirm: Call<{
    readonly urlParams: {
      /** Token of the link. */
      readonly token: string
    }
  }, string, BadRequestError | InternalError | ServiceUnavailableError | CallError>
}
export interface TemplatesOperations {
  /**
   * List templates.
   *
   * Templates of the organization, newest first.
   *
   * Permission: `templates.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Conditions as a JSON object. Fields: `search` (part of the name). All must hold. Default: none. */
      readonly filters?: {
        /** Part of the name. */
        readonly search?: string | undefined
      } | undefined
    }
  }, TemplatePage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Create a template.
   *
   * Stores a template of at most 256 KiB. 409: another template has this name. Parts are written in Mustache:
   *
   * - `{{x}}`: value, escaped in `html`, plain in `subject` and `text`. `{{{x}}}` and `{{&x}}`: never escaped.
   * - `{{#x}}…{{/x}}`: section. `{{^x}}…{{/x}}`: inverted section. `{{.}}`: current item of a section.
   * - `{{order.id}}`: path.
   * - Strings, numbers and booleans are inserted; lists and objects are not.
   * - Partials, functions and other delimiters are not supported (422, with the position).
   *
   * The response lists the `variables` of the parts. Variables outside sections are required, unless the request gives them a fallback (`variables`, an extension). The fallback replaces missing and null values, also in sections.
   *
   * Permission: `templates.write`.
   */
  readonly create: Call<{
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: CreateTemplate
  }, Template, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ValidationError | CallError>
  /**
   * Retrieve a template.
   *
   * Returns the current version of the template.
   *
   * Permission: `templates.read`.
   */
  readonly get: Call<{
    readonly path: {
      /** Id of the template. */
      readonly id: string
    }
  }, Template, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * List the versions of a template.
   *
   * Versions of the template, newest first. The first item is the current version. Versions are never deleted. `content.templateVersion` of a message refers to a version.
   *
   * Permission: `templates.read`.
   */
  readonly versions: Call<{
    readonly path: {
      /** Id of the template. */
      readonly id: string
    }
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
    }
  }, TemplateVersionPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Update a template.
   *
   * Changes the given fields and creates a new version. `null` resets a field that a creation may omit. Fallbacks of remaining variables stay, unless `variables` replaces all of them. Accepted messages keep their content.
   *
   * Permission: `templates.write`.
   */
  readonly update: Call<{
    readonly path: {
      /** Id of the template. */
      readonly id: string
    }
    readonly payload?: UpdateTemplate
  }, Template, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Delete a template.
   *
   * The template can no longer be used, and its name is free. Accepted messages keep their content.
   *
   * Permission: `templates.write`.
   */
  readonly remove: Call<{
    readonly path: {
      /** Id of the template. */
      readonly id: string
    }
  }, Removed, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Render a template.
   *
   * Returns the parts that a send with this data would have. Nothing is sent.
   *
   * - `subject`, `html`, `text` and `variables` are changes as in an update: they are rendered, not stored.
   * - Missing values are rendered as empty text. Missing required variables are listed in `missing`; a send would be rejected for them.
   * - A result larger than 1 MiB is rejected (422), as by a send.
   * - Line breaks in the data of the subject become spaces.
   *
   * Permission: `templates.read`.
   */
  readonly render: Call<{
    readonly path: {
      /** Id of the template. */
      readonly id: string
    }
    readonly payload?: RenderTemplate
  }, RenderedTemplate, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Show the HTML of a template.
   *
   * Returns the HTML that a send with this data would have, as a page for a frame of the same origin.
   *
   * - As in `GET /v1/email/{id}/html`, hostile content is harmless: no scripts, forms or requests.
   * - Use example data: proxies may log the URL.
   * - A result larger than 1 MiB is rejected (422).
   *
   * Permission: `templates.read`.
   */
  readonly html: Call<{
    readonly path: {
      /** Id of the template. */
      readonly id: string
    }
    readonly urlParams?: {
      /** Data of the template as a JSON object. Default: `{}`. Example data only: proxies may log it. */
      readonly data?: {
        readonly [key: string]: unknown
      } | undefined
    }
  }, string, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | ValidationError | CallError>
}
export interface EmailOperations {
  /**
   * Send an e-mail.
   *
   * Sends from the organization's default sender, or from `from` (an extension), as `POST /messages` does.
   *
   * - Both operations share their idempotency keys: the same send by either operation is one message, with `Idempotent-Replayed: true`.
   * - At most 20 attachments, 25 MiB in total, each in base64. The HTML refers to an attachment with a `contentId` as `cid:` and this id.
   * - With `inReplyToMessageId` the e-mail joins the thread of that message (`In-Reply-To`, `References`).
   *
   * Permission: `messages.send`.
   */
  readonly send: Call<{
    readonly headers?: {
      /** Key that makes a repeated send return the first message, 1 to 255 characters in UTF-8. Stored for 30 days. Default: `idempotencyKey` of the body. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: EmailSendRequest
  }, {
    /** Id of the resource (UUID version 7). */
    readonly id: string
    /** Current status. */
    readonly status: MessageStatus
  }, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | ExternalServiceError | PayloadTooLargeError | PaymentRequiredError | ResourceNotFoundError | ValidationError | CallError>
}
export interface ThreadsOperations {
  /**
   * Count threads.
   *
   * Counts the threads of the organization by status, and the threads that began in the last 7 and 30 days.
   *
   * Permission: `email.read`.
   */
  readonly counts: Call<Record<never, never>, ThreadCounts, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * List threads.
   *
   * Threads of the organization, newest first. A thread begins with a received mail that is no reply, or when a second message joins a first: by a received reply, or by a send with `inReplyToMessageId`.
   *
   * Permission: `email.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Conditions as a JSON object. Fields: `status`, `participantId`, `search` (part of the subject). All must hold. Default: none. */
      readonly filters?: {
        /** Current status. */
        readonly status?: ThreadStatus | undefined
        /** Id of the participant. */
        readonly participantId?: string | undefined
        /** Part of the subject. */
        readonly search?: string | undefined
      } | undefined
    }
  }, ThreadPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Retrieve the thread of a message.
   *
   * 404: the message has no replies and is no reply.
   *
   * Permission: `email.read`.
   */
  readonly getByMessage: Call<{
    readonly path: {
      /** Id of the message. */
      readonly messageId: string
    }
  }, Thread, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Retrieve a thread.
   *
   * 404: the thread does not exist, or all its messages were deleted.
   *
   * Permission: `email.read`.
   */
  readonly get: Call<{
    readonly path: {
      /** Id of the thread. */
      readonly id: string
    }
  }, Thread, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Retrieve the metadata of a thread.
   *
   * Returns participants and the number of messages and of unread messages.
   *
   * Permission: `email.read`.
   */
  readonly metadata: Call<{
    readonly path: {
      /** Id of the thread. */
      readonly id: string
    }
  }, ThreadMetadata, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * List the messages of a thread.
   *
   * Sent and received messages, oldest first.
   *
   * Permission: `email.read`.
   */
  readonly messages: Call<{
    readonly path: {
      /** Id of the thread. */
      readonly id: string
    }
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
    }
  }, ThreadMessagePage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Mark a thread as read.
   *
   * Marks all messages received so far as read.
   *
   * Permission: `email.write`.
   */
  readonly markRead: Call<{
    readonly path: {
      /** Id of the thread. */
      readonly id: string
    }
  }, Thread, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
}
export interface EmailRecordsOperations {
  /**
   * Retrieve an e-mail.
   *
   * Returns the e-mail of a sent or received message.
   *
   * - Received mail has the results of SPF, DKIM and DMARC.
   * - The HTML of received mail is not sanitized. It refers to inline files as `cid:`.
   * - Each attachment has a download link that needs no key, valid for 15 minutes. Repeat the request for a new link.
   *
   * Permission: `email.read`.
   */
  readonly get: Call<{
    readonly path: {
      /** Id of the message. */
      readonly id: string
    }
  }, EmailRecord, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Retrieve an e-mail as a mail file.
   *
   * Returns the header and the body of the e-mail (RFC 5322).
   *
   * - **Received mail** is returned octet for octet, in any character set. 404 after they were erased (`RETENTION_INBOUND_RAW`).
   * - **Outbound mail** is composed from the stored message as for its delivery, with the same `Message-ID`, `Date` and content. It has no `DKIM-Signature`. `Reply-To` and `List-Unsubscribe` follow the present state of the domain. 404 after its content was erased.
   * - **Separate copies:** with the category `marketing` or open tracking, it is the copy of the first recipient, with the working links of that copy.
   * - The link in the confirmation mail of a sender is shown without its signature.
   *
   * Permission: `email.read`.
   */
  readonly raw: Call<{
    readonly path: {
      /** Id of the message. */
      readonly id: string
    }
  }, Uint8Array, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Show the HTML of an e-mail.
   *
   * Returns the HTML part as a page for a frame of the same origin. Hostile content is harmless in it:
   *
   * - `Content-Security-Policy` has `sandbox`: no scripts, forms or plug-ins. Nothing is loaded, neither images nor styles nor fonts.
   * - Links do nothing. SVG and frames are not shown.
   * - Inline images (`cid:`) are in the page as `data:` URLs, up to 25 MiB over all references.
   * - 404: the e-mail has no HTML part.
   * - 502: the object store with the inline images failed.
   *
   * Permission: `email.read`.
   */
  readonly html: Call<{
    readonly path: {
      /** Id of the message. */
      readonly id: string
    }
  }, string, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ExternalServiceError | ResourceNotFoundError | CallError>
}
export interface EmailStatsOperations {
  /**
   * Count e-mails.
   *
   * Counts messages by status. A message that is rejected at once counts as bounced, not as sent.
   *
   * - A status counts at the time when a message reached it, whenever the message was accepted.
   * - A message that was read counts as sent, as delivered and as read.
   * - Test messages are counted. Deleted messages stay counted.
   *
   * Permission: `email.read`.
   */
  readonly get: Call<{
    readonly urlParams?: {
      /** Start of the range, inclusive: ISO 8601 date-time with a time zone, or a date (the start of the day in the time zone of the organization). Default: 30 days before `endDate`. */
      readonly startDate?: DateTime.Utc | string | undefined
      /** End of the range: ISO 8601 date-time with a time zone (exclusive), or a date (the end of the day in the time zone of the organization). An end before the start is a 400. Default: now. A range has at most 366 days. */
      readonly endDate?: DateTime.Utc | string | undefined
    }
  }, EmailStats, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
}
export interface ConversationsOperations {
  /**
   * List conversations.
   *
   * Conversations of the organization, newest first. `GET /messages?conversationId=` lists the messages of one.
   *
   * Permission: `conversations.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Conditions as a JSON object. Fields: `status`, `channel`, `priority`, `participantId`, `tag`, `search` (part of title or description). All must hold. Default: none. */
      readonly filters?: {
        /** Current status. */
        readonly status?: ConversationStatus | undefined
        /** Channel of the message. */
        readonly channel?: "sms" | "whatsapp" | "email" | "voice" | undefined
        /** Priority, 0 to 4. 2 is normal. */
        readonly priority?: number | undefined
        /** Id of the participant. */
        readonly participantId?: string | undefined
        /** A tag of the conversation. */
        readonly tag?: string | undefined
        /** Part of the title or the description. */
        readonly search?: string | undefined
      } | undefined
    }
  }, ConversationPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Create a conversation.
   *
   * Messages sent with its id as `conversationId`, and their replies, join it. 404: a participant or the parent conversation does not exist.
   *
   * Permission: `conversations.write`.
   */
  readonly create: Call<{
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: CreateConversation
  }, Conversation, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Retrieve a conversation.
   *
   * `participantTracking` has the participants, `metrics` the number of messages and the response time.
   *
   * Permission: `conversations.read`.
   */
  readonly get: Call<{
    readonly path: {
      /** Id of the conversation. */
      readonly id: string
    }
  }, Conversation, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Update a conversation.
   *
   * Changes the given fields. `null` resets a field that a creation may omit.
   *
   * - Any status can follow any other. A new status removes `statusReason`.
   * - `resolved` sets `resolvedAt`, `resolvedBy` (the key) and `resolutionType` (default: `manual`). They stay when the conversation is archived. They are removed when it becomes active again: by an update, or by a reply that a person wrote.
   * - 422: `parentConversationId` would create a cycle.
   *
   * Permission: `conversations.write`.
   */
  readonly update: Call<{
    readonly path: {
      /** Id of the conversation. */
      readonly id: string
    }
    readonly payload?: UpdateConversation
  }, Conversation, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Add participants to a conversation.
   *
   * Existing participants stay. 404: one of the participants does not exist; no participant is added. Authors and recipients of messages join automatically.
   *
   * Permission: `conversations.write`.
   */
  readonly addParticipants: Call<{
    readonly path: {
      /** Id of the conversation. */
      readonly id: string
    }
    readonly payload: AddParticipants
  }, Conversation, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Remove participants from a conversation.
   *
   * Their messages stay. 404: one of the participants does not exist; no participant is removed. Ids of other participants are ignored.
   *
   * Permission: `conversations.write`.
   */
  readonly removeParticipants: Call<{
    readonly path: {
      /** Id of the conversation. */
      readonly id: string
    }
    readonly payload: RemoveParticipants
  }, Conversation, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
}
export interface ParticipantsOperations {
  /**
   * List participants.
   *
   * Authors and recipients of the organization's messages, and contacts that were created, newest first.
   *
   * Permission: `participants.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Conditions as a JSON object. Fields: `type`, `search` (part of a name or address). All must hold. Default: none. */
      readonly filters?: {
        /** Type of the participant. */
        readonly type?: "contact" | "sender" | "agent" | undefined
        /** Part of a name or an address. */
        readonly search?: string | undefined
      } | undefined
    }
  }, ParticipantPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Create a contact.
   *
   * An address belongs to one participant. Messages to and from it belong to that participant; upper and lower case are equal.
   *
   * - If earlier mail created a contact for the address, that contact is updated. It keeps its id and messages.
   * - 409: another participant has the address. The message names it.
   * - Phone numbers and WhatsApp ids are stored as `+` and digits (E.164).
   *
   * Permission: `participants.write`.
   */
  readonly create: Call<{
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: CreateParticipant
  }, Participant, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ValidationError | CallError>
  /**
   * Retrieve a participant.
   *
   * Returns the participant and its addresses.
   *
   * Permission: `participants.read`.
   */
  readonly get: Call<{
    readonly path: {
      /** Id of the participant. */
      readonly id: string
    }
  }, Participant, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Update a participant.
   *
   * Changes the given fields. `null` resets a field that a creation may omit. An address replaces all earlier ones of its kind. 409: another participant has the address; the message names it. Earlier messages keep their participant.
   *
   * Permission: `participants.write`.
   */
  readonly update: Call<{
    readonly path: {
      /** Id of the participant. */
      readonly id: string
    }
    readonly payload?: UpdateParticipant
  }, Participant, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Delete a participant.
   *
   * 409: a message or a conversation refers to the participant. After the deletion, the next message to one of its addresses creates a new contact.
   *
   * Permission: `participants.write`.
   */
  readonly remove: Call<{
    readonly path: {
      /** Id of the participant. */
      readonly id: string
    }
  }, Removed, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | ResourceNotFoundError | CallError>
}
export interface VoiceAgentsOperations {
  /**
   * List voice agents.
   *
   * Voice agents of the organization, newest first. Values of webhook headers are shown only with the permission `voice.write`.
   *
   * Permission: `voice.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Conditions as a JSON object. Fields: `isActive`, `transport`, `search` (part of name or description). All must hold. Default: none. */
      readonly filters?: {
        /** Whether the agent is active. */
        readonly isActive?: boolean | undefined
        /** Transport of the calls. */
        readonly transport?: VoiceTransport | undefined
        /** Part of the name or the description. */
        readonly search?: string | undefined
      } | undefined
    }
  }, VoiceAgentPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Create a voice agent.
   *
   * Without a linked and published workflow, an agent only greets.
   *
   * - Events of its calls are posted to the URL of `webhookConfig`, signed according to Standard Webhooks.
   * - Only this response has the secret, in `webhookConfig`.
   * - The URL must have a public host, as that of a webhook endpoint.
   *
   * Permission: `voice.write`.
   */
  readonly create: Call<{
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: CreateVoiceAgent
  }, VoiceAgent, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ValidationError | CallError>
  /**
   * Retrieve a voice agent.
   *
   * Returns the agent. `workflowId` is the linked workflow.
   *
   * Permission: `voice.read`.
   */
  readonly get: Call<{
    readonly path: {
      /** Id of the voice agent. */
      readonly id: string
    }
  }, VoiceAgent, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Update a voice agent.
   *
   * Changes the given fields. `null` resets a field that a creation may omit. `webhookConfig` is replaced completely, including its headers, and keeps its secret. A first `webhookConfig`, or a new one after a removal, gets a new secret, which only this response has.
   *
   * Permission: `voice.write`.
   */
  readonly update: Call<{
    readonly path: {
      /** Id of the voice agent. */
      readonly id: string
    }
    readonly payload?: UpdateVoiceAgent
  }, VoiceAgent, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Delete a voice agent.
   *
   * Its workflow stays, without an agent.
   *
   * Permission: `voice.write`.
   */
  readonly remove: Call<{
    readonly path: {
      /** Id of the voice agent. */
      readonly id: string
    }
  }, Removed, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Duplicate a voice agent.
   *
   * Copies all fields, including the webhook with its headers and secret, but not the workflow.
   *
   * Permission: `voice.write`.
   */
  readonly duplicate: Call<{
    readonly path: {
      /** Id of the voice agent. */
      readonly id: string
    }
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload?: DuplicateVoiceAgent
  }, VoiceAgent, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
}
export interface VoiceWorkflowsOperations {
  /**
   * List voice workflows.
   *
   * Voice workflows of the organization with their graphs, newest first.
   *
   * Permission: `voice.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Conditions as a JSON object. Fields: `isEnabled`, `voiceAgentId`, `search` (part of name or description). All must hold. Default: none. */
      readonly filters?: {
        /** Whether the workflow is enabled. */
        readonly isEnabled?: boolean | undefined
        /** Id of the voice agent. */
        readonly voiceAgentId?: string | undefined
        /** Part of the name or the description. */
        readonly search?: string | undefined
      } | undefined
    }
  }, VoiceWorkflowPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Create a voice workflow.
   *
   * Stores a draft graph. Calls follow it once it is published, linked with their agent and enabled.
   *
   * - A call begins at the node `trigger.callStarted` and follows the edges. After its end it continues at `trigger.callEnded`.
   * - The node type defines the fields of `data.config`. Other fields are stored.
   * - A menu uses the edge whose `sourceHandle` is the id of the selected item, a condition the edge `true` or `false`. The edge without `sourceHandle` is used for any other outcome.
   * - Any other node has at most one outgoing edge. Without one, the call ends.
   * - At most 500 nodes, 1000 edges and 256 KiB.
   *
   * A graph is rejected (422) if it has:
   *
   * - an edge of a missing node, or a repeated id,
   * - no trigger, or two triggers of a type,
   * - an unknown `sourceHandle`, or two edges for the same outcome,
   * - a loop without `action.listen`, `action.menu` or `logic.delay`.
   *
   * Unreachable nodes are allowed.
   *
   * Permission: `voice.write`.
   */
  readonly create: Call<{
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: CreateVoiceWorkflow
  }, VoiceWorkflow, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ValidationError | CallError>
  /**
   * Retrieve a voice workflow.
   *
   * `nodes` and `edges` are the draft graph. Calls follow `publishedNodes` and `publishedEdges`.
   *
   * Permission: `voice.read`.
   */
  readonly get: Call<{
    readonly path: {
      /** Id of the voice workflow. */
      readonly id: string
    }
  }, VoiceWorkflow, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Update a voice workflow.
   *
   * Changes the given fields of the draft. `nodes` and `edges` are replaced completely. `null` resets a field that a creation may omit. The graph is validated as by create. Calls follow the published graph.
   *
   * Permission: `voice.write`.
   */
  readonly update: Call<{
    readonly path: {
      /** Id of the voice workflow. */
      readonly id: string
    }
    readonly payload?: UpdateVoiceWorkflow
  }, VoiceWorkflow, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Delete a voice workflow.
   *
   * Its agent stays, and only greets.
   *
   * Permission: `voice.write`.
   */
  readonly remove: Call<{
    readonly path: {
      /** Id of the voice workflow. */
      readonly id: string
    }
  }, Removed, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Publish a voice workflow.
   *
   * New calls follow the draft graph. `version` is incremented, even without changes.
   *
   * Permission: `voice.write`.
   */
  readonly publish: Call<{
    readonly path: {
      /** Id of the voice workflow. */
      readonly id: string
    }
    readonly payload?: NoFields
  }, VoiceWorkflow, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Link a voice workflow with an agent.
   *
   * A workflow has one agent, and an agent one workflow. Earlier links of both are removed.
   *
   * Permission: `voice.write`.
   */
  readonly link: Call<{
    readonly path: {
      /** Id of the voice workflow. */
      readonly workflowId: string
      /** Id of the voice agent. */
      readonly agentId: string
    }
    readonly payload?: NoFields
  }, VoiceWorkflow, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
}
export interface VoiceCallsOperations {
  /**
   * List voice calls.
   *
   * Voice calls of the organization, newest first.
   *
   * Permission: `voice.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Conditions as a JSON object. Fields: `status`, `direction`, `voiceAgentId`. All must hold. Default: none. */
      readonly filters?: {
        /** Current status. */
        readonly status?: VoiceCallStatus | undefined
        /** `outbound`: sent by the organization. `inbound`: received. */
        readonly direction?: "inbound" | "outbound" | undefined
        /** Id of the voice agent. */
        readonly voiceAgentId?: string | undefined
      } | undefined
    }
  }, VoiceCallPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Place a voice call.
   *
   * Calls a number with an agent and its published workflow. Without a published and enabled workflow, the agent only greets. 409: the agent is not active.
   *
   * The status is `queued`, `ringing`, `in_progress`, then `completed`; otherwise `busy`, `no_answer`, `failed` or `cancelled`. A call is free of charge.
   *
   * Without a configured carrier, the *sandbox carrier* simulates the call (`metadata.customFields.carrier`):
   *
   * - No telephone rings. Numbers that end in 0001 are busy, in 0002 do not answer, in 0003 fail.
   * - Speech takes 2.5 words per second. Simulated time runs faster than the clock, by `metadata.customFields.speed`. `durationSeconds`, transcript and recording use simulated time.
   * - The simulated person replies to each listening or menu node with the next text of `sandbox.answers`, then with `sandboxReply` of the node, then with the first menu item or a standard sentence. An empty text is silence.
   * - `ai.respond` responds that no language model is available.
   * - Nodes that send messages really send them, if the key has the permission `messages.send`. HTTP requests are really made, to public hosts. If one fails, the call continues and the transcript has the error.
   * - A call has at most 1000 steps, 50 messages and requests, and one hour.
   *
   * Permission: `voice.write`.
   */
  readonly place: Call<{
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: PlaceVoiceCall
  }, VoiceCall, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Retrieve a voice call.
   *
   * After the call, it has download links of the transcript (text) and the recording (WAV, 8 kHz, 16 bits, mono), valid for 15 minutes.
   *
   * Permission: `voice.read`.
   */
  readonly get: Call<{
    readonly path: {
      /** Id of the voice call. */
      readonly id: string
    }
  }, VoiceCall, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Retrieve the transcript of a voice call.
   *
   * The transcript exists after the call, if anything was said.
   *
   * Permission: `voice.read`.
   */
  readonly transcript: Call<{
    readonly path: {
      /** Id of the voice call. */
      readonly id: string
    }
  }, CallTranscript, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Hang up a voice call.
   *
   * A call that is not answered yet becomes `cancelled`. A call in progress becomes `completed`. 409: the call is over.
   *
   * Permission: `voice.write`.
   */
  readonly hangUp: Call<{
    readonly path: {
      /** Id of the voice call. */
      readonly id: string
    }
    readonly payload?: NoFields
  }, CallCommandAccepted, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Start the recording of a voice call.
   *
   * Recording starts automatically when the call is answered. This operation continues a stopped recording; the pause is omitted. 409: the call is not in progress, or is already recorded.
   *
   * Permission: `voice.write`.
   */
  readonly startRecording: Call<{
    readonly path: {
      /** Id of the voice call. */
      readonly id: string
    }
    readonly payload?: NoFields
  }, CallCommandAccepted, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Stop the recording of a voice call.
   *
   * Stops the recording. The recorded part is available after the call. 409: the call is not in progress, or is not recorded.
   *
   * Permission: `voice.write`.
   */
  readonly stopRecording: Call<{
    readonly path: {
      /** Id of the voice call. */
      readonly id: string
    }
    readonly payload?: NoFields
  }, CallCommandAccepted, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
}
export interface KnowledgeBasesOperations {
  /**
   * List knowledge bases.
   *
   * Knowledge bases of the organization, newest first.
   *
   * Permission: `voice.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Conditions as a JSON object. Fields: `search` (part of name or description). All must hold. Default: none. */
      readonly filters?: {
        /** Part of the name or the description. */
        readonly search?: string | undefined
      } | undefined
    }
  }, KnowledgeBasePage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Create a knowledge base.
   *
   * Creates a knowledge base without documents.
   *
   * Permission: `voice.write`.
   */
  readonly create: Call<{
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: CreateKnowledgeBase
  }, KnowledgeBase, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ValidationError | CallError>
  /**
   * Retrieve a knowledge base.
   *
   * `documentCount` counts the documents with the status `ready`.
   *
   * Permission: `voice.read`.
   */
  readonly get: Call<{
    readonly path: {
      /** Id of the knowledge base. */
      readonly id: string
    }
  }, KnowledgeBase, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Delete a knowledge base.
   *
   * Deletes the knowledge base and its documents, also in the object store. Upload links no longer work.
   *
   * Permission: `voice.write`.
   */
  readonly remove: Call<{
    readonly path: {
      /** Id of the knowledge base. */
      readonly id: string
    }
  }, Removed, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * List the documents of a knowledge base.
   *
   * Documents, newest first. `pending_upload`: not uploaded yet. `ready`: uploaded. `failed`: not uploaded in time, or not as requested.
   *
   * Permission: `voice.read`.
   */
  readonly documents: Call<{
    readonly path: {
      /** Id of the knowledge base. */
      readonly id: string
    }
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
    }
  }, KnowledgeDocumentPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Create an upload link for a document.
   *
   * Creates a document with the status `pending_upload`, and a URL for its upload.
   *
   * - The URL accepts one `PUT` within 15 minutes, with exactly this `Content-Type` and `Content-Length`. It needs no key.
   * - `filename` has no folders, control characters or bidirectional formatting characters (422). It is never used as a path.
   * - A repeated request with the same idempotency key returns the same document while its link is open. After that: 409.
   * - With an S3 object store, the URL is a presigned URL of that store. The document becomes `ready` once it is found there.
   *
   * Permission: `voice.write`.
   */
  readonly requestUpload: Call<{
    readonly path: {
      /** Id of the knowledge base. */
      readonly knowledgeBaseId: string
    }
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: RequestUpload
  }, {
    /** a URL that accepts one PUT of the requested length and type within 15 minutes, without a key */
    readonly uploadUrl: string
    /** a uuid */
    readonly documentId: string
    /** a string matching the pattern ^[0-9a-f-]{36}(?:\/[0-9A-Za-z-]{1,64}){2,4}$ */
    readonly storageKey: string
  }, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
}
export interface AnalyticsOperations {
  /**
   * Retrieve message statistics.
   *
   * Totals over all channels.
   *
   * - A status counts at the time when a message reached it, whenever the message was accepted.
   * - A message that was read counts as sent, as delivered and as read.
   * - Test messages are counted. Deleted messages stay counted.
   *
   * Permission: `analytics.read`.
   */
  readonly stats: Call<{
    readonly urlParams?: {
      /** Start of the range, inclusive: ISO 8601 date-time with a time zone, or a date (the start of the day in the time zone of the organization). Default: 30 days before `endDate`. */
      readonly startDate?: DateTime.Utc | string | undefined
      /** End of the range: ISO 8601 date-time with a time zone (exclusive), or a date (the end of the day in the time zone of the organization). An end before the start is a 400. Default: now. A range has at most 366 days. */
      readonly endDate?: DateTime.Utc | string | undefined
    }
  }, AnalyticsStats, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Retrieve message statistics by channel.
   *
   * Numbers and cost of messages, for every channel.
   *
   * - A status counts at the time when a message reached it, whenever the message was accepted.
   * - A message that was read counts as sent, as delivered and as read.
   * - Test messages are counted. Deleted messages stay counted.
   *
   * Permission: `analytics.read`.
   */
  readonly channelStats: Call<{
    readonly urlParams?: {
      /** Start of the range, inclusive: ISO 8601 date-time with a time zone, or a date (the start of the day in the time zone of the organization). Default: 30 days before `endDate`. */
      readonly startDate?: DateTime.Utc | string | undefined
      /** End of the range: ISO 8601 date-time with a time zone (exclusive), or a date (the end of the day in the time zone of the organization). An end before the start is a 400. Default: now. A range has at most 366 days. */
      readonly endDate?: DateTime.Utc | string | undefined
    }
  }, ReadonlyArray<ChannelStats>, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Retrieve delivery metrics over time.
   *
   * Periods of the range in the organization's time zone, oldest first. The time until a scheduled message is due is part of its latency.
   *
   * - A status counts at the time when a message reached it, whenever the message was accepted.
   * - A message that was read counts as sent, as delivered and as read.
   * - Test messages are counted. Deleted messages stay counted.
   *
   * Permission: `analytics.read`.
   */
  readonly deliveryMetrics: Call<{
    readonly urlParams?: {
      /** Start of the range, inclusive: ISO 8601 date-time with a time zone, or a date (the start of the day in the time zone of the organization). Default: 30 days before `endDate`. */
      readonly startDate?: DateTime.Utc | string | undefined
      /** End of the range: ISO 8601 date-time with a time zone (exclusive), or a date (the end of the day in the time zone of the organization). An end before the start is a 400. Default: now. A range has at most 366 days. */
      readonly endDate?: DateTime.Utc | string | undefined
      /** Length of a period: `hour` or `day`. Default: `hour` for a range of at most two days, otherwise `day`. */
      readonly granularity?: Granularity | undefined
    }
  }, DeliveryMetrics, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Count messages by hour of the day.
   *
   * 24 hours in the organization's time zone.
   *
   * - A status counts at the time when a message reached it, whenever the message was accepted.
   * - A message that was read counts as sent, as delivered and as read.
   * - Test messages are counted. Deleted messages stay counted.
   *
   * Permission: `analytics.read`.
   */
  readonly hourlyDistribution: Call<{
    readonly urlParams?: {
      /** Start of the range, inclusive: ISO 8601 date-time with a time zone, or a date (the start of the day in the time zone of the organization). Default: 30 days before `endDate`. */
      readonly startDate?: DateTime.Utc | string | undefined
      /** End of the range: ISO 8601 date-time with a time zone (exclusive), or a date (the end of the day in the time zone of the organization). An end before the start is a 400. Default: now. A range has at most 366 days. */
      readonly endDate?: DateTime.Utc | string | undefined
    }
  }, ReadonlyArray<HourOfDay>, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * List the most active participants.
   *
   * The ten participants with the most sent and received messages of the range, highest number first.
   *
   * - The organization's senders and deleted messages are not counted.
   * - In an organization with some 100,000 participants whose numbers are about the same, one that is in no month of the range among the 256 most active can be left out.
   *
   * Permission: `analytics.read`.
   */
  readonly topParticipants: Call<{
    readonly urlParams?: {
      /** Start of the range, inclusive: ISO 8601 date-time with a time zone, or a date (the start of the day in the time zone of the organization). Default: 30 days before `endDate`. */
      readonly startDate?: DateTime.Utc | string | undefined
      /** End of the range: ISO 8601 date-time with a time zone (exclusive), or a date (the end of the day in the time zone of the organization). An end before the start is a 400. Default: now. A range has at most 366 days. */
      readonly endDate?: DateTime.Utc | string | undefined
    }
  }, ReadonlyArray<TopParticipant>, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Count recipients by country and region.
   *
   * Recipients of the messages accepted in the range, by country and region of the participant, or by country of its phone number. Highest number first; `unknown` without either.
   *
   * - Deleted messages are not counted.
   * - All messages to a participant count at its present place: a change of the place takes effect within seconds.
   *
   * Permission: `analytics.read`.
   */
  readonly geographicDistribution: Call<{
    readonly urlParams?: {
      /** Start of the range, inclusive: ISO 8601 date-time with a time zone, or a date (the start of the day in the time zone of the organization). Default: 30 days before `endDate`. */
      readonly startDate?: DateTime.Utc | string | undefined
      /** End of the range: ISO 8601 date-time with a time zone (exclusive), or a date (the end of the day in the time zone of the organization). An end before the start is a 400. Default: now. A range has at most 366 days. */
      readonly endDate?: DateTime.Utc | string | undefined
    }
  }, ReadonlyArray<GeographicEntry>, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Count failures by reason.
   *
   * Recipients that bounced or failed, of the messages accepted in the range that ended as bounced or failed, by reason. Highest number first.
   *
   * - Cancelled and deleted messages are not counted, nor are refused recipients of a message that others have.
   *
   * Permission: `analytics.read`.
   */
  readonly failures: Call<{
    readonly urlParams?: {
      /** Start of the range, inclusive: ISO 8601 date-time with a time zone, or a date (the start of the day in the time zone of the organization). Default: 30 days before `endDate`. */
      readonly startDate?: DateTime.Utc | string | undefined
      /** End of the range: ISO 8601 date-time with a time zone (exclusive), or a date (the end of the day in the time zone of the organization). An end before the start is a 400. Default: now. A range has at most 366 days. */
      readonly endDate?: DateTime.Utc | string | undefined
    }
  }, ReadonlyArray<FailureShare>, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Export messages or events.
   *
   * Streams all messages accepted in a range, or all events of it, oldest first, by id.
   *
   * - **Messages** are exported as `GET /messages/{id}` returns them, without `html` and `text`.
   * - **Events** are exported as webhooks post them, without events of deleted messages.
   * - **CSV** (RFC 4180) begins with a line of column names.
   * - **Columns of messages:** `id`, `createdAt`, `channel`, `direction`, `status`, `from`, `to`, `cc`, `bcc`, `subject`, `attachments`, `templateId`, `conversationId`, `threadId`, `parentMessageId`, `externalId`, `referenceId`, `tags`, `categories`, `isTest`, `isInternal`, `isAutomated`, `scheduledAt`, `sentAt`, `deliveredAt`, `readAt`, `failedAt`, `lastError`, `deliveryAttempts`, `retryCount`, `cost`, `currency`, `provider`, `providerMessageId`, `apiKeyId`, `updatedAt`. Lists are separated by commas.
   * - **Columns of events:** `id`, `type`, `timestamp`, `organizationId`, `data`. `data` is JSON.
   * - New columns are appended. A cell that a spreadsheet would run as a formula gets a leading apostrophe.
   * - An incomplete response ends without its last chunk. Messages accepted during the export may be missing.
   * - At most 5 exports per organization and process at the same time (429).
   *
   * Permission: `analytics.read`.
   */
  readonly export: Call<{
    readonly urlParams?: {
      /** Exported resource: `messages` or `events`. Default: `messages`. */
      readonly type?: "messages" | "events" | undefined
      /** Format: `json` (one array), `ndjson` (one object per line) or `csv`. Default: `json`. */
      readonly format?: "csv" | "json" | "ndjson" | undefined
      /** Start of the range, inclusive: ISO 8601 date-time with a time zone, or a date (the start of the day in the time zone of the organization). Default: 30 days before `endDate`. */
      readonly startDate?: DateTime.Utc | string | undefined
      /** End of the range: ISO 8601 date-time with a time zone (exclusive), or a date (the end of the day in the time zone of the organization). An end before the start is a 400. Default: now. A range has at most 366 days. */
      readonly endDate?: DateTime.Utc | string | undefined
    }
  }, ReadonlyArray<ExportedMessage> | ReadonlyArray<ExportedEvent>, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
}
export interface WhatsappStatsOperations {
  /**
   * Count WhatsApp messages.
   *
   * Counts messages by status.
   *
   * - A status counts at the time when a message reached it, whenever the message was accepted.
   * - A message that was read counts as sent, as delivered and as read.
   * - Test messages are counted. Deleted messages stay counted.
   *
   * Permission: `whatsapp.read`.
   */
  readonly get: Call<{
    readonly urlParams?: {
      /** Start of the range, inclusive: ISO 8601 date-time with a time zone, or a date (the start of the day in the time zone of the organization). Default: 30 days before `endDate`. */
      readonly startDate?: DateTime.Utc | string | undefined
      /** End of the range: ISO 8601 date-time with a time zone (exclusive), or a date (the end of the day in the time zone of the organization). An end before the start is a 400. Default: now. A range has at most 366 days. */
      readonly endDate?: DateTime.Utc | string | undefined
    }
  }, WhatsAppStats, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
}
export interface ServiceWindowsOperations {
  /**
   * List service windows.
   *
   * WhatsApp service windows of the organization, newest first, including expired ones.
   *
   * Permission: `whatsapp.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Conditions as a JSON object. Fields: `participantId`. All must hold. Default: none. */
      readonly filters?: {
        /** Id of the participant. */
        readonly participantId?: string | undefined
      } | undefined
    }
  }, ServiceWindowPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Open or renew a service window.
   *
   * Opens the window of a participant for 24 hours, or renews it. A received WhatsApp message does the same. A participant has one window, which keeps its id.
   *
   * Permission: `whatsapp.write`.
   */
  readonly open: Call<{
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: OpenServiceWindow
  }, {
    /** Id of the window. */
    readonly serviceWindowId: string
    /** Whether the window is active. */
    readonly isServiceWindowActive: boolean
    /** Whether the free entry point is active. */
    readonly isFreeEntryPointActive: boolean
    /** Time when the window ends (UTC), 24 hours after its opening or the last received message. */
    readonly serviceWindowExpiresAt: DateTime.Utc
    /** Time when the free entry point ends (UTC), 72 hours after its activation. */
    readonly freeEntryPointExpiresAt?: DateTime.Utc | undefined
    /** Id of the participant of the window. An extension. */
    readonly participantId: string
  }, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Retrieve a service window.
   *
   * Returns the service window.
   *
   * Permission: `whatsapp.read`.
   */
  readonly get: Call<{
    readonly path: {
      /** Id of the service window. */
      readonly id: string
    }
  }, ParticipantServiceWindow, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Activate the free entry point of a window.
   *
   * Activates the free entry point for 72 hours, for a participant who came from an advertisement or a page. 409: the service window is not active. An active free entry point stays unchanged.
   *
   * Permission: `whatsapp.write`.
   */
  readonly activate: Call<{
    readonly payload: ActivateFreeEntryPoint
  }, ServiceWindow, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
}
export interface DraftsOperations {
  /**
   * List drafts.
   *
   * Drafts of the organization, newest first, including sent ones.
   *
   * Permission: `drafts.read`.
   */
  readonly list: Call<{
    readonly urlParams?: {
      /** Number of the page, from 1. Default: 1. */
      readonly page?: number | undefined
      /** Items per page, 1 to 100. Default: 20. */
      readonly limit?: number | undefined
      /** Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension. */
      readonly after?: Cursor | undefined
      /** Conditions as a JSON object. Fields: `channel`, `search` (part of title, subject or recipients). All must hold. Default: none. */
      readonly filters?: {
        /** Channel of the message. */
        readonly channel?: Channel | undefined
        /** Part of the title, the subject or the recipients. */
        readonly search?: string | undefined
      } | undefined
    }
  }, DraftPage, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
  /**
   * Create a draft.
   *
   * Stores an unfinished message of any channel. Fields required by a send can be missing, and addresses can be incomplete.
   *
   * - 404: a participant, template or attachment does not exist.
   * - `content.body` is plain text, for an e-mail without `html`.
   * - `content.ast` is the content in the format of an editor. It is stored and never sent.
   *
   * Permission: `drafts.write`.
   */
  readonly create: Call<{
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: CreateDraft
  }, Draft, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Retrieve a draft.
   *
   * Returns the draft. `sentMessageId` (an extension) is the message that it was sent as.
   *
   * Permission: `drafts.read`.
   */
  readonly get: Call<{
    readonly path: {
      /** Id of the draft. */
      readonly id: string
    }
  }, Draft, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
  /**
   * Update a draft.
   *
   * Changes the given fields. `recipients` and `content` are replaced completely; `null` removes the title. 409: the draft is sent, or being sent.
   *
   * Permission: `drafts.write`.
   */
  readonly update: Call<{
    readonly path: {
      /** Id of the draft. */
      readonly id: string
    }
    readonly payload?: UpdateDraft
  }, Draft, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | PayloadTooLargeError | ResourceNotFoundError | ValidationError | CallError>
  /**
   * Delete a draft.
   *
   * Deletes the draft, sent or not. The sent message stays. 409: the draft is being sent.
   *
   * Permission: `drafts.write`.
   */
  readonly remove: Call<{
    readonly path: {
      /** Id of the draft. */
      readonly id: string
    }
  }, Removed, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | ResourceNotFoundError | CallError>
  /**
   * Send a draft.
   *
   * Sends the draft once, from the organization's default sender, as `POST /messages` does.
   *
   * - Accepting the message closes the draft. Another send is 409, also at the same time; the error names the message. After a lost response, send again with the same `Idempotency-Key`, or read `sentMessageId` of the draft.
   * - A recipient gets the e-mail at `email`, or at the address of its participant.
   * - The e-mail has `html`, otherwise HTML made from `body` or from `text`. `templateId`, otherwise `templateName`, names a template; `variables` supplies its data. Empty texts count as missing.
   * - 422 names the fields of the draft, for example `recipients.0.email`. Only the channel `email` can be sent today. A rejected draft stays unchanged.
   *
   * Permission: `messages.send`.
   */
  readonly send: Call<{
    readonly path: {
      /** Id of the draft. */
      readonly id: string
    }
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload?: NoFields
  }, Message, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | ExternalServiceError | PayloadTooLargeError | PaymentRequiredError | ResourceNotFoundError | ValidationError | CallError>
}
export interface AttachmentsOperations {
  /**
   * Upload an attachment for drafts.
   *
   * Stores a file of at most 25 MiB, given in base64. Drafts refer to it in `attachmentIds`. A file that no draft refers to for 7 days is deleted, including the files of deleted and sent drafts. A sent message has its own copies.
   *
   * Permission: `drafts.write`.
   */
  readonly upload: Call<{
    readonly headers?: {
      /** Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension. */
      readonly "idempotency-key"?: string | undefined
    }
    readonly payload: UploadAttachment
  }, UploadedAttachment, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ConflictError | ExternalServiceError | PayloadTooLargeError | ValidationError | CallError>
  /**
   * Retrieve an attachment of drafts.
   *
   * Returns the name, type and size of an uploaded file, without its content.
   *
   * Permission: `drafts.read`.
   */
  readonly get: Call<{
    readonly path: {
      /** Id of the attachment. */
      readonly id: string
    }
  }, UploadedAttachment, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | ResourceNotFoundError | CallError>
}
export interface EventsOperations {
  /**
   * Stream events.
   *
   * Server-sent events of the organization, in order and without gaps. `id` is the id of the event, `event` its type, `data` the JSON that webhooks post.
   *
   * - The stream starts now, or after the event of `Last-Event-ID`.
   * - A comment is sent every 15 seconds.
   * - The stream ends when the process stops, or the API key or the session ends. Reconnect with the last `id`.
   * - At most 20 streams per organization and process (429).
   *
   * Permission: `webhooks.read`.
   */
  readonly stream: Call<{
    readonly headers?: {
      /** Id of the last event received: the stream continues after it. All zeros: the oldest stored event. Default: now. */
      readonly "last-event-id"?: string | undefined
    }
    readonly urlParams?: {
      /** Id of the last event received, for clients that cannot set headers. The header `Last-Event-ID` takes precedence. Default: now. */
      readonly lastEventId?: string | undefined
      /** Event types, groups such as `message.*`, or `*`, separated by commas. Default: `*`. */
      readonly types?: ReadonlyArray<Subscription> | undefined
    }
  }, string, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
}
export interface SystemOperations {
  /**
   * Retrieve the state of the installation.
   *
   * Returns the release, the queues of all organizations, the relays, and the findings of `switchboard doctor`.
   *
   * - Only the first API key and keys of `switchboard keys create --system` have the permission `system.read`. `*` does not include it.
   * - The checks are made at most once a minute in each process. The first request waits for them.
   * - Each process has its own circuit breakers: `relays` is the state in the process that responds.
   *
   * Permission: `system.read`.
   */
  readonly status: Call<Record<never, never>, SystemStatus, BadRequestError | InternalError | ServiceUnavailableError | UnauthorizedError | ForbiddenError | RateLimitedError | CallError>
}
/** The events that this version of the client defines, discriminated by `type`. */
export type KnownEvent = MessageCreatedEvent | MessagePendingEvent | MessageScheduledEvent | MessageQueuedEvent | MessageProcessingEvent | MessageSentEvent | MessageDeliveredEvent | MessageReadEvent | MessageFailedEvent | MessageBouncedEvent | MessageComplainedEvent | MessageReceivedEvent | MessageDeletedEvent | EmailDomainCreatedEvent | EmailDomainVerifiedEvent | EmailDomainDegradedEvent | EmailDomainFailedEvent | EmailDomainDeletedEvent | EmailSenderCreatedEvent | EmailSenderVerifiedEvent | EmailSenderDeletedEvent | EmailBlockCreatedEvent | EmailBlockDeletedEvent | ConversationCreatedEvent | ConversationUpdatedEvent | ConversationResolvedEvent | ConversationReopenedEvent | ConversationParticipantAddedEvent | ConversationParticipantRemovedEvent | ApiKeyCreatedEvent | ApiKeyRotatedEvent | ApiKeyDeletedEvent | CallStartedEvent | CallAnsweredEvent | CallEndedEvent | CallFailedEvent | RecordingReadyEvent | TranscriptReadyEvent | WebhookEndpointTestEvent | WebhookEndpointDisabledEvent | OrganizationUpdatedEvent | OrganizationUsageExceededEvent
export interface ActivateFreeEntryPoint {
  /** Id of the service window. */
  readonly serviceWindowId: string
  /** Origin of the participant, for example an advertisement. */
  readonly source: EntryPointSource
}
export interface AddParticipants {
  /** Id of the conversation. It must equal the path parameter. */
  readonly id: string
  /** Ids of participants. Repeated ids count once. */
  readonly participantIds: ReadonlyArray<string>
}
export interface AnalyticsStats {
  /** Number of messages accepted or received. */
  readonly totalMessages: number
  /** Number of messages accepted for delivery. */
  readonly outbound: number
  /** Number of messages received. */
  readonly inbound: number
  /** Number of conversations with a message in the range. */
  readonly activeConversations: number
  /** Mean time from a received message to the next sent one of its conversation, in seconds. 0 without data. */
  readonly averageResponseSeconds: number
  /** Delivered messages divided by messages sent or rejected. Rates are 0 to 1, and 0 without data. */
  readonly deliveryRate: number
  /** Failed messages divided by messages sent, rejected or failed. Rates are 0 to 1, and 0 without data. */
  readonly failureRate: number
}
export interface ApiKey {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Name shown to people, at most 200 characters. */
  readonly name: string
  /** First 12 characters and `…`. The complete key is only in the responses of create and rotate. */
  readonly key: string
  /** First 12 characters of the key. */
  readonly start: string
  /** Free text, at most 1000 characters. */
  readonly description?: string | undefined
  /** Id of the organization. */
  readonly organizationId?: string | undefined
  /** Role that the permissions come from. */
  readonly roleName?: "admin" | "sender" | "viewer" | undefined
  /** Granted actions by resource. `*`: all. */
  readonly permissions: {
    readonly [key: string]: ReadonlyArray<string>
  }
  /** Whether the key is accepted. */
  readonly isActive: boolean
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Time when the key expires (UTC). Absent: never. */
  readonly expiresAt?: DateTime.Utc | undefined
  /** Time of the last use (UTC). It may lag by up to a minute. */
  readonly lastUsedAt?: DateTime.Utc | undefined
}
export interface ApiKeyActivity {
  /** HTTP method. */
  readonly method: string
  /** Path of the request. */
  readonly path: string
  /** HTTP status of the response. */
  readonly status: number
  /** Time to respond, in milliseconds. */
  readonly latencyMs: number
  /** Address of the client. */
  readonly ipAddress: string
  /** Time of the request (UTC). */
  readonly at: DateTime.Utc
}
export interface ApiKeyActivityPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<ApiKeyActivity>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
/** `api_key.created`: An API key was created. The event does not contain it. */
export interface ApiKeyCreatedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "api_key.created"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: ApiKey
}
/** `api_key.deleted`: An API key was deleted. */
export interface ApiKeyDeletedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "api_key.deleted"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: ApiKey
}
export interface ApiKeyPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<ApiKey>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
/** `api_key.rotated`: An API key got a new value. The event does not contain it. */
export interface ApiKeyRotatedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "api_key.rotated"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: ApiKey
}
export interface ApiKeyStats {
  /** Number of requests in the last 30 days. */
  readonly totalRequests: number
  /** Number of requests in the last 24 hours. */
  readonly requestsLast24Hours: number
  /** Share of requests with a status of 400 or above, 0 to 1. 0 without requests. */
  readonly errorRate: number
  /** Number of requests by HTTP status. */
  readonly byStatus: {
    readonly [key: string]: number
  }
  /** Number of requests by operation, for example `GET /v1/messages/:id`. */
  readonly byEndpoint: {
    readonly [key: string]: number
  }
  /** Time of the last use (UTC). It may lag by up to a minute. */
  readonly lastUsedAt?: DateTime.Utc | undefined
}
export interface ApiRequestMetadata {
  /** HTTP method. */
  readonly method: string
  /** Path of the operation. */
  readonly endpoint: string
  /** Address of the client. */
  readonly ipAddress: string
  /** Header `User-Agent`. */
  readonly userAgent: string
  /** Request headers, without keys and cookies. */
  readonly headers: {
    readonly [key: string]: string
  }
  /** Query parameters. */
  readonly query: {
    readonly [key: string]: string
  }
}
export interface ApiResponseMetadata {
  /** HTTP status. */
  readonly statusCode: number
  /** Response headers. */
  readonly headers: {
    readonly [key: string]: string
  }
  /** Response body. */
  readonly body: unknown
  /** Time to respond, in milliseconds. */
  readonly latency: number
}
export interface Attachment {
  /** Name of the file, without folders. */
  readonly filename: string
  /** Content in base64. */
  readonly content: string | FileContent
  /** Media type, with parameters if any. `text/calendar` with a `method` is sent as an invitation (RFC 6047). Default: derived from the extension of `filename`. */
  readonly contentType?: string | undefined
  /** Id by which the HTML refers to the file, as `cid:` and this id. */
  readonly contentId?: string | undefined
}
export interface AttachmentInfo {
  /** Name of the file, without folders. */
  readonly filename: string
  /** Media type of the file. */
  readonly contentType: string
  /** Size in bytes. */
  readonly size: number
}
export interface BatchRequest {
  /** 1 to 100 sends. Each is validated separately. */
  readonly messages: ReadonlyArray<SendRequest>
}
export interface BatchResult {
  /** One result for each send, in the order of the request. */
  readonly results: ReadonlyArray<{
    /** HTTP status that a separate request for this send would have. */
    readonly status: number
    /** Accepted message. */
    readonly message?: Message | undefined
    /** Error of this send. */
    readonly error?: ApiError | undefined
  }>
}
export interface Block {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** `email`: one address. `domain`: all addresses of one domain, without subdomains. */
  readonly type: "email" | "domain"
  /** Address or domain that is blocked. */
  readonly value: string
  /** `all`: no mail is sent. `category`: no mail of `category` is sent. */
  readonly scope: BlockScope
  /** Category that is blocked, if `scope` is `category`. */
  readonly category?: string | undefined
  /** Reason of the block. */
  readonly reason: BlockReason
  /** Origin: `system` (bounce or complaint), `api` (request), `recipient` (unsubscribe link). */
  readonly source: "system" | "api" | "recipient"
  /** Id of the message that caused the block. */
  readonly sourceMessageId?: string | undefined
  /** Number of recipients that were skipped because of the block. */
  readonly hitCount: number
  /** Time when a recipient was last skipped (UTC). */
  readonly lastHitAt?: DateTime.Utc | undefined
  /** Time when the block ends (UTC). Absent: never. */
  readonly expiresAt?: DateTime.Utc | undefined
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
}
export type BlockAction = "blocked" | "added" | "removed" | "updated"
export interface BlockCheck {
  /** Whether mail to the address is blocked. */
  readonly blocked: boolean
  /** First of `blocks`. */
  readonly block?: Block | undefined
  /** Blocks in force: of the address before its domain, on all mail before categories. */
  readonly blocks: ReadonlyArray<Block>
}
export interface BlockImport {
  /** Number of blocks that were added. */
  readonly added: number
  /** Number of lines whose address or domain already had a block in the same scope. */
  readonly existing: number
  /** Number of invalid lines. */
  readonly refused: number
  /** First 1000 invalid lines. */
  readonly refusedLines: ReadonlyArray<RefusedBlockLine>
}
export interface BlockLog {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the block. The block may have been removed. */
  readonly blockId: string
  /** Recipient that was skipped, or address or domain of the block. */
  readonly email: string
  /** Category of the block. */
  readonly category?: string | undefined
  /** Id of the message. */
  readonly messageId?: string | undefined
  /** `blocked`: a recipient was skipped. `added`, `updated`, `removed`: the block changed. */
  readonly action: BlockAction
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
}
export interface BlockLogPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<BlockLog>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export interface BlockPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<Block>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export type BlockReason = "hard_bounce" | "complaint" | "unsubscribe" | "manual"
/** `all`: no mail is sent; `category`: no mail of the block's category is sent */
export type BlockScope = "all" | "category"
/** `call.answered`: A call was answered. */
export interface CallAnsweredEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "call.answered"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: VoiceCall
}
export interface CallCommandAccepted {
  /** `true` if the operation took effect. */
  readonly success: true
}
/** `call.ended`: A call ended. */
export interface CallEndedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "call.ended"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: VoiceCall
}
/** `call.failed`: A call failed. */
export interface CallFailedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "call.failed"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: VoiceCall
}
/** `call.started`: A call began to ring. */
export interface CallStartedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "call.started"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: VoiceCall
}
export interface CallTranscript {
  /** Id of the call. */
  readonly callId: string
  /** Download link of the text, valid for 15 minutes. */
  readonly transcriptUrl?: string | undefined
  /** Whether there is a transcript. */
  readonly hasTranscript: boolean
}
export interface CatchAllConfig {
  /** Name of a domain of the organization. */
  readonly domain: string
  /** Whether the catch-all is on. */
  readonly enabled: boolean
  /** Addresses that a copy of each mail is forwarded to, at most 20. */
  readonly forwardTo: ReadonlyArray<string>
  /** Addresses that the catch-all rejects. Complete addresses, or only local parts (before the `@`). */
  readonly exclude: ReadonlyArray<string>
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
}
export interface CatchAllStats {
  /** Name of the domain. */
  readonly domain: string
  /** Number of mails received by the catch-all. */
  readonly received: number
  /** Number of mails that were forwarded to at least one address. */
  readonly forwarded: number
  /** Number of recipients rejected by `exclude`. */
  readonly rejected: number
  /** Number of mails received in the last 24 full hours. */
  readonly last24Hours: number
  /** Number of mails received in the last 30 days. */
  readonly last30Days: number
}
export type Channel = "sms" | "whatsapp" | "email" | "voice"
export interface ChannelIdentities {
  /** E-mail addresses. */
  readonly email?: ReadonlyArray<string> | undefined
  /** Phone numbers (E.164). */
  readonly phone?: ReadonlyArray<string> | undefined
  /** Phone numbers of WhatsApp accounts (E.164). */
  readonly whatsapp?: ReadonlyArray<string> | undefined
}
export interface ChannelStats {
  /** Channel of the message. */
  readonly channel: Channel
  /** Number of messages accepted for delivery. An extension. */
  readonly accepted: number
  /** Number of messages sent. */
  readonly sent: number
  /** Number of messages delivered. */
  readonly delivered: number
  /** Number of messages opened. */
  readonly read: number
  /** Number of messages that failed. */
  readonly failed: number
  /** Number of messages that bounced, at once or after they were sent. An extension. */
  readonly bounced: number
  /** Number of bounced messages that the first server rejected, so that they were never sent. `sent` + `refused` + `failed` are the messages whose sending ended. An extension. */
  readonly refused: number
  /** Number of messages with a complaint. An extension. */
  readonly complained: number
  /** Number of messages received. */
  readonly received: number
  /** Cost of the accepted messages, as a decimal number. */
  readonly cost: string
}
export type Complexity = "simple" | "moderate" | "complex"
export type ConditionOperator = "equals" | "notEquals" | "contains" | "notContains" | "greaterThan" | "lessThan" | "exists" | "notExists"
export interface Conversation {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Title shown to people. */
  readonly title?: string | undefined
  /** Free text, shown to people only. */
  readonly description?: string | undefined
  /** Id of the resource in the caller's own system. */
  readonly externalId?: string | undefined
  /** Id of the parent conversation. */
  readonly parentConversationId?: string | undefined
  /** Channels of the conversation, at least one. */
  readonly channels: ReadonlyArray<Channel>
  /** Preferred channel, one of `channels`. */
  readonly primaryChannel?: Channel | undefined
  /** Current status. */
  readonly status: ConversationStatus
  /** Reason of the status, at most 2000 characters. A new status removes it. */
  readonly statusReason?: string | undefined
  /** Priority, 0 to 4. 2 is normal. */
  readonly priority: number
  /** Urgency, set by the caller. */
  readonly urgency: Urgency
  /** Complexity, set by the caller. */
  readonly complexity: Complexity
  /** JSON of the caller, at most 4096 bytes. */
  readonly metadata?: string | undefined
  /** JSON: `participants`, each with `id`, `name`, `joinedAt`, `messageCount` and `lastMessageAt`. */
  readonly participantTracking: string
  /** JSON: `messageCount`, `inboundCount`, `outboundCount` and `averageResponseSeconds` (mean time from a received message to the next sent one). */
  readonly metrics: string
  /** JSON of the caller, at most 4096 bytes. */
  readonly context?: string | undefined
  /** Labels for filters. */
  readonly tags: ReadonlyArray<string>
  /** Categories for filters and for blocks by category. */
  readonly categories: ReadonlyArray<string>
  /** Whether it is a test. Test messages are not counted against the plan. */
  readonly isTest: boolean
  /** Whether it is internal to the organization. Set by the caller; it has no effect on delivery. */
  readonly isInternal: boolean
  /** Whether it is private. Set by the caller; it has no effect on access. */
  readonly isPrivate: boolean
  /** Time of the start (UTC). */
  readonly startedAt: DateTime.Utc
  /** Time of the last message (UTC). */
  readonly lastActivityAt?: DateTime.Utc | undefined
  /** Time of the last message written by a person (UTC). */
  readonly lastHumanActivityAt?: DateTime.Utc | undefined
  /** Time of resolution (UTC). */
  readonly resolvedAt?: DateTime.Utc | undefined
  /** Time of archiving (UTC). */
  readonly archivedAt?: DateTime.Utc | undefined
  /** Id of the API key that resolved it. */
  readonly resolvedBy?: string | undefined
  /** Id of the API key that created it. */
  readonly createdBy?: string | undefined
  /** Kind of resolution. */
  readonly resolutionType?: ResolutionType | undefined
  /** Notes on the resolution, at most 2000 characters. */
  readonly resolutionNotes?: string | undefined
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
}
/** `conversation.created`: A conversation was created. */
export interface ConversationCreatedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "conversation.created"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: Conversation
}
export interface ConversationPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<Conversation>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
/** `conversation.participant_added`: A participant joined a conversation. */
export interface ConversationParticipantAddedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "conversation.participant_added"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: Conversation
}
/** `conversation.participant_removed`: A participant left a conversation. */
export interface ConversationParticipantRemovedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "conversation.participant_removed"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: Conversation
}
/** `conversation.reopened`: A resolved or archived conversation became active again. */
export interface ConversationReopenedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "conversation.reopened"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: Conversation
}
/** `conversation.resolved`: A conversation was resolved. */
export interface ConversationResolvedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "conversation.resolved"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: Conversation
}
export type ConversationStatus = "active" | "waiting" | "snoozed" | "resolved" | "archived"
/** `conversation.updated`: A conversation changed. */
export interface ConversationUpdatedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "conversation.updated"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: Conversation
}
export interface CreateApiKey {
  /** Name shown to people, at most 200 characters. */
  readonly name: string
  /** Free text, 1 to 1000 characters. Default: none. */
  readonly description?: string | undefined
  /** Time when the key expires: ISO 8601 date-time with a time zone. Default: never. */
  readonly expiresAt?: DateTime.Utc | undefined
  /** Granted actions by resource. Either this or `roleName`. */
  readonly permissions?: GrantablePermissions | undefined
  /** Role that supplies the permissions. Either this or `permissions`. */
  readonly roleName?: "admin" | "sender" | "viewer" | undefined
}
export interface CreateBlock {
  /** Reason of the block. Default: `manual`. */
  readonly reason?: BlockReason | undefined
  /** Category to block, 1 to 100 characters. Default: all mail. An extension. */
  readonly category?: string | undefined
  /** Time when the block ends: ISO 8601 date-time with a time zone. Default: never. */
  readonly expiresAt?: DateTime.Utc | undefined
  /** Address to block. Either this or `domain`. */
  readonly email?: string | undefined
  /** Domain to block. Either this or `email`. */
  readonly domain?: string | undefined
}
export interface CreateConversation {
  /** Title shown to people, 1 to 200 characters. Default: none. */
  readonly title?: string | undefined
  /** Free text, shown to people only. */
  readonly description?: string | undefined
  /** Id of the resource in the caller's own system. */
  readonly externalId?: string | undefined
  /** Id of the parent conversation. Default: none. */
  readonly parentConversationId?: string | undefined
  /** Channels of the conversation, at least one. */
  readonly channels: ReadonlyArray<"sms" | "whatsapp" | "email" | "voice">
  /** Preferred channel, one of `channels`. Default: the first of `channels`. */
  readonly primaryChannel?: "sms" | "whatsapp" | "email" | "voice" | undefined
  /** Reason of the status, at most 2000 characters. A new status removes it. */
  readonly statusReason?: string | undefined
  /** JSON of the caller, at most 4096 bytes. */
  readonly metadata?: string | undefined
  /** JSON of the caller, at most 4096 bytes. */
  readonly context?: string | undefined
  /** Notes on the resolution, at most 2000 characters. */
  readonly resolutionNotes?: string | undefined
  /** Status. Default: `active`. */
  readonly status?: ConversationStatus | undefined
  /** Priority, 0 to 4. 2 is normal. Default: 2. */
  readonly priority?: number | undefined
  /** Urgency. Default: `low`. */
  readonly urgency?: Urgency | undefined
  /** Complexity. Default: `simple`. */
  readonly complexity?: Complexity | undefined
  /** Labels for filters, at most 20. Default: none. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Categories for filters, at most 20. Default: none. */
  readonly categories?: ReadonlyArray<string> | undefined
  /** Whether it is a test. Default: false. */
  readonly isTest?: boolean | undefined
  /** Whether it is internal to the organization. It has no effect on delivery. Default: false. */
  readonly isInternal?: boolean | undefined
  /** Whether it is private. It has no effect on access. Default: false. */
  readonly isPrivate?: boolean | undefined
  /** Kind of resolution. Default: `manual`, if the status is `resolved`. */
  readonly resolutionType?: ResolutionType | undefined
  /** Ids of the participants, 1 to 100. Repeated ids count once. Default: none. */
  readonly participantIds?: ReadonlyArray<string> | undefined
}
export interface CreateDraft {
  /** Channel of the draft. */
  readonly channel: Channel
  /** Recipients, at most 50. */
  readonly recipients: ReadonlyArray<DraftRecipient>
  /** Content written so far. */
  readonly content: DraftContent
  /** Title shown to people, at most 500 characters. */
  readonly title?: string | undefined
}
export interface CreateEmailDomain {
  /** Name of the domain. An internationalized name consists of A-labels (RFC 5890). */
  readonly domain: string
}
export interface CreateEmailSender {
  /** Address to send from, on a domain of the organization. */
  readonly email: string
  /** Display name in the header `From`, 1 to 200 characters. */
  readonly name: string
  /** Address for replies, if a send names none. Default: none. */
  readonly replyTo?: string | undefined
  /** Whether it becomes the default sender once it is verified. Default: false. */
  readonly isDefault?: boolean | undefined
}
export interface CreateForwardingRule {
  /** Name shown to people. */
  readonly name: string
  /** Conditions. All must hold; upper and lower case are equal. */
  readonly match: {
    /** Recipient: an address, or `*@` and a domain. */
    readonly recipient?: string | undefined
    /** Address in the header `From`: an address, or `*@` and a domain. */
    readonly sender?: string | undefined
    /** Part of the subject. */
    readonly subjectContains?: string | undefined
  }
  /** Addresses that mail is forwarded to, 1 to 20. */
  readonly forwardTo: ReadonlyArray<string>
  /** Whether the mail is also received. Default: true. */
  readonly keepCopy?: boolean | undefined
  /** Whether `From` is rewritten if the sender's DMARC policy is `quarantine` or `reject`. Default: false. An extension. */
  readonly rewriteFrom?: boolean | undefined
  /** Whether the rule applies. Default: true. */
  readonly isActive?: boolean | undefined
  /** Order of the rules: the lowest number is tried first, 0 to 1000000. Default: 100. */
  readonly priority?: number | undefined
}
export interface CreateKnowledgeBase {
  /** Name shown to people. */
  readonly name: string
  /** Free text, shown to people only. */
  readonly description?: string | undefined
}
export interface CreateParticipant {
  /** Name, 1 to 200 characters. */
  readonly name: string
  /** Name shown to people instead of `name`, 1 to 200 characters. Default: none. */
  readonly displayName?: string | undefined
  /** E-mail address. No other participant may have it. Default: none. */
  readonly email?: string | undefined
  /** Phone number with its country code. Default: none. */
  readonly phone?: string | undefined
  /** Phone number of a WhatsApp account with its country code. Default: none. */
  readonly whatsappId?: string | undefined
  /** Country code (ISO 3166-1 alpha-2). Default: none. */
  readonly country?: string | undefined
  /** Region or state within the country, 1 to 100 characters. Default: none. */
  readonly region?: string | undefined
  /** Free JSON object, at most 8192 bytes. Default: none. */
  readonly metadata?: {
    readonly [key: string]: unknown
  } | undefined
}
export type CreateSession = {
  /** API key that the session gets its permissions from. Either this or `loginToken`. */
  readonly apiKey: string
  /** Token of a log-in link. Either this or `apiKey`. */
  readonly loginToken?: undefined
} | {
  /** API key that the session gets its permissions from. Either this or `loginToken`. */
  readonly apiKey?: undefined
  /** Token of a log-in link. Either this or `apiKey`. */
  readonly loginToken: string
}
export interface CreateTemplate {
  /** Name, unique within the organization, 1 to 200 characters. */
  readonly name: string
  /** Subject line (Mustache). */
  readonly subject: string
  /** HTML part (Mustache). */
  readonly html: string
  /** Plain-text part (Mustache). Default: made from the HTML part. */
  readonly text?: string | undefined
  /** Fallback values of variables (an extension). Default: none. */
  readonly variables?: ReadonlyArray<TemplateFallback> | undefined
}
export interface CreateVoiceAgent {
  /** Name shown to people. */
  readonly name: string
  /** Free text, 1 to 1000 characters. Default: none. */
  readonly description?: string | undefined
  /** Instructions for a language model, 1 to 20000 characters. Default: none. */
  readonly systemPrompt?: string | undefined
  /** Id of the voice for speech synthesis, 1 to 200 characters. Default: none. */
  readonly voiceId?: string | undefined
  /** Language of the agent (BCP 47), 1 to 35 characters. Default: none. */
  readonly language?: string | undefined
  /** Transport of the calls: `webrtc`, or `pstn` (telephone network). Default: `webrtc`. */
  readonly transport?: VoiceTransport | undefined
  /** Webhook for the events of the agent's calls. Default: none. */
  readonly webhookConfig?: GivenVoiceWebhook | undefined
  /** Whether the agent can make calls. Default: true. */
  readonly isActive?: boolean | undefined
}
export interface CreateVoiceWorkflow {
  /** Name shown to people. */
  readonly name: string
  /** Free text, 1 to 1000 characters. Default: none. */
  readonly description?: string | undefined
  /** Nodes of the draft graph, at most 500. */
  readonly nodes: ReadonlyArray<WorkflowNode>
  /** Edges of the draft graph, at most 1000. */
  readonly edges: ReadonlyArray<WorkflowEdge>
  /** Viewport of the editor. Default: none. */
  readonly viewport?: WorkflowViewport | undefined
  /** Whether calls follow the workflow. Default: true. */
  readonly isEnabled?: boolean | undefined
}
export interface CreateWebhookEndpoint {
  /** Name shown to people, 1 to 200 characters. */
  readonly name: string
  /** URL that receives the events: https, or http where the operator allows it. */
  readonly url: string
  /** 1 to 100 event types, groups such as `message.*`, or `*`. */
  readonly events: ReadonlyArray<Subscription>
  /** Status. Default: `active`. */
  readonly status?: "active" | "paused" | undefined
  /** Free text, 1 to 1000 characters. Default: none. */
  readonly description?: string | undefined
  /** Whether only events of test messages are delivered. Default: false. */
  readonly testMode?: boolean | undefined
  /** Order for the caller, a 32-bit signed integer. Default: 0. */
  readonly priority?: number | undefined
  /** Conditions on the message of an event. Default: none. */
  readonly filters?: WebhookFilters | undefined
  /** Limit of the request rate. Default: none. */
  readonly rateLimit?: WebhookRateLimit | undefined
  /** Additional request headers, at most 20. Default: none. */
  readonly headers?: {
    readonly [key: string]: string
  } | undefined
}
/** a position between two pages of a list */
export interface Cursor {
  /** Id of the last item before the position. */
  readonly id: string
  /** Number of the page after the position. */
  readonly page: number
}
export interface DeletedMessage {
  /** Id of the message. */
  readonly id: string
  /** Channel of the message. */
  readonly channel: Channel
  /** Labels for filters. */
  readonly tags: ReadonlyArray<string>
  /** Whether it is a test. Test messages are not counted against the plan. */
  readonly isTest: boolean
  /** Id of the resource in the caller's own system. */
  readonly externalId: string | null
  /** Second id of the caller's own system, for example of an order. */
  readonly referenceId: string | null
  /** Time of deletion (UTC). */
  readonly deletedAt: DateTime.Utc
}
export interface Delivery {
  /** Address of the recipient. */
  readonly recipient: string
  /** Status of this recipient's copy. `suppressed`: blocked, not sent. */
  readonly status: DeliveryStatus
  /** SMTP reply code (RFC 5321). */
  readonly smtpCode?: number | undefined
  /** Text of the SMTP reply. */
  readonly response?: string | undefined
  /** Why the delivery failed or was deferred, by the codes and words of the reply or report. */
  readonly reason?: "user_unknown" | "host_unknown" | "user_disabled" | "moved" | "mailbox_full" | "message_too_large" | "too_many_recipients" | "rate_limited" | "sender_blocked" | "authentication" | "policy" | "spam" | "content" | "relay_denied" | "greylisted" | "network" | "system" | "expired" | "unknown" | undefined
  /** Time of the last change (UTC). */
  readonly at: string
}
export interface DeliveryMetrics {
  /** Length of a period. */
  readonly granularity: Granularity
  /** Periods of the range, oldest first. */
  readonly series: ReadonlyArray<{
    /** Start of the period (UTC). */
    readonly timestamp: DateTime.Utc
    /** Number of messages sent. */
    readonly sent: number
    /** Number of messages delivered. */
    readonly delivered: number
    /** Number of messages that failed. */
    readonly failed: number
    /** Number of messages that bounced. */
    readonly bounced: number
    /** Milliseconds from acceptance to sending, median. Exact up to 64, at most 1.6 % too high above. 0 without messages. */
    readonly p50Ms: number
    /** Milliseconds from acceptance to sending, 95th percentile. Exact up to 64, at most 1.6 % too high above. 0 without messages. */
    readonly p95Ms: number
  }>
  /** Numbers of the complete range. */
  readonly totals: {
    /** Number of messages sent. */
    readonly sent: number
    /** Number of messages delivered. */
    readonly delivered: number
    /** Number of messages that failed. */
    readonly failed: number
    /** Number of messages that bounced. */
    readonly bounced: number
    /** Milliseconds from acceptance to sending, median. Exact up to 64, at most 1.6 % too high above. 0 without messages. */
    readonly p50Ms: number
    /** Milliseconds from acceptance to sending, 95th percentile. Exact up to 64, at most 1.6 % too high above. 0 without messages. */
    readonly p95Ms: number
  }
}
export type DeliveryStatus = "pending" | "deferred" | "sent" | "delivered" | "read" | "bounced" | "failed" | "suppressed" | "complained"
export interface DetectedRegistrar {
  /** Name of the domain. */
  readonly domain: string
  /** Name servers of the domain. */
  readonly nameservers: ReadonlyArray<string>
  /** Name that has the name servers: the domain or a parent. Absent: none found (an extension). */
  readonly zone?: string | undefined
  /** DNS provider. Absent: not recognized. */
  readonly provider?: string | undefined
  /** Guide of the DNS provider for adding records. */
  readonly guideUrl?: string | undefined
}
export interface DnsRecord {
  /** Type of the record, for example `TXT`. */
  readonly type: string
  /** Name of the record. */
  readonly name: string
  /** Value of the record. */
  readonly value: string
  /** Time to live, in seconds. */
  readonly ttl: string
  /** Purpose of the record. */
  readonly description: string
  /** Preference of an MX record. */
  readonly priority?: number | undefined
}
export interface DomainReport {
  /** Id of the domain. */
  readonly id: string
  /** Name of the domain. */
  readonly domain: string
  /** Stored status of the domain. */
  readonly status: EmailDomainStatus
  /** Time of verification (UTC). */
  readonly verifiedAt?: DateTime.Utc | undefined
  /** Time of the DNS lookup (UTC) (an extension). */
  readonly checkedAt: DateTime.Utc
  /** Expected records, with the result of a DNS lookup. */
  readonly records: ReadonlyArray<RecordReport>
}
export interface DomainVerified {
  /** Whether ownership, DKIM and return path were found. */
  readonly success: boolean
  /** Expected records, with the result of the DNS lookup (an extension). */
  readonly records: ReadonlyArray<RecordReport>
}
export interface Draft {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Channel of the draft. */
  readonly channel: Channel
  /** Recipients, at most 50. */
  readonly recipients: ReadonlyArray<DraftRecipient>
  /** Content written so far. */
  readonly content: DraftContent
  /** Title shown to people, at most 500 characters. */
  readonly title?: string | undefined
  /** Time of the last edit (UTC). */
  readonly lastEditedAt: DateTime.Utc
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Id of the API key that created it. */
  readonly createdBy?: string | undefined
  /** Id of the message that the draft was sent as. Absent: not sent. An extension. */
  readonly sentMessageId?: string | undefined
}
export interface DraftContent {
  /** Subject line. */
  readonly subject?: string | undefined
  /** Plain text. It replaces a missing `html` and a missing `text`. */
  readonly body?: string | undefined
  /** HTML part. */
  readonly html?: string | undefined
  /** Plain-text part. */
  readonly text?: string | undefined
  /** Id of the template. */
  readonly templateId?: string | undefined
  /** Name of a template, used if `templateId` is absent. */
  readonly templateName?: string | undefined
  /** Content in the format of an editor. It is stored and never sent. */
  readonly ast?: {
    readonly [key: string]: unknown
  } | undefined
  /** Values for the variables of the template, by name. */
  readonly variables?: {
    readonly [key: string]: string
  } | undefined
  /** Ids of uploaded attachments. */
  readonly attachmentIds?: ReadonlyArray<string> | undefined
}
export interface DraftPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<Draft>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export interface DraftRecipient {
  /** Id of the participant. */
  readonly participantId?: string | undefined
  /** E-mail address. Default: the participant's address. */
  readonly email?: string | undefined
  /** Phone number. */
  readonly phone?: string | undefined
  /** Phone number of a WhatsApp account. */
  readonly whatsappId?: string | undefined
  /** Name shown to people. */
  readonly name?: string | undefined
}
export interface DuplicateVoiceAgent {
  /** Name of the copy, 1 to 200 characters. Default: the name with ` (copy)` appended. */
  readonly name?: string | undefined
}
export interface EmailAttachment {
  /** Id of the attachment. */
  readonly id: string
  /** Name of the file, without folders. */
  readonly filename: string
  /** Media type of the file. */
  readonly contentType: string
  /** Size in bytes. */
  readonly size: number
  /** Id by which the HTML refers to the file, as `cid:` and this id. */
  readonly contentId?: string | undefined
  /** Download link, valid for 15 minutes. It needs no key. */
  readonly url: string
}
/** `email_block.created`: An address or a domain was blocked. */
export interface EmailBlockCreatedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "email_block.created"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: Block
}
/** `email_block.deleted`: A block was deleted. */
export interface EmailBlockDeletedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "email_block.deleted"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: Block
}
export interface EmailContent {
  /** Subject line. */
  readonly subject: string
  /** HTML part. */
  readonly html: string
  /** Plain-text part. */
  readonly text: string
  /** Text of a received e-mail without quotes and signature. All of `text` if it contains a forwarded mail, or if nothing else is left. An extension. */
  readonly replyText?: string | undefined
  /** Id of the template that the message was rendered from. */
  readonly templateId?: string | undefined
  /** Version of the template that the message was rendered from. An extension. */
  readonly templateVersion?: number | undefined
  /** Author: an address, with or without a display name. */
  readonly from: string
  /** Addresses for replies. */
  readonly replyTo: ReadonlyArray<string>
  /** Whether `replyTo` is the sender's default, because the send named none. An extension. */
  readonly replyToOfSender?: boolean | undefined
  /** Attached files, without their content. */
  readonly attachments: ReadonlyArray<AttachmentInfo>
  /** Time when body and attachments were erased by the retention settings (UTC). An extension. */
  readonly erasedAt?: string | undefined
}
export interface EmailContentSummary {
  /** Subject line. */
  readonly subject: string
  /** Text of a received e-mail without quotes and signature. All of `text` if it contains a forwarded mail, or if nothing else is left. An extension. */
  readonly replyText?: string | undefined
  /** Id of the template that the message was rendered from. */
  readonly templateId?: string | undefined
  /** Version of the template that the message was rendered from. An extension. */
  readonly templateVersion?: number | undefined
  /** Author: an address, with or without a display name. */
  readonly from: string
  /** Addresses for replies. */
  readonly replyTo: ReadonlyArray<string>
  /** Whether `replyTo` is the sender's default, because the send named none. An extension. */
  readonly replyToOfSender?: boolean | undefined
  /** Time when body and attachments were erased by the retention settings (UTC). An extension. */
  readonly erasedAt?: string | undefined
}
export interface EmailContentWithoutBodies {
  /** Subject line. */
  readonly subject: string
  /** Id of the template that the message was rendered from. */
  readonly templateId?: string | undefined
  /** Version of the template that the message was rendered from. An extension. */
  readonly templateVersion?: number | undefined
  /** Author: an address, with or without a display name. */
  readonly from: string
  /** Addresses for replies. */
  readonly replyTo: ReadonlyArray<string>
  /** Whether `replyTo` is the sender's default, because the send named none. An extension. */
  readonly replyToOfSender?: boolean | undefined
  /** Attached files, without their content. */
  readonly attachments: ReadonlyArray<AttachmentInfo>
  /** Time when body and attachments were erased by the retention settings (UTC). An extension. */
  readonly erasedAt?: string | undefined
}
export interface EmailDomain {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Name of the domain. */
  readonly domain: string
  /** `pending`: the records are missing. `verified`: it can send. `degraded`: a check failed, it can send for 72 hours. `failed`: it cannot send. */
  readonly status: EmailDomainStatus
  /** Time of verification (UTC). */
  readonly verifiedAt?: DateTime.Utc | undefined
  /** DNS records to publish. */
  readonly dnsRecords: ReadonlyArray<DnsRecord>
  /** Public DKIM keys (base64) of the selectors sm1 and sm2, in this order. */
  readonly dkimTokens: ReadonlyArray<string>
  /** Token in the TXT record that proves ownership. */
  readonly verificationToken: string
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
}
/** `email_domain.created`: A domain was added. */
export interface EmailDomainCreatedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "email_domain.created"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: EmailDomain
}
/** `email_domain.degraded`: DNS records of a domain are missing. It can send for 72 more hours. */
export interface EmailDomainDegradedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "email_domain.degraded"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: EmailDomain
}
/** `email_domain.deleted`: A domain was deleted. */
export interface EmailDomainDeletedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "email_domain.deleted"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: EmailDomain
}
/** `email_domain.failed`: DNS records of a domain stayed missing. It can no longer send. */
export interface EmailDomainFailedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "email_domain.failed"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: EmailDomain
}
export interface EmailDomainPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<EmailDomain>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export type EmailDomainStatus = "pending" | "verified" | "degraded" | "failed"
/** `email_domain.verified`: The DNS records of a domain were found. It can send. */
export interface EmailDomainVerifiedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "email_domain.verified"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: EmailDomain
}
/** a map from header names to values */
export type EmailHeaders = {
  readonly [key: string]: string
}
export interface EmailMetadata {
  /** Header `Message-ID` (RFC 5322). */
  readonly messageId: string
  /** Addresses of the recipients. */
  readonly to: ReadonlyArray<string>
  /** Addresses of the copies. */
  readonly cc: ReadonlyArray<string>
  /** Addresses of the blind copies. */
  readonly bcc: ReadonlyArray<string>
  /** Display names by recipient address. An extension. */
  readonly names?: {
    readonly [key: string]: string
  } | undefined
  /** Headers that the send added. */
  readonly headers: {
    readonly [key: string]: string
  }
  /** Tags of the e-mail. */
  readonly tags: ReadonlyArray<string>
  /** Delivery to each recipient. */
  readonly deliveries: ReadonlyArray<Delivery>
}
export interface EmailRecord {
  /** Id of the message. */
  readonly id: string
  /** Header `Message-ID` (RFC 5322). Empty: none. */
  readonly messageId: string
  /** `outbound`: sent by the organization. `inbound`: received. */
  readonly direction: "outbound" | "inbound"
  /** Current status. */
  readonly status: MessageStatus
  /** Author: an address, with or without a display name. */
  readonly from: string
  /** Addresses of the recipients. */
  readonly to: ReadonlyArray<string>
  /** Addresses of the copies. */
  readonly cc: ReadonlyArray<string>
  /** Addresses of the blind copies. */
  readonly bcc?: ReadonlyArray<string> | undefined
  /** Addresses for replies. */
  readonly replyTo: ReadonlyArray<string>
  /** Subject line. */
  readonly subject: string
  /** HTML part. That of received mail is not sanitized. */
  readonly html?: string | undefined
  /** Plain-text part. */
  readonly text?: string | undefined
  /** All headers of received mail, or the additional headers of sent mail. Repeated headers are joined by line breaks. */
  readonly headers: {
    readonly [key: string]: string
  }
  /** Attached files, with download links. */
  readonly attachments: ReadonlyArray<EmailAttachment>
  /** Id of the e-mail thread. */
  readonly threadId?: string | undefined
  /** Results of SPF, DKIM and DMARC for received mail. */
  readonly authentication?: MailAuthentication | undefined
  /** Size in bytes: of received mail as received, of sent mail before encoding. */
  readonly size: number
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Time when the provider first took the message (UTC). */
  readonly sentAt?: DateTime.Utc | undefined
  /** Time of delivery to the first recipient's mailbox (UTC). */
  readonly deliveredAt?: DateTime.Utc | undefined
}
export interface EmailSendRequest {
  /** One address or a list of addresses, at most 50. An object with `email` and `name` adds a display name (an extension). */
  readonly to: ReadonlyArray<string | SendRecipient>
  /** Author: an address, with or without a display name. Default: the organization's default sender (an extension). */
  readonly from?: MailboxText | undefined
  /** Attached files: at most 20, 25 MiB in total. Default: none. */
  readonly attachments?: ReadonlyArray<Attachment> | undefined
  /** Id of the message that this one replies to. Default: none. */
  readonly inReplyToMessageId?: string | undefined
  /** Key that makes a repeated send return the first message, 1 to 255 characters. Stored for 30 days. Default: the header `Idempotency-Key`. */
  readonly idempotencyKey?: string | undefined
  /** Subject line, 1 to 200 characters. Required without `templateId`. */
  readonly subject?: string | undefined
  /** HTML part. Default: made from `text`, escaped, with its line breaks (an extension). */
  readonly html?: string | undefined
  /** Plain-text part. Default: made from the HTML part. */
  readonly text?: string | undefined
  /** Id of a template that supplies the parts not given here. Default: none. */
  readonly templateId?: string | undefined
  /** Values for the variables of the template, by name. */
  readonly templateData?: {
    readonly [key: string]: unknown
  } | undefined
}
export interface EmailSender {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Id of the sender's domain. */
  readonly domainId?: string | undefined
  /** Address of the sender. */
  readonly email: string
  /** Display name in the header `From`. */
  readonly name: string
  /** Address for replies, if a send names none. */
  readonly replyTo?: string | undefined
  /** Id of the confirmation mail. Shown only with the permission `domains.write`. */
  readonly verificationToken?: string | undefined
  /** `pending`: the address is not confirmed yet. `verified`: it can send. `failed`: it cannot send. */
  readonly verificationStatus: SenderVerification
  /** Time of verification (UTC). */
  readonly verifiedAt?: DateTime.Utc | undefined
  /** Whether it is the organization's default sender. */
  readonly isDefault: boolean
  /** Whether the sender can be used. */
  readonly isActive: boolean
  /** 0 to 100: 100 less 10 per percent of bounces and 100 per percent of complaints, over 30 days. */
  readonly reputation: number
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
}
/** `email_sender.created`: A sender was added. */
export interface EmailSenderCreatedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "email_sender.created"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: EmailSender
}
/** `email_sender.deleted`: A sender was deleted. */
export interface EmailSenderDeletedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "email_sender.deleted"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: EmailSender
}
export interface EmailSenderPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<EmailSender>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
/** `email_sender.verified`: A sender was verified. */
export interface EmailSenderVerifiedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "email_sender.verified"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: EmailSender
}
export interface EmailStats {
  /** Number of messages that were sent. */
  readonly totalSent: number
  /** Number of messages that were delivered. */
  readonly totalDelivered: number
  /** Number of messages that were opened. */
  readonly totalRead: number
  /** Number of messages that bounced. */
  readonly totalBounced: number
  /** Number of messages with a complaint. */
  readonly totalComplained: number
  /** Number of messages that failed. */
  readonly totalFailed: number
  /** Number of messages that were received. */
  readonly totalReceived: number
  /** Delivered messages divided by messages sent or rejected. Rates are 0 to 1, and 0 without data. */
  readonly deliveryRate: number
  /** Opened messages divided by messages sent or rejected. Rates are 0 to 1, and 0 without data. */
  readonly readRate: number
  /** Bounced messages divided by messages sent or rejected. Rates are 0 to 1, and 0 without data. */
  readonly bounceRate: number
  /** Messages with a complaint divided by messages sent or rejected. Rates are 0 to 1, and 0 without data. */
  readonly complaintRate: number
}
export interface EnableReceiving {
  /** Name of a verified domain. */
  readonly domain: string
  /** Whether all other addresses receive mail too. Default: false. */
  readonly catchAll?: boolean | undefined
  /** Addresses that receive mail, at most 1000. Complete addresses, or only local parts (before the `@`). Default: none. */
  readonly addresses?: ReadonlyArray<string> | undefined
}
export type EntryPointSource = "ads" | "facebook" | "instagram"
export interface ErrorDetails {
  /** Code of the error, for example an SMTP reply code or `recipient_blocked`. */
  readonly code?: string | undefined
  /** Explanation for people. */
  readonly message?: string | undefined
  /** Further details. */
  readonly details?: {
    readonly [key: string]: string | number | boolean | null
  } | null | undefined
  /** Whether another attempt can succeed. */
  readonly retryable?: boolean | undefined
  /** Time of the next attempt (UTC). Absent: no further attempt. */
  readonly nextRetryAt?: string | undefined
}
export type EventType = "message.created" | "message.pending" | "message.scheduled" | "message.queued" | "message.processing" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "message.bounced" | "message.complained" | "message.received" | "message.deleted" | "email_domain.created" | "email_domain.verified" | "email_domain.degraded" | "email_domain.failed" | "email_domain.deleted" | "email_sender.created" | "email_sender.verified" | "email_sender.deleted" | "email_block.created" | "email_block.deleted" | "conversation.created" | "conversation.updated" | "conversation.resolved" | "conversation.reopened" | "conversation.participant_added" | "conversation.participant_removed" | "api_key.created" | "api_key.rotated" | "api_key.deleted" | "call.started" | "call.answered" | "call.ended" | "call.failed" | "recording.ready" | "transcript.ready" | "webhook_endpoint.test" | "webhook_endpoint.disabled" | "organization.updated" | "organization.usage_exceeded"
export interface ExportedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: EventType
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: unknown
}
export interface ExportedMessage {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Id of the conversation. Null: none. */
  readonly conversationId: string | null
  /** Id of the e-mail thread. Null: none. */
  readonly threadId: string | null
  /** Id of the message that this one replies to. Null: none. */
  readonly parentMessageId: string | null
  /** Id of the participant who sent the message. */
  readonly fromParticipantId: string
  /** Ids of the recipients' participants. */
  readonly toParticipantIds: ReadonlyArray<string>
  /** Reserved; null. */
  readonly participantMetadata: unknown | null
  /** Channel of the message. */
  readonly channel: Channel
  /** `outbound`: sent by the organization. `inbound`: received. */
  readonly direction: "outbound" | "inbound"
  /** Subject, bodies and attachments. */
  readonly content: EmailContentWithoutBodies
  /** Time when the message is due (UTC). Null: at once. */
  readonly scheduledAt: DateTime.Utc | null
  /** Cost in `currency`, as a decimal number. */
  readonly cost: string
  /** Currency of `cost` (ISO 4217). */
  readonly currency: string
  /** Maximum number of retries after the first attempt. */
  readonly maxRetries: number
  /** Id of the workflow run that sent the message. Null: none. */
  readonly workflowRunId: string | null
  /** Id of the message in the delivery queue. */
  readonly queueMessageId: string | null
  /** Labels for filters. */
  readonly tags: ReadonlyArray<string>
  /** Categories for filters and for blocks by category. */
  readonly categories: ReadonlyArray<string>
  /** Whether it is a test. Test messages are not counted against the plan. */
  readonly isTest: boolean
  /** Whether it is internal to the organization. Set by the caller; it has no effect on delivery. */
  readonly isInternal: boolean
  /** Whether the service or an automatic reply created the message, not a person. */
  readonly isAutomated: boolean
  /** Id of the resource in the caller's own system. */
  readonly externalId: string | null
  /** Second id of the caller's own system, for example of an order. */
  readonly referenceId: string | null
  /** Id of the API key that sent the message. Null: not sent by a request. */
  readonly apiKeyId: string | null
  /** HTTP method of the request that sent the message. */
  readonly httpMethod: string | null
  /** Request that sent the message, without credentials. */
  readonly apiRequestMetadata: ApiRequestMetadata | null
  /** Response to the request that sent the message. */
  readonly apiResponseMetadata: ApiResponseMetadata | null
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Id of the API key that created the message. Null: created by the service. */
  readonly createdBy: string | null
  /** Current status. */
  readonly status: MessageStatus
  /** Statuses of the message, oldest first. */
  readonly statusHistory: ReadonlyArray<StatusEntry> | null
  /** Provider that took the message, for example `smtp`. */
  readonly provider: string | null
  /** Id of the message at the provider. */
  readonly providerMessageId: string | null
  /** Last status that the provider reported. */
  readonly providerStatus: string | null
  /** Last response of the provider. */
  readonly providerResponse: unknown | null
  /** Cost as the provider reported it. */
  readonly providerCost: unknown | null
  /** Time when the provider first took the message (UTC). */
  readonly sentAt: DateTime.Utc | null
  /** Time of delivery to the first recipient's mailbox (UTC). */
  readonly deliveredAt: DateTime.Utc | null
  /** Time when the first recipient opened the message (UTC). */
  readonly readAt: DateTime.Utc | null
  /** Time of the final failure (UTC). */
  readonly failedAt: DateTime.Utc | null
  /** Number of retries so far. */
  readonly retryCount: number
  /** Number of attempts to send so far. */
  readonly deliveryAttempts: number
  /** Text of the last error. */
  readonly lastError: string | null
  /** Details of the last error. */
  readonly errorDetails: ErrorDetails | null
  /** Time of the last attempt to send (UTC). */
  readonly lastAttemptAt: DateTime.Utc | null
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
  /** Participant who sent the message. */
  readonly fromParticipant: MessageParticipant | null
  /** Participants of the recipients. */
  readonly toParticipants?: ReadonlyArray<MessageParticipant> | undefined
  /** Addresses, headers and deliveries of an e-mail. */
  readonly emailMetadata?: EmailMetadata | null | undefined
  /** Details of a WhatsApp message. */
  readonly whatsappMetadata?: unknown | null | undefined
}
export type FailureReason = "user_unknown" | "host_unknown" | "user_disabled" | "moved" | "mailbox_full" | "message_too_large" | "too_many_recipients" | "rate_limited" | "sender_blocked" | "authentication" | "policy" | "spam" | "content" | "relay_denied" | "greylisted" | "network" | "system" | "expired" | "unknown"
export interface FailureShare {
  /** Why they failed. */
  readonly reason: FailureReason
  /** Number of recipients that bounced or failed. */
  readonly count: number
  /** Share of all failed recipients of the range, from 0 to 1. */
  readonly share: number
}
export interface Finding {
  /** `warning`: the service works, but the operator should act; `error`: the service does not work as configured. */
  readonly level: "ok" | "warning" | "error"
  /** Part that was checked. */
  readonly subject: string
  /** The problem and its remedy, in lines; left out if ok. */
  readonly advice?: ReadonlyArray<string> | undefined
}
export interface ForwardingLog {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the rule. Absent: forwarded by a catch-all. */
  readonly ruleId?: string | undefined
  /** Id of the message, or of the mail if no copy was kept. */
  readonly messageId: string
  /** Address that the mail was forwarded to. */
  readonly forwardedTo: string
  /** `forwarded`: the relay took it. `failed`: rejected, blocked or returned. `loop_blocked`: a loop was detected. */
  readonly status: ForwardingStatus
  /** Error of a failed forwarding. */
  readonly error?: string | undefined
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
}
export interface ForwardingLogPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<ForwardingLog>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export interface ForwardingRule {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Name shown to people. */
  readonly name: string
  /** Conditions. All must hold; upper and lower case are equal. */
  readonly match: {
    /** Recipient: an address, or `*@` and a domain. */
    readonly recipient?: string | undefined
    /** Address in the header `From`: an address, or `*@` and a domain. */
    readonly sender?: string | undefined
    /** Part of the subject. */
    readonly subjectContains?: string | undefined
  }
  /** Addresses that mail is forwarded to, 1 to 20. */
  readonly forwardTo: ReadonlyArray<string>
  /** Whether the mail is also received. */
  readonly keepCopy: boolean
  /** Whether `From` is rewritten if the sender's DMARC policy is `quarantine` or `reject`. An extension. */
  readonly rewriteFrom: boolean
  /** Order of the rules: the lowest number is tried first, 0 to 1000000. */
  readonly priority: number
  /** Whether the rule applies. */
  readonly isActive: boolean
  /** Number of mails that the rule matched. */
  readonly matchCount: number
  /** Time when the rule last matched (UTC). */
  readonly lastMatchedAt?: DateTime.Utc | undefined
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
}
export interface ForwardingRulePage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<ForwardingRule>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export type ForwardingStatus = "forwarded" | "failed" | "loop_blocked"
export interface GeographicEntry {
  /** Country code (ISO 3166-1 alpha-2), or `unknown`. */
  readonly country: string
  /** Region, or `unknown`. */
  readonly region: string
  /** Number of recipients. A recipient of two messages counts twice. */
  readonly count: number
}
export interface GivenVoiceWebhook {
  /** URL that receives the events: https, or http where the operator allows it. */
  readonly url: string
  /** Additional request headers, at most 20. Default: none. */
  readonly headers?: {
    readonly [key: string]: string
  } | undefined
  /** Event types to post. Default: all. */
  readonly events?: ReadonlyArray<VoiceAgentEvent> | undefined
}
/** a map from resources to actions */
export interface GrantablePermissions {
  /** Granted actions. `*`: all. */
  readonly messages?: ReadonlyArray<"read" | "send" | "delete" | "*">
  /** Granted actions. `*`: all. */
  readonly email?: ReadonlyArray<"read" | "write" | "*">
  /** Granted actions. `*`: all. */
  readonly domains?: ReadonlyArray<"read" | "write" | "*">
  /** Granted actions. `*`: all. */
  readonly conversations?: ReadonlyArray<"read" | "write" | "*">
  /** Granted actions. `*`: all. */
  readonly participants?: ReadonlyArray<"read" | "write" | "*">
  /** Granted actions. `*`: all. */
  readonly drafts?: ReadonlyArray<"read" | "write" | "*">
  /** Granted actions. `*`: all. */
  readonly templates?: ReadonlyArray<"read" | "write" | "*">
  /** Granted actions. `*`: all. */
  readonly apiKeys?: ReadonlyArray<"read" | "write" | "*">
  /** Granted actions. `*`: all. */
  readonly webhooks?: ReadonlyArray<"read" | "write" | "*">
  /** Granted actions. `*`: all. */
  readonly organization?: ReadonlyArray<"read" | "write" | "*">
  /** Granted actions. `*`: all. */
  readonly voice?: ReadonlyArray<"read" | "write" | "*">
  /** Granted actions. `*`: all. */
  readonly whatsapp?: ReadonlyArray<"read" | "write" | "*">
  /** Granted actions. `*`: all. */
  readonly analytics?: ReadonlyArray<"read" | "*">
  /** `["*"]`: all actions on all resources. */
  readonly "*"?: ReadonlyArray<"read" | "send" | "delete" | "write" | "*">
}
export type Granularity = "hour" | "day"
export interface HourOfDay {
  /** Hour of the day in the organization's time zone, 0 to 23. */
  readonly hour: number
  /** Number of messages accepted or received. */
  readonly count: number
  /** Number of messages delivered. */
  readonly delivered: number
  /** Number of messages that failed. */
  readonly failed: number
}
export interface KnowledgeBase {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Name shown to people. */
  readonly name: string
  /** Free text, shown to people only. */
  readonly description?: string | undefined
  /** Number of documents with the status `ready`. */
  readonly documentCount: number
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
}
export interface KnowledgeBasePage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<KnowledgeBase>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export interface KnowledgeDocument {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the knowledge base. */
  readonly knowledgeBaseId: string
  /** Name of the file, without folders. */
  readonly filename: string
  /** Media type of the file. */
  readonly contentType: string
  /** Size in bytes. */
  readonly contentLength: number
  /** Key of the file in the object store. */
  readonly storageKey: string
  /** `pending_upload`: not uploaded yet. `ready`: uploaded. `failed`: not uploaded in time, or not as requested. */
  readonly status: KnowledgeDocumentStatus
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
}
export interface KnowledgeDocumentPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<KnowledgeDocument>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export type KnowledgeDocumentStatus = "pending_upload" | "ready" | "failed"
export interface MailAuthentication {
  /** Result of SPF (RFC 7208), for example `pass`. */
  readonly spf: string
  /** Result of DKIM (RFC 6376), for example `pass`. */
  readonly dkim: string
  /** Result of DMARC (RFC 7489), for example `pass`. */
  readonly dmarc: string
}
export interface MailboxAnswer {
  /** Header `Message-ID` (RFC 5322) of the reply. */
  readonly messageId: string
  /** Address of the author. */
  readonly from: string
  /** Addresses that the SMTP server took it for. */
  readonly to: ReadonlyArray<string>
  /** Subject line. */
  readonly subject: string
  /** Reply of the SMTP server that took it. */
  readonly response: string
}
export interface MailboxMail {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Header `Message-ID` (RFC 5322). */
  readonly messageId: string
  /** Reverse-path of the SMTP envelope. Empty for a delivery status notification. */
  readonly mailFrom: string
  /** Recipients of the SMTP envelope. */
  readonly rcptTo: ReadonlyArray<string>
  /** Size in bytes. */
  readonly size: number
  /** Time of receipt (UTC). */
  readonly receivedAt: DateTime.Utc
  /** Author in the header `From`. */
  readonly from: string
  /** Addresses in the header `To`. */
  readonly to: ReadonlyArray<string>
  /** Addresses in the header `Cc`. */
  readonly cc: ReadonlyArray<string>
  /** Subject line. */
  readonly subject: string
  /** Headers in their original order. */
  readonly headers: ReadonlyArray<{
    /** Name of the header. */
    readonly name: string
    /** Value of the header. */
    readonly value: string
  }>
  /** Plain-text part. Null: none. */
  readonly text: string | null
  /** HTML part. Null: none. */
  readonly html: string | null
  /** Attached files, without their content. */
  readonly attachments: ReadonlyArray<{
    /** Name of the file, without folders. */
    readonly filename: string
    /** Media type of the file. */
    readonly contentType: string
    /** Size in bytes. */
    readonly size: number
  }>
  /** Complete message as received over SMTP, header and body. */
  readonly raw: string
}
export interface MailboxMailSummary {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Header `Message-ID` (RFC 5322). */
  readonly messageId: string
  /** Reverse-path of the SMTP envelope. Empty for a delivery status notification. */
  readonly mailFrom: string
  /** Recipients of the SMTP envelope. */
  readonly rcptTo: ReadonlyArray<string>
  /** Size in bytes. */
  readonly size: number
  /** Time of receipt (UTC). */
  readonly receivedAt: DateTime.Utc
  /** Author in the header `From`. */
  readonly from: string
  /** Addresses in the header `To`. */
  readonly to: ReadonlyArray<string>
  /** Subject line. */
  readonly subject: string
}
export interface MailboxPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<MailboxMailSummary>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export interface MailboxReply {
  /** Plain text of the reply. */
  readonly text: string
  /** HTML part. Default: none. */
  readonly html?: string | undefined
  /** Subject line. Default: `Re:` and the subject of the mail. */
  readonly subject?: string | undefined
  /** Address of the author. Default: the first recipient of the mail. */
  readonly from?: string | undefined
  /** Files to attach, at most 20. Default: none. */
  readonly attachments?: ReadonlyArray<Attachment> | undefined
}
export interface MailboxSimulation {
  /** `bounce`: the mail comes back; `complaint`: a report as spam; `read`: the tracking pixel is loaded */
  readonly kind: "bounce" | "complaint" | "read"
}
/** an email address, or a name and an email address in angle brackets */
export interface MailboxText {
  /** Name shown to people. */
  readonly name?: string | undefined
  /** E-mail address. */
  readonly address: string
}
export type MenuItem = {
  /** Id of the item, unique within the menu. */
  readonly id: string
  /** Text that selects the item. */
  readonly label: string
  /** Words that select the item, besides its label. */
  readonly keywords?: ReadonlyArray<string> | undefined
  readonly [key: string]: unknown
}
export interface MenuMatch {
  /** Id of the item. */
  readonly menuItemId: string
  /** Label of the item. */
  readonly menuItemLabel: string
  /** Words of the person. */
  readonly matchedText: string
  /** Confidence of the match, 0 to 1. */
  readonly confidence: number
}
export interface Message {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Id of the conversation. Null: none. */
  readonly conversationId: string | null
  /** Id of the e-mail thread. Null: none. */
  readonly threadId: string | null
  /** Id of the message that this one replies to. Null: none. */
  readonly parentMessageId: string | null
  /** Id of the participant who sent the message. */
  readonly fromParticipantId: string
  /** Ids of the recipients' participants. */
  readonly toParticipantIds: ReadonlyArray<string>
  /** Reserved; null. */
  readonly participantMetadata: unknown | null
  /** Channel of the message. */
  readonly channel: Channel
  /** `outbound`: sent by the organization. `inbound`: received. */
  readonly direction: "outbound" | "inbound"
  /** Subject, bodies and attachments. */
  readonly content: EmailContent
  /** Time when the message is due (UTC). Null: at once. */
  readonly scheduledAt: DateTime.Utc | null
  /** Cost in `currency`, as a decimal number. */
  readonly cost: string
  /** Currency of `cost` (ISO 4217). */
  readonly currency: string
  /** Maximum number of retries after the first attempt. */
  readonly maxRetries: number
  /** Id of the workflow run that sent the message. Null: none. */
  readonly workflowRunId: string | null
  /** Id of the message in the delivery queue. */
  readonly queueMessageId: string | null
  /** Labels for filters. */
  readonly tags: ReadonlyArray<string>
  /** Categories for filters and for blocks by category. */
  readonly categories: ReadonlyArray<string>
  /** Whether it is a test. Test messages are not counted against the plan. */
  readonly isTest: boolean
  /** Whether it is internal to the organization. Set by the caller; it has no effect on delivery. */
  readonly isInternal: boolean
  /** Whether the service or an automatic reply created the message, not a person. */
  readonly isAutomated: boolean
  /** Id of the resource in the caller's own system. */
  readonly externalId: string | null
  /** Second id of the caller's own system, for example of an order. */
  readonly referenceId: string | null
  /** Id of the API key that sent the message. Null: not sent by a request. */
  readonly apiKeyId: string | null
  /** HTTP method of the request that sent the message. */
  readonly httpMethod: string | null
  /** Request that sent the message, without credentials. */
  readonly apiRequestMetadata: ApiRequestMetadata | null
  /** Response to the request that sent the message. */
  readonly apiResponseMetadata: ApiResponseMetadata | null
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Id of the API key that created the message. Null: created by the service. */
  readonly createdBy: string | null
  /** Current status. */
  readonly status: MessageStatus
  /** Statuses of the message, oldest first. */
  readonly statusHistory: ReadonlyArray<StatusEntry> | null
  /** Provider that took the message, for example `smtp`. */
  readonly provider: string | null
  /** Id of the message at the provider. */
  readonly providerMessageId: string | null
  /** Last status that the provider reported. */
  readonly providerStatus: string | null
  /** Last response of the provider. */
  readonly providerResponse: unknown | null
  /** Cost as the provider reported it. */
  readonly providerCost: unknown | null
  /** Time when the provider first took the message (UTC). */
  readonly sentAt: DateTime.Utc | null
  /** Time of delivery to the first recipient's mailbox (UTC). */
  readonly deliveredAt: DateTime.Utc | null
  /** Time when the first recipient opened the message (UTC). */
  readonly readAt: DateTime.Utc | null
  /** Time of the final failure (UTC). */
  readonly failedAt: DateTime.Utc | null
  /** Number of retries so far. */
  readonly retryCount: number
  /** Number of attempts to send so far. */
  readonly deliveryAttempts: number
  /** Text of the last error. */
  readonly lastError: string | null
  /** Details of the last error. */
  readonly errorDetails: ErrorDetails | null
  /** Time of the last attempt to send (UTC). */
  readonly lastAttemptAt: DateTime.Utc | null
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
  /** Participant who sent the message. */
  readonly fromParticipant: MessageParticipant | null
  /** Participants of the recipients. */
  readonly toParticipants?: ReadonlyArray<MessageParticipant> | undefined
  /** Addresses, headers and deliveries of an e-mail. */
  readonly emailMetadata?: EmailMetadata | null | undefined
  /** Details of a WhatsApp message. */
  readonly whatsappMetadata?: unknown | null | undefined
}
/** `message.bounced`: The recipients' server rejected a message permanently. */
export interface MessageBouncedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "message.bounced"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: MessageEventData
}
/** `message.complained`: A recipient reported a message as unwanted. */
export interface MessageComplainedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "message.complained"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: MessageEventData
}
/** `message.created`: A message was accepted. */
export interface MessageCreatedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "message.created"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: MessageEventData
}
/** `message.deleted`: The record of a message was deleted. */
export interface MessageDeletedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "message.deleted"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: DeletedMessage
}
/** `message.delivered`: A message reached a recipient's mailbox. */
export interface MessageDeliveredEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "message.delivered"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: MessageEventData
}
export interface MessageEventData {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Id of the conversation. Null: none. */
  readonly conversationId: string | null
  /** Id of the e-mail thread. Null: none. */
  readonly threadId: string | null
  /** Id of the message that this one replies to. Null: none. */
  readonly parentMessageId: string | null
  /** Id of the participant who sent the message. */
  readonly fromParticipantId: string
  /** Ids of the recipients' participants. */
  readonly toParticipantIds: ReadonlyArray<string>
  /** Reserved; null. */
  readonly participantMetadata: unknown | null
  /** Channel of the message. */
  readonly channel: Channel
  /** `outbound`: sent by the organization. `inbound`: received. */
  readonly direction: "outbound" | "inbound"
  /** Subject, bodies and attachments. */
  readonly content: EmailContentSummary
  /** Time when the message is due (UTC). Null: at once. */
  readonly scheduledAt: DateTime.Utc | null
  /** Cost in `currency`, as a decimal number. */
  readonly cost: string
  /** Currency of `cost` (ISO 4217). */
  readonly currency: string
  /** Maximum number of retries after the first attempt. */
  readonly maxRetries: number
  /** Id of the workflow run that sent the message. Null: none. */
  readonly workflowRunId: string | null
  /** Id of the message in the delivery queue. */
  readonly queueMessageId: string | null
  /** Labels for filters. */
  readonly tags: ReadonlyArray<string>
  /** Categories for filters and for blocks by category. */
  readonly categories: ReadonlyArray<string>
  /** Whether it is a test. Test messages are not counted against the plan. */
  readonly isTest: boolean
  /** Whether it is internal to the organization. Set by the caller; it has no effect on delivery. */
  readonly isInternal: boolean
  /** Whether the service or an automatic reply created the message, not a person. */
  readonly isAutomated: boolean
  /** Id of the resource in the caller's own system. */
  readonly externalId: string | null
  /** Second id of the caller's own system, for example of an order. */
  readonly referenceId: string | null
  /** Id of the API key that sent the message. Null: not sent by a request. */
  readonly apiKeyId: string | null
  /** HTTP method of the request that sent the message. */
  readonly httpMethod: string | null
  /** Request that sent the message, without credentials. */
  readonly apiRequestMetadata: ApiRequestMetadata | null
  /** Response to the request that sent the message. */
  readonly apiResponseMetadata: ApiResponseMetadata | null
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Id of the API key that created the message. Null: created by the service. */
  readonly createdBy: string | null
  /** Current status. */
  readonly status: MessageStatus
  /** Statuses of the message, oldest first. */
  readonly statusHistory: ReadonlyArray<StatusEntry> | null
  /** Provider that took the message, for example `smtp`. */
  readonly provider: string | null
  /** Id of the message at the provider. */
  readonly providerMessageId: string | null
  /** Last status that the provider reported. */
  readonly providerStatus: string | null
  /** Last response of the provider. */
  readonly providerResponse: unknown | null
  /** Cost as the provider reported it. */
  readonly providerCost: unknown | null
  /** Time when the provider first took the message (UTC). */
  readonly sentAt: DateTime.Utc | null
  /** Time of delivery to the first recipient's mailbox (UTC). */
  readonly deliveredAt: DateTime.Utc | null
  /** Time when the first recipient opened the message (UTC). */
  readonly readAt: DateTime.Utc | null
  /** Time of the final failure (UTC). */
  readonly failedAt: DateTime.Utc | null
  /** Number of retries so far. */
  readonly retryCount: number
  /** Number of attempts to send so far. */
  readonly deliveryAttempts: number
  /** Text of the last error. */
  readonly lastError: string | null
  /** Details of the last error. */
  readonly errorDetails: ErrorDetails | null
  /** Time of the last attempt to send (UTC). */
  readonly lastAttemptAt: DateTime.Utc | null
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
  /** Participant who sent the message. */
  readonly fromParticipant: MessageParticipant | null
  /** Participants of the recipients. */
  readonly toParticipants?: ReadonlyArray<MessageParticipant> | undefined
  /** Addresses, headers and deliveries of an e-mail. */
  readonly emailMetadata?: EmailMetadata | null | undefined
  /** Details of a WhatsApp message. */
  readonly whatsappMetadata?: unknown | null | undefined
}
/** `message.failed`: A message failed: it was rejected for all recipients, cancelled, or too old. */
export interface MessageFailedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "message.failed"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: MessageEventData
}
export interface MessagePage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<Message>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export interface MessageParticipant {
  /** Id of the participant. */
  readonly id: string
  /** Name shown to people. */
  readonly name: string
  /** Name shown to people instead of `name`. */
  readonly displayName: string | null
  /** `contact`: a person outside. `sender`: an address of the organization. `agent`: a voice agent. */
  readonly type: "contact" | "sender" | "agent"
  /** Addresses of the participant by channel. */
  readonly channelIdentities?: ChannelIdentities | undefined
}
/** `message.pending`: A scheduled message became due. */
export interface MessagePendingEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "message.pending"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: MessageEventData
}
/** `message.processing`: An attempt to send a message began. A result within half a second is published together. */
export interface MessageProcessingEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "message.processing"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: MessageEventData
}
/** `message.queued`: An attempt failed temporarily. The message waits for its next attempt. */
export interface MessageQueuedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "message.queued"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: MessageEventData
}
/** `message.read`: A recipient opened a message. */
export interface MessageReadEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "message.read"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: MessageEventData
}
/** `message.received`: A message was received. */
export interface MessageReceivedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "message.received"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: MessageEventData
}
/** `message.scheduled`: A message was accepted for a later time. */
export interface MessageScheduledEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "message.scheduled"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: MessageEventData
}
/** `message.sent`: The provider took a message for at least one recipient. */
export interface MessageSentEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "message.sent"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: MessageEventData
}
export type MessageStatus = "pending" | "scheduled" | "queued" | "processing" | "sent" | "delivered" | "read" | "failed" | "bounced" | "complained"
export interface MessageTimeline {
  /** Id of the message. */
  readonly id: string
  /** Status after the event. */
  readonly status: MessageStatus
  /** Events of the message, oldest first. */
  readonly events: ReadonlyArray<{
    /** Type of the event, for example `message.delivered`. */
    readonly type: string
    /** Status after the event. */
    readonly status?: MessageStatus | undefined
    /** Time of the entry (UTC). */
    readonly timestamp: string
    /** Reason of the event. */
    readonly reason?: string | undefined
    /** Address of the recipient that the event is about. */
    readonly recipient?: string | undefined
    /** Details of the event. */
    readonly metadata?: {
      readonly [key: string]: string | number | boolean | null
    } | undefined
  }>
}
export interface NamedEmailDomain {
  /** Name of a domain of the organization. */
  readonly domain: string
}
export type NoFields = {
  readonly [key: string]: unknown
}
export interface NodePosition {
  /** Horizontal position in the editor, in pixels. */
  readonly x: number
  /** Vertical position in the editor, in pixels. */
  readonly y: number
}
export interface OpenServiceWindow {
  /** Id of the participant whose window is opened. */
  readonly participantId: string
}
export interface Organization {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Name shown to people. */
  readonly name: string
  /** Unique name of lowercase letters, digits and hyphens, 1 to 63 characters. */
  readonly slug: string
  /** URL of the logo. */
  readonly logo?: string | undefined
  /** Id of the customer at the payment provider. */
  readonly paymentCustomerId?: string | undefined
  /** Currency of new messages' costs (ISO 4217). */
  readonly defaultCurrency: string
  /** Country (ISO 3166-1 alpha-2). */
  readonly countryCode?: string | undefined
  /** IANA time zone, used by statistics. */
  readonly timezone: string
  /** Address for invoices. */
  readonly billingEmail?: string | undefined
  /** Plan: the limit of messages a month. */
  readonly plan: "free" | "starter" | "growth" | "unlimited"
  /** Whether the organization's keys are accepted. */
  readonly isActive: boolean
  /** Free JSON object of the caller, at most 8192 bytes. */
  readonly metadata: {
    readonly [key: string]: unknown
  }
  /** Number of messages sent, in total. */
  readonly messagesUsed: number
  /** Number of messages sent this month. The plan limits it. */
  readonly messagesUsedThisMonth: number
  /** Number of text messages sent, in total. */
  readonly smsUsed: number
  /** Number of text messages sent this month. */
  readonly smsUsedThisMonth: number
  /** Number of WhatsApp messages sent, in total. */
  readonly whatsappUsed: number
  /** Number of WhatsApp messages sent this month. */
  readonly whatsappUsedThisMonth: number
  /** Number of e-mails sent, in total. */
  readonly emailUsed: number
  /** Number of e-mails sent this month. */
  readonly emailUsedThisMonth: number
  /** Number of participants. */
  readonly participantsUsed: number
  /** Number of conversations. */
  readonly conversationsUsed: number
  /** Number of team members. */
  readonly teamMembersUsed: number
  /** Time when the counters of this month start again at 0 (UTC). */
  readonly messagesResetAt: DateTime.Utc
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
}
/** `organization.updated`: The organization changed. */
export interface OrganizationUpdatedEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "organization.updated"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: Organization
}
/** `organization.usage_exceeded`: The organization reached the limit of its plan for this month. Sent once a month. */
export interface OrganizationUsageExceededEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "organization.usage_exceeded"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: Organization
}
export interface Pagination {
  /** Number of this page, from 1. */
  readonly page: number
  /** Items per page. */
  readonly limit: number
  /** Number of items in the list. Exact up to 10,000; above, it can be an estimate of at least 10,000, with the header `Total-Estimated: true`. */
  readonly total: number
  /** Number of pages. */
  readonly totalPages: number
}
export interface Participant {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Name shown to people. */
  readonly name: string
  /** Name shown to people instead of `name`. */
  readonly displayName?: string | undefined
  /** `contact`: a person outside. `sender`: an address of the organization. `agent`: a voice agent. */
  readonly type: "contact" | "sender" | "agent"
  /** Addresses of the participant by channel. */
  readonly channelIdentities: ChannelIdentities
  /** Country code (ISO 3166-1 alpha-2). */
  readonly country?: string | undefined
  /** Region or state within the country. */
  readonly region?: string | undefined
  /** Free JSON object of the caller, at most 8192 bytes. */
  readonly metadata?: {
    readonly [key: string]: unknown
  } | undefined
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
}
export interface ParticipantPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<Participant>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export interface ParticipantServiceWindow {
  /** Id of the window. */
  readonly serviceWindowId: string
  /** Whether the window is active. */
  readonly isServiceWindowActive: boolean
  /** Whether the free entry point is active. */
  readonly isFreeEntryPointActive: boolean
  /** Time when the window ends (UTC), 24 hours after its opening or the last received message. */
  readonly serviceWindowExpiresAt: DateTime.Utc
  /** Time when the free entry point ends (UTC), 72 hours after its activation. */
  readonly freeEntryPointExpiresAt?: DateTime.Utc | undefined
  /** Id of the participant of the window. An extension. */
  readonly participantId: string
}
export interface PlaceVoiceCall {
  /** Id of an active voice agent. */
  readonly voiceAgentId: string
  /** Number to call (E.164). */
  readonly to: string
  /** Number of the caller (E.164). Default: none. */
  readonly from?: string | undefined
  /** Simulated person of the sandbox carrier. It has no effect with another carrier. An extension. */
  readonly sandbox?: SandboxOptions | undefined
}
export interface QueueDepth {
  /** The name of the queue. */
  readonly queue: "message" | "inbound" | "forwarding" | "webhook" | "voice_call" | "voice_notice"
  /** The entries that a worker may lease. */
  readonly ready: number
  /** The entries leased by workers. */
  readonly leased: number
  /** The entries that are due later. */
  readonly waiting: number
  /** The age of the oldest due entry in seconds; 0 if there is none; of many ready entries, the oldest of a sample. */
  readonly oldestSeconds: number
  /** Whether no entry is sent, since an operator paused the channel, or since the database is a restored copy; false if only organizations are paused. */
  readonly isPaused: boolean
}
export interface ReceivingEnabled {
  /** `true` if the operation took effect. */
  readonly success: boolean
  /** `inbound-` and the name of the domain. */
  readonly ruleName: string
  /** Addresses that receive mail. `*@` and the domain: all. */
  readonly recipients: ReadonlyArray<string>
}
export interface RecordReport {
  /** Type of the record, for example `TXT`. */
  readonly type: string
  /** Name of the record. */
  readonly name: string
  /** Expected value. */
  readonly expected: string
  /** Values in the DNS. */
  readonly found: ReadonlyArray<string>
  /** Whether the expected value was found. */
  readonly ok: boolean
  /** `ok`: the expected value was found. `missing`: there is no value. `differs`: there are other values (an extension). */
  readonly state: RecordState
}
export type RecordState = "ok" | "missing" | "differs"
/** `recording.ready`: The recording of a call is available. */
export interface RecordingReadyEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "recording.ready"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: VoiceCall
}
export interface RecoverWebhook {
  /** Start of the range: ISO 8601 date-time with a time zone, at most 30 days ago. */
  readonly since: DateTime.Utc
}
export interface RecoveredWebhook {
  /** Number of deliveries that were queued again. */
  readonly requeued: number
}
export interface RefusedBlockLine {
  /** Number of the line in the file, from 1. For a cell over several lines: the last of them. */
  readonly line: number
  /** Errors of the line, by column. */
  readonly fields: {
    readonly [key: string]: ReadonlyArray<string>
  }
}
export interface RegenerateSecret {
  /** Id of the endpoint. It must equal the path parameter. */
  readonly webhookId?: string | undefined
}
export interface RegeneratedSecret {
  /** New secret: `whsec_` and 32 random bytes in base64. */
  readonly newSecret: string
}
export interface RelayState {
  /** Host and port of the relay, or `local mailbox`. */
  readonly relay: string
  /** `closed`: messages are sent; `open`: messages wait until `nextAttemptAt`; `half_open`: one message probes the relay. */
  readonly state: "closed" | "open" | "half_open"
  /** When an open breaker lets one message probe the relay; null if closed. */
  readonly nextAttemptAt: DateTime.Utc | null
}
export interface RemoveParticipants {
  /** Id of the conversation. It must equal the path parameter. */
  readonly id?: string | undefined
  /** Ids of participants. Repeated ids count once. */
  readonly participantIds: ReadonlyArray<string>
}
export interface Removed {
  /** `true` if the operation took effect. */
  readonly success: true
}
export interface RenderTemplate {
  /** Values for the variables of the template, by name. Default: none. */
  readonly data?: {
    readonly [key: string]: unknown
  } | undefined
  /** Subject to render in place of that of the template. */
  readonly subject?: string | undefined
  /** HTML to render in place of that of the template. */
  readonly html?: string | undefined
  /** Text to render in place of that of the template. `null`: made from the HTML. */
  readonly text?: string | null | undefined
  /** Fallbacks in place of those of the template. `null`: none. */
  readonly variables?: ReadonlyArray<TemplateFallback> | null | undefined
}
export interface RenderedTemplate {
  /** Subject line. */
  readonly subject: string
  /** HTML part. */
  readonly html: string
  /** Plain-text part. */
  readonly text: string
  /** Required variables that the data lacks. A send would be rejected for them. */
  readonly missing: ReadonlyArray<string>
}
export interface RequestUpload {
  /** Name of the file, without folders, 1 to 255 characters. */
  readonly filename: string
  /** Media type of the file, at most 255 characters. */
  readonly contentType: string
  /** Size in bytes, 1 to 52428800 (50 MiB). */
  readonly contentLength: number
}
export type ResolutionType = "automated" | "manual" | "timeout" | "duplicate" | "spam"
export interface RotateApiKey {
  /** Seconds for which the old key stays valid, 0 to 86400. Default: 0. */
  readonly gracePeriodSeconds?: number | undefined
}
/** the simulation of the call while no real carrier is configured; an extension */
export interface SandboxOptions {
  /** Replies of the simulated person, in order, at most 100. An empty text is silence. Default: none. */
  readonly answers?: ReadonlyArray<string> | undefined
  /** Simulated seconds per second of the clock, 1 to 100. Default: 5. */
  readonly speed?: number | undefined
}
export interface SendEmail {
  /** Addresses for replies, with or without display names, at most 20. Default: the sender's `replyTo`. */
  readonly replyTo?: ReadonlyArray<string> | undefined
  /** Author: an address, with or without a display name. Default: the organization's default sender. */
  readonly from?: MailboxText | undefined
  /** Attached files: at most 20, 25 MiB in total. Default: none. */
  readonly attachments?: ReadonlyArray<Attachment> | undefined
  /** Additional headers, also `Auto-Submitted` (RFC 3834) and `List-Id` (RFC 2919). Default: none. */
  readonly headers?: EmailHeaders | undefined
  /** Tags of the e-mail, at most 20. Default: none. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Whether each recipient gets a separate copy with a tracking image at the end of its HTML. Default: false. An extension. */
  readonly trackOpens?: boolean | undefined
  /** Subject line, at most 998 characters. Required without `templateId`. */
  readonly subject?: string | undefined
  /** HTML part. Default: made from `text`, escaped, with its line breaks (an extension). */
  readonly html?: string | undefined
  /** Plain-text part. Default: made from the HTML part. */
  readonly text?: string | undefined
  /** Id of a template that supplies the parts not given here. Default: none. */
  readonly templateId?: string | undefined
  /** Values for the variables of the template, by name. */
  readonly templateData?: {
    readonly [key: string]: unknown
  } | undefined
}
/** an email address or a contact */
export type SendRecipient = {
  /** E-mail address. Either this or `contactId`. */
  readonly email: string
  /** Id of a participant with an e-mail address. Either this or `email`. */
  readonly contactId?: undefined
  /** Display name in the header, 1 to 200 characters. An extension. */
  readonly name?: string | undefined
} | {
  /** E-mail address. Either this or `contactId`. */
  readonly email?: undefined
  /** Id of a participant with an e-mail address. Either this or `email`. */
  readonly contactId: string
  /** Display name in the header, 1 to 200 characters. An extension. */
  readonly name?: string | undefined
}
export interface SendRequest {
  /** Channel. Only `email` can be sent today. */
  readonly channel: "email"
  /** Recipients. At most 50 different recipients over `to`, `cc` and `bcc`. */
  readonly to: ReadonlyArray<SendRecipient>
  /** Recipients of copies. Default: none. */
  readonly cc?: ReadonlyArray<SendRecipient> | undefined
  /** Recipients of blind copies. Default: none. */
  readonly bcc?: ReadonlyArray<SendRecipient> | undefined
  /** Key that makes a repeated send return the first message, 1 to 255 characters. Stored for 30 days. Default: the header `Idempotency-Key`. */
  readonly idempotencyKey?: string | undefined
  /** Time when the message is due: ISO 8601 date-time with a time zone. Default: at once. */
  readonly scheduledAt?: DateTime.Utc | undefined
  /** Id of the conversation that the message joins. Default: none. */
  readonly conversationId?: string | undefined
  /** Id of the message in the caller's own system, 1 to 255 characters. Default: none. */
  readonly externalId?: string | undefined
  /** Second id of the caller's own system, 1 to 255 characters. Default: none. */
  readonly referenceId?: string | undefined
  /** Labels for filters, at most 20. Default: none. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Categories, at most 20. A recipient with a block on any of them is skipped. `marketing` and `transactional` exclude each other. Default: none. */
  readonly categories?: ReadonlyArray<string> | undefined
  /** Whether the message is a test. Test messages are not counted against the plan. Default: false. */
  readonly isTest?: boolean | undefined
  /** Content of the e-mail. */
  readonly email: SendEmail
}
export interface SenderStanding {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** `pending`: the address is not confirmed yet. `verified`: it can send. `failed`: it cannot send. */
  readonly verificationStatus: SenderVerification
  /** Time of verification (UTC). */
  readonly verifiedAt?: DateTime.Utc | undefined
}
export type SenderVerification = "pending" | "verified" | "failed"
export interface ServiceWindow {
  /** Id of the window. */
  readonly serviceWindowId: string
  /** Whether the window is active. */
  readonly isServiceWindowActive: boolean
  /** Whether the free entry point is active. */
  readonly isFreeEntryPointActive: boolean
  /** Time when the window ends (UTC), 24 hours after its opening or the last received message. */
  readonly serviceWindowExpiresAt: DateTime.Utc
  /** Time when the free entry point ends (UTC), 72 hours after its activation. */
  readonly freeEntryPointExpiresAt?: DateTime.Utc | undefined
}
export interface ServiceWindowPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<ParticipantServiceWindow>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export interface Session {
  /** Value of the header `X-CSRF-Token` for requests that change something. */
  readonly csrfToken: string
  /** Time when the session ends (UTC). */
  readonly expiresAt: DateTime.Utc
}
export interface SessionDetails {
  /** Value of the header `X-CSRF-Token` for requests that change something. */
  readonly csrfToken: string
  /** Time when the session ends (UTC). */
  readonly expiresAt: DateTime.Utc
  /** Organization of the session. */
  readonly organization: {
    /** Id of the resource (UUID version 7). */
    readonly id: string
    /** Name shown to people. */
    readonly name: string
  }
  /** Granted actions by resource: those of the API key. `*`: all. */
  readonly permissions: {
    readonly [key: string]: ReadonlyArray<string>
  }
  /** Role that the permissions come from. Absent: none. */
  readonly roleName?: "admin" | "sender" | "viewer" | undefined
}
export interface Simulated {
  /** `true`: the event is reported. The message changes shortly after. */
  readonly success: true
}
export interface StatusEntry {
  /** New status. */
  readonly status: MessageStatus
  /** Time of the entry (UTC). */
  readonly timestamp: string
  /** Reason of the change. */
  readonly reason?: string | undefined
  /** Details of the change. */
  readonly metadata?: {
    readonly [key: string]: string | number | boolean | null
  } | null | undefined
}
/** an event's name, a group like message.*, or * */
export type Subscription = "*" | "message.created" | "message.pending" | "message.scheduled" | "message.queued" | "message.processing" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "message.bounced" | "message.complained" | "message.received" | "message.deleted" | "email_domain.created" | "email_domain.verified" | "email_domain.degraded" | "email_domain.failed" | "email_domain.deleted" | "email_sender.created" | "email_sender.verified" | "email_sender.deleted" | "email_block.created" | "email_block.deleted" | "conversation.created" | "conversation.updated" | "conversation.resolved" | "conversation.reopened" | "conversation.participant_added" | "conversation.participant_removed" | "api_key.created" | "api_key.rotated" | "api_key.deleted" | "call.started" | "call.answered" | "call.ended" | "call.failed" | "recording.ready" | "transcript.ready" | "webhook_endpoint.test" | "webhook_endpoint.disabled" | "organization.updated" | "organization.usage_exceeded" | "message.*" | "email_domain.*" | "email_sender.*" | "email_block.*" | "conversation.*" | "api_key.*" | "call.*" | "recording.*" | "transcript.*" | "webhook_endpoint.*" | "organization.*"
export interface SwitchCatchAll {
  /** Name of a domain of the organization. */
  readonly domain: string
  /** Addresses that a copy of each mail is forwarded to, at most 20. */
  readonly forwardTo?: ReadonlyArray<string> | undefined
}
export interface SystemStatus {
  /** The release of the service. */
  readonly version: string
  /** The queues, over all organizations. */
  readonly queues: ReadonlyArray<QueueDepth>
  /** The relays of the process that responds; none if it has no worker. */
  readonly relays: ReadonlyArray<RelayState>
  /** The results of the checks of `switchboard doctor`. */
  readonly findings: ReadonlyArray<Finding>
  /** Time of the checks (UTC): at most a minute ago. */
  readonly checkedAt: DateTime.Utc
}
export interface Template {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Name, unique within the organization. */
  readonly name: string
  /** Subject line (Mustache). */
  readonly subject: string
  /** HTML part (Mustache). */
  readonly html: string
  /** Plain-text part (Mustache). */
  readonly text?: string | undefined
  /** Variables that the parts contain. */
  readonly variables: ReadonlyArray<TemplateVariable>
  /** Version, from 1. Each change increments it. */
  readonly version: number
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
}
export interface TemplateFallback {
  /** Name of the variable. */
  readonly name: string
  /** Value if the data has none. */
  readonly fallback: string
}
export interface TemplatePage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<Template>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export interface TemplateVariable {
  /** Name of the variable. */
  readonly name: string
  /** Whether a send must supply it: it is outside sections and has no fallback. */
  readonly required: boolean
  /** Value if the data has none. */
  readonly fallback?: string | undefined
}
export interface TemplateVersion {
  /** Id of the template. */
  readonly templateId: string
  /** Version, from 1. Each change increments it. */
  readonly version: number
  /** Subject line (Mustache). */
  readonly subject: string
  /** HTML part (Mustache). */
  readonly html: string
  /** Plain-text part (Mustache). */
  readonly text?: string | undefined
  /** Variables that the parts contain. */
  readonly variables: ReadonlyArray<TemplateVariable>
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
}
export interface TemplateVersionPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<TemplateVersion>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export interface TestWebhook {
  /** Type of the example event. Default: `webhook_endpoint.test`. */
  readonly event?: EventType | undefined
}
export interface Thread {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Id of the conversation of the thread. */
  readonly conversationId: string
  /** Subject of the thread, without prefixes such as `Re:`. */
  readonly subject: string
  /** Status of the conversation. `waiting` and `snoozed` are shown as `active`. */
  readonly status: ThreadStatus
  /** Authors and recipients of the messages, by id. */
  readonly participants: ReadonlyArray<MessageParticipant>
  /** Number of messages. */
  readonly messageCount: number
  /** Number of messages received since the thread was last marked as read. */
  readonly unreadCount: number
  /** Time of the first message (UTC). */
  readonly firstMessageAt: DateTime.Utc
  /** Time of the last message (UTC). */
  readonly lastMessageAt: DateTime.Utc
  /** Direction of the last message. */
  readonly lastMessageDirection: "outbound" | "inbound"
  /** Whether any message has attachments. */
  readonly hasAttachments: boolean
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
}
export interface ThreadCounts {
  /** Number of all threads. */
  readonly totalThreads: number
  /** Number of active threads. */
  readonly activeThreads: number
  /** Number of resolved threads. */
  readonly resolvedThreads: number
  /** Number of archived threads. */
  readonly archivedThreads: number
  /** Number of threads that began in the last 7 days. */
  readonly threadsLast7Days: number
  /** Number of threads that began in the last 30 days. */
  readonly threadsLast30Days: number
}
export interface ThreadMessagePage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<Message>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export interface ThreadMetadata {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Subject of the thread, without prefixes such as `Re:`. */
  readonly subject: string
  /** Authors and recipients of the messages, by id. */
  readonly participants: ReadonlyArray<MessageParticipant>
  /** Number of messages. */
  readonly messageCount: number
  /** Number of messages received since the thread was last marked as read. */
  readonly unreadCount: number
  /** Time of the first message (UTC). */
  readonly firstMessageAt: DateTime.Utc
  /** Time of the last message (UTC). */
  readonly lastMessageAt: DateTime.Utc
  /** Whether any message has attachments. */
  readonly hasAttachments: boolean
}
export interface ThreadPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<Thread>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export type ThreadStatus = "active" | "resolved" | "archived"
export interface TopParticipant {
  /** Id of the participant. */
  readonly participantId: string
  /** Name of the participant. */
  readonly name: string
  /** Number of messages to and from the participant. */
  readonly messageCount: number
  /** Time of the last message in the range (UTC). */
  readonly lastMessageAt: DateTime.Utc
}
/** `transcript.ready`: The transcript of a call is available. */
export interface TranscriptReadyEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "transcript.ready"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: VoiceCall
}
export interface UpdateApiKey {
  /** Name shown to people, at most 200 characters. */
  readonly name?: string | undefined
  /** Free text, at most 1000 characters. */
  readonly description?: string | null | undefined
  /** Granted actions by resource. `*`: all. */
  readonly permissions?: GrantablePermissions | undefined
  /** Role that the permissions come from. */
  readonly roleName?: "admin" | "sender" | "viewer" | undefined
  /** Time when the key expires: ISO 8601 date-time with a time zone. Null: never. */
  readonly expiresAt?: DateTime.Utc | null | undefined
  /** Whether the key is accepted. */
  readonly isActive?: boolean | undefined
}
export interface UpdateBlock {
  /** Reason of the block. */
  readonly reason?: BlockReason | null | undefined
  /** Time when the block ends: ISO 8601 date-time with a time zone. Null: never. */
  readonly expiresAt?: DateTime.Utc | null | undefined
}
export interface UpdateCatchAll {
  /** Name of a domain of the organization. */
  readonly domain: string
  /** Addresses that a copy of each mail is forwarded to, at most 20. */
  readonly forwardTo?: ReadonlyArray<string> | null | undefined
  /** Whether the catch-all is on. */
  readonly enabled?: boolean | undefined
  /** Addresses that the catch-all rejects. Complete addresses, or only local parts (before the `@`). */
  readonly exclude?: ReadonlyArray<string> | null | undefined
}
export interface UpdateConversation {
  /** Title shown to people. */
  readonly title?: string | null | undefined
  /** Free text, shown to people only. */
  readonly description?: string | null | undefined
  /** Id of the resource in the caller's own system. */
  readonly externalId?: string | null | undefined
  /** Id of the parent conversation. */
  readonly parentConversationId?: string | null | undefined
  /** Channels of the conversation, at least one. */
  readonly channels?: ReadonlyArray<"sms" | "whatsapp" | "email" | "voice"> | undefined
  /** Preferred channel, one of `channels`. */
  readonly primaryChannel?: "sms" | "whatsapp" | "email" | "voice" | null | undefined
  /** Reason of the status, at most 2000 characters. A new status removes it. */
  readonly statusReason?: string | null | undefined
  /** JSON of the caller, at most 4096 bytes. */
  readonly metadata?: string | null | undefined
  /** JSON of the caller, at most 4096 bytes. */
  readonly context?: string | null | undefined
  /** Notes on the resolution, at most 2000 characters. */
  readonly resolutionNotes?: string | null | undefined
  /** Current status. */
  readonly status?: ConversationStatus | undefined
  /** Kind of resolution. */
  readonly resolutionType?: ResolutionType | undefined
  /** Priority, 0 to 4. 2 is normal. */
  readonly priority?: number | null | undefined
  /** Urgency, set by the caller. */
  readonly urgency?: Urgency | null | undefined
  /** Complexity, set by the caller. */
  readonly complexity?: Complexity | null | undefined
  /** Labels for filters. */
  readonly tags?: ReadonlyArray<string> | null | undefined
  /** Categories for filters and for blocks by category. */
  readonly categories?: ReadonlyArray<string> | null | undefined
  /** Whether it is a test. Test messages are not counted against the plan. */
  readonly isTest?: boolean | null | undefined
  /** Whether it is internal to the organization. Set by the caller; it has no effect on delivery. */
  readonly isInternal?: boolean | null | undefined
  /** Whether it is private. Set by the caller; it has no effect on access. */
  readonly isPrivate?: boolean | null | undefined
}
export interface UpdateDraft {
  /** Channel of the draft. */
  readonly channel?: Channel | undefined
  /** Recipients, at most 50. */
  readonly recipients?: ReadonlyArray<DraftRecipient> | undefined
  /** Content written so far. */
  readonly content?: DraftContent | undefined
  /** Title shown to people, at most 500 characters. */
  readonly title?: string | null | undefined
}
export interface UpdateForwardingRule {
  /** Name shown to people. */
  readonly name?: string | undefined
  /** Conditions. All must hold; upper and lower case are equal. */
  readonly match?: {
    /** Recipient: an address, or `*@` and a domain. */
    readonly recipient?: string | undefined
    /** Address in the header `From`: an address, or `*@` and a domain. */
    readonly sender?: string | undefined
    /** Part of the subject. */
    readonly subjectContains?: string | undefined
  } | undefined
  /** Addresses that mail is forwarded to, 1 to 20. */
  readonly forwardTo?: ReadonlyArray<string> | undefined
  /** Whether the mail is also received. */
  readonly keepCopy?: boolean | null | undefined
  /** Whether `From` is rewritten if the sender's DMARC policy is `quarantine` or `reject`. An extension. */
  readonly rewriteFrom?: boolean | null | undefined
  /** Whether the rule applies. */
  readonly isActive?: boolean | null | undefined
  /** Order of the rules: the lowest number is tried first, 0 to 1000000. */
  readonly priority?: number | null | undefined
}
export interface UpdateOrganization {
  /** Name shown to people. */
  readonly name?: string | undefined
  /** Unique name of lowercase letters, digits and hyphens, 1 to 63 characters. */
  readonly slug?: string | undefined
  /** URL of the logo. */
  readonly logo?: string | null | undefined
  /** Currency of new messages' costs (ISO 4217). */
  readonly defaultCurrency?: string | undefined
  /** Country (ISO 3166-1 alpha-2). */
  readonly countryCode?: string | null | undefined
  /** IANA time zone, used by statistics. */
  readonly timezone?: string | undefined
  /** Address for invoices. */
  readonly billingEmail?: string | null | undefined
  /** Free JSON object, at most 8192 bytes. It replaces the earlier one. */
  readonly metadata?: {
    readonly [key: string]: unknown
  } | null | undefined
}
export interface UpdateParticipant {
  /** Name shown to people. */
  readonly name?: string | undefined
  /** Name shown to people instead of `name`. */
  readonly displayName?: string | null | undefined
  /** E-mail address. It replaces all earlier ones; null removes them. */
  readonly email?: string | null | undefined
  /** Phone number with its country code. It replaces all earlier ones; null removes them. */
  readonly phone?: string | null | undefined
  /** Phone number of a WhatsApp account. It replaces all earlier ones; null removes them. */
  readonly whatsappId?: string | null | undefined
  /** Country code (ISO 3166-1 alpha-2). */
  readonly country?: string | null | undefined
  /** Region or state within the country. */
  readonly region?: string | null | undefined
  /** Free JSON object, at most 8192 bytes. It replaces the earlier one; null removes it. */
  readonly metadata?: {
    readonly [key: string]: unknown
  } | null | undefined
}
export interface UpdateTemplate {
  /** Name, unique within the organization. */
  readonly name?: string | undefined
  /** Subject line (Mustache). */
  readonly subject?: string | undefined
  /** HTML part (Mustache). */
  readonly html?: string | undefined
  /** Plain-text part (Mustache). */
  readonly text?: string | null | undefined
  /** Fallback values of variables. They replace all earlier ones. */
  readonly variables?: ReadonlyArray<TemplateFallback> | null | undefined
}
export interface UpdateVoiceAgent {
  /** Name shown to people. */
  readonly name?: string | undefined
  /** Free text, shown to people only. */
  readonly description?: string | null | undefined
  /** Instructions for a language model, at most 20000 characters. */
  readonly systemPrompt?: string | null | undefined
  /** Id of the voice for speech synthesis, at most 200 characters. */
  readonly voiceId?: string | null | undefined
  /** Language of the agent (BCP 47), at most 35 characters. */
  readonly language?: string | null | undefined
  /** Transport of the calls: `webrtc`, or `pstn` (telephone network). */
  readonly transport?: VoiceTransport | null | undefined
  /** Webhook for the events of the agent's calls. */
  readonly webhookConfig?: GivenVoiceWebhook | null | undefined
  /** Whether the agent can make calls. */
  readonly isActive?: boolean | null | undefined
}
export interface UpdateVoiceWorkflow {
  /** Name shown to people. */
  readonly name?: string | undefined
  /** Free text, shown to people only. */
  readonly description?: string | null | undefined
  /** Nodes of the draft graph, at most 500. */
  readonly nodes?: ReadonlyArray<WorkflowNode> | undefined
  /** Edges of the draft graph, at most 1000. */
  readonly edges?: ReadonlyArray<WorkflowEdge> | undefined
  /** Viewport of the editor. */
  readonly viewport?: WorkflowViewport | null | undefined
  /** Whether calls follow the workflow. Otherwise the agent only greets. */
  readonly isEnabled?: boolean | null | undefined
}
export interface UpdateWebhookEndpoint {
  /** Name shown to people. */
  readonly name?: string | undefined
  /** URL that receives the events: https, or http where the operator allows it. */
  readonly url?: string | undefined
  /** 1 to 100 event types, groups such as `message.*`, or `*`. */
  readonly events?: ReadonlyArray<Subscription> | undefined
  /** `active` or `paused`. */
  readonly status?: "active" | "paused" | undefined
  /** Free text, shown to people only. */
  readonly description?: string | null | undefined
  /** Whether only events of test messages are delivered. */
  readonly testMode?: boolean | null | undefined
  /** Order for the caller, a 32-bit signed integer. It has no effect on delivery. */
  readonly priority?: number | null | undefined
  /** Conditions on the message of an event. They replace the earlier ones. */
  readonly filters?: WebhookFilters | null | undefined
  /** Limit of the request rate. It replaces the earlier one. */
  readonly rateLimit?: WebhookRateLimit | null | undefined
  /** Additional request headers, at most 20. They replace the earlier ones. */
  readonly headers?: {
    readonly [key: string]: string
  } | null | undefined
}
export interface UploadAttachment {
  /** Name of the file, without folders. */
  readonly filename: string
  /** Media type, with parameters if any. `text/calendar` with a `method` is sent as an invitation (RFC 6047). Default: derived from the extension of `filename`. */
  readonly contentType: string
  /** Content in base64, at most 25 MiB after decoding. */
  readonly content: string | FileContent
}
export interface UploadedAttachment {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Name of the file, without folders. */
  readonly filename: string
  /** Media type of the file. */
  readonly contentType: string
  /** Size in bytes. */
  readonly size: number
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
}
export type Urgency = "low" | "medium" | "high" | "critical"
export interface VoiceAgent {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Id of the workflow that the agent is linked with. */
  readonly workflowId?: string | undefined
  /** Name shown to people. */
  readonly name: string
  /** Free text, shown to people only. */
  readonly description?: string | undefined
  /** Instructions for a language model, at most 20000 characters. */
  readonly systemPrompt?: string | undefined
  /** Id of the voice for speech synthesis, at most 200 characters. */
  readonly voiceId?: string | undefined
  /** Language of the agent (BCP 47), at most 35 characters. */
  readonly language?: string | undefined
  /** Transport of the calls: `webrtc`, or `pstn` (telephone network). */
  readonly transport: VoiceTransport
  /** Webhook for the events of the agent's calls. */
  readonly webhookConfig?: VoiceWebhookConfig | undefined
  /** Whether the agent can make calls. */
  readonly isActive: boolean
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
}
export type VoiceAgentEvent = "call.started" | "call.answered" | "call.ended" | "call.failed" | "recording.ready" | "transcript.ready"
export interface VoiceAgentPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<VoiceAgent>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export interface VoiceCall {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Id of the organization's phone number. */
  readonly phoneNumberId?: string | undefined
  /** Id of the voice agent. */
  readonly voiceAgentId?: string | undefined
  /** Id of the conversation. */
  readonly conversationId?: string | undefined
  /** Transport of the call. */
  readonly transport: string
  /** Id of the call at the carrier. */
  readonly callControlId?: string | undefined
  /** Id of the session at the carrier, once the call is answered. */
  readonly sessionId?: string | undefined
  /** `outbound`: sent by the organization. `inbound`: received. */
  readonly direction: "inbound" | "outbound"
  /** Number of the caller (E.164). */
  readonly from?: string | undefined
  /** Number that is called (E.164). */
  readonly to?: string | undefined
  /** Summary in a few sentences, once the call is over. */
  readonly summary?: string | undefined
  /** Download link of the transcript (text), valid for 15 minutes. */
  readonly transcriptUrl?: string | undefined
  /** Download link of the recording (WAV), valid for 15 minutes. */
  readonly recordingUrl?: string | undefined
  /** Current status. */
  readonly status: VoiceCallStatus
  /** Time when the carrier took the call (UTC). */
  readonly initiatedAt?: DateTime.Utc | undefined
  /** Time when the call was answered (UTC). */
  readonly answeredAt?: DateTime.Utc | undefined
  /** Time when the call ended (UTC). */
  readonly endedAt?: DateTime.Utc | undefined
  /** Duration in seconds, from the answer to the end. */
  readonly durationSeconds?: number | undefined
  /** Details of the call. */
  readonly metadata?: VoiceCallMetadata | undefined
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
}
export interface VoiceCallMetadata {
  /** Ids of the media tracks. */
  readonly trackIds?: {
    /** Id of the audio track. */
    readonly audio?: string | undefined
    /** Id of the video track. */
    readonly video?: string | undefined
  } | undefined
  /** Language of the speech recognition. */
  readonly sttLanguage?: string | undefined
  /** Voice of the speech synthesis. */
  readonly ttsVoice?: string | undefined
  /** Code of the error that ended the call. */
  readonly errorCode?: string | undefined
  /** Text of the error that ended the call. */
  readonly errorMessage?: string | undefined
  /** Matches of menu items, oldest first. */
  readonly menuMatches?: ReadonlyArray<MenuMatch> | undefined
  /** Last match of a menu item. */
  readonly menuFinalSelection?: MenuMatch | undefined
  /** Number of times that the person interrupted the agent. */
  readonly bargeInCount?: number | undefined
  /** Further details, for example `carrier` and `speed`. */
  readonly customFields?: {
    readonly [key: string]: unknown
  } | undefined
}
export interface VoiceCallPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<VoiceCall>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export type VoiceCallStatus = "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "cancelled"
export type VoiceTransport = "webrtc" | "pstn"
export interface VoiceWebhookConfig {
  /** URL that receives the events. */
  readonly url: string
  /** Additional request headers. Values are `…` without the permission `voice.write`. */
  readonly headers?: {
    readonly [key: string]: string
  } | undefined
  /** Event types that are posted. */
  readonly events: ReadonlyArray<VoiceAgentEvent>
  /** Secret that signs the requests. Only in the response that created it. An extension. */
  readonly secret?: string | undefined
}
export interface VoiceWorkflow {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Id of the agent that the workflow is linked with. */
  readonly voiceAgentId?: string | undefined
  /** Name shown to people. */
  readonly name: string
  /** Free text, shown to people only. */
  readonly description?: string | undefined
  /** Nodes of the draft graph, at most 500. */
  readonly nodes: ReadonlyArray<WorkflowNode>
  /** Edges of the draft graph, at most 1000. */
  readonly edges: ReadonlyArray<WorkflowEdge>
  /** Viewport of the editor. */
  readonly viewport?: WorkflowViewport | undefined
  /** Nodes of the graph that calls follow. */
  readonly publishedNodes?: ReadonlyArray<WorkflowNode> | undefined
  /** Edges of the graph that calls follow. */
  readonly publishedEdges?: ReadonlyArray<WorkflowEdge> | undefined
  /** Viewport at the last publication. */
  readonly publishedViewport?: WorkflowViewport | undefined
  /** Whether calls follow the workflow. Otherwise the agent only greets. */
  readonly isEnabled: boolean
  /** Number of publications. 0: never published. */
  readonly version: number
  /** Time of the last publication (UTC). */
  readonly publishedAt?: DateTime.Utc | undefined
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
}
export interface VoiceWorkflowPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<VoiceWorkflow>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export interface WebhookAttempt {
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /** `scheduled`: by the retry schedule. `manual`: by a retry. `test`: by a test. */
  readonly trigger: WebhookTrigger
  /** Time of the attempt (UTC). */
  readonly at: DateTime.Utc
  /** Headers of the request. Values that were set at the endpoint are `[hidden]` (an extension). */
  readonly requestHeaders?: {
    readonly [key: string]: string
  } | undefined
  /** HTTP status of the response. */
  readonly responseStatus?: number | undefined
  /** Headers of the response, the first 4 KB. Values of cookies and credentials are `[hidden]` (an extension). */
  readonly responseHeaders?: {
    readonly [key: string]: string
  } | undefined
  /** First 4 KB of the response body. */
  readonly responseBody?: string | undefined
  /** Duration in milliseconds. */
  readonly durationMs: number
  /** Error without a response, for example a timeout. */
  readonly error?: string | undefined
}
export interface WebhookConfiguration {
  /** URL that receives the events. */
  readonly url: string
  /** Event types, groups such as `message.*`, or `*`. */
  readonly events: ReadonlyArray<string>
  /** Additional request headers. Absent: none. */
  readonly headers?: {
    readonly [key: string]: string
  } | undefined
  /** Signing secret, in the response of create only: `whsec_` and 32 random bytes in base64. */
  readonly secret?: string | undefined
}
export interface WebhookDelivery {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the endpoint. */
  readonly endpointId: string
  /** Id of the event. */
  readonly eventId: string
  /** Type of the event. */
  readonly eventType: EventType
  /** `pending`: an attempt follows. `retrying`: an attempt failed and another follows (an extension). `succeeded`: the endpoint responded with 2xx. `failed`: no further attempt. */
  readonly status: WebhookDeliveryStatus
  /** Body of each attempt, JSON. Absent before the first one, and after the message was deleted (an extension). */
  readonly requestBody?: string | undefined
  /** Attempts of the last 30 days, oldest first. */
  readonly attempts: ReadonlyArray<WebhookAttempt>
  /** Time of the next attempt (UTC). Absent: none follows, or the endpoint is not active. */
  readonly nextAttemptAt?: DateTime.Utc | undefined
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
}
export interface WebhookDeliveryPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<WebhookDelivery>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
export type WebhookDeliveryStatus = "pending" | "retrying" | "succeeded" | "failed"
export interface WebhookEndpoint {
  /** Id of the resource (UUID version 7). */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Name shown to people. */
  readonly name: string
  /** Name in lowercase, derived from `name`. */
  readonly slug: string
  /** Free text, shown to people only. */
  readonly description?: string | undefined
  /** Kind of endpoint. */
  readonly type: "webhook"
  /** JSON: `url`, `events`, `headers` and, in the response of create, `secret`. */
  readonly config: string
  /** Content of `config` as an object (an extension). */
  readonly configuration: WebhookConfiguration
  /** JSON: `channels`, `tags` and `isTest`. */
  readonly filters: string
  /** JSON: `maxPerSecond`. */
  readonly rateLimit: string
  /** JSON: `delivered`, `failed`, `pending`, `successRate` of the attempts, `averageLatencyMs`, `lastSuccessAt` and `lastFailureAt`. Extensions: `retrying`, `attempts` and, if the last attempt failed, `failingSince`. */
  readonly metrics: string
  /** Order for the caller, a 32-bit signed integer. It has no effect on delivery. */
  readonly priority: number
  /** `active`: events are delivered. `paused`: by the caller. `disabled`: by the service, after a 410 or five days of failures. */
  readonly status: WebhookStatus
  /** Whether only events of test messages are delivered. */
  readonly testMode: boolean
  /** Time of creation (UTC). */
  readonly createdAt: DateTime.Utc
  /** Time of the last change (UTC). */
  readonly updatedAt: DateTime.Utc
  /** Id of the API key that created it. */
  readonly createdBy?: string | undefined
  /** Id of the API key that last changed it. */
  readonly lastModifiedBy?: string | undefined
}
/** `webhook_endpoint.disabled`: An endpoint was disabled, after a 410 or five days of failures. The other endpoints are notified. */
export interface WebhookEndpointDisabledEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "webhook_endpoint.disabled"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: WebhookEndpoint
}
export interface WebhookEndpointPage {
  /** Items of this page, newest first unless stated otherwise. */
  readonly items: ReadonlyArray<WebhookEndpoint>
  /** Position of the page in the list. */
  readonly pagination: Pagination
}
/** `webhook_endpoint.test`: A webhook endpoint is tested. */
export interface WebhookEndpointTestEvent {
  /** Id of the event, as in `webhook-id`. */
  readonly id: string
  /** Type of the event. */
  readonly type: "webhook_endpoint.test"
  /** Time of the event (UTC). */
  readonly timestamp: DateTime.Utc
  /** Id of the organization. */
  readonly organizationId: string
  /** Resource after the event, without bodies and attachments. */
  readonly data: WebhookEndpoint
}
export interface WebhookFilters {
  /** Channels of the message. */
  readonly channels?: ReadonlyArray<Channel> | undefined
  /** Tags. The message must have one of them. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Whether the message is a test. */
  readonly isTest?: boolean | undefined
}
export interface WebhookRateLimit {
  /** Requests per second, 1 to 10000. Default: no limit. */
  readonly maxPerSecond?: number | undefined
}
export interface WebhookStats {
  /** Number of deliveries. */
  readonly total: number
  /** Number of deliveries that succeeded. */
  readonly succeeded: number
  /** Number of deliveries that failed. */
  readonly failed: number
  /** Number of deliveries with the status `pending`. */
  readonly pending: number
  /** Number of deliveries with the status `retrying` (an extension). */
  readonly retrying: number
  /** Number of attempts (an extension). */
  readonly attempts: number
  /** Share of attempts that succeeded, 0 to 1. 0 without attempts. */
  readonly successRate: number
  /** Mean duration of successful attempts, in milliseconds. */
  readonly averageLatencyMs: number
  /** Number of deliveries that began in the last 24 hours. */
  readonly last24Hours: number
}
export type WebhookStatus = "active" | "paused" | "disabled"
export type WebhookTrigger = "scheduled" | "manual" | "test"
export interface WhatsAppStats {
  /** Number of messages sent. */
  readonly totalSent: number
  /** Number of messages delivered. */
  readonly totalDelivered: number
  /** Number of messages opened. */
  readonly totalRead: number
  /** Number of messages that failed. */
  readonly totalFailed: number
  /** Delivered messages divided by messages sent or rejected. Rates are 0 to 1, and 0 without data. */
  readonly deliveryRate: number
  /** Opened messages divided by messages sent or rejected. Rates are 0 to 1, and 0 without data. */
  readonly readRate: number
  /** Failed messages divided by messages sent, rejected or failed. Rates are 0 to 1, and 0 without data. */
  readonly failureRate: number
}
export interface WorkflowEdge {
  /** Id of the edge, unique within the workflow. */
  readonly id: string
  /** Id of the node at the start. */
  readonly source: string
  /** Id of the node at the end. */
  readonly target: string
  /** Outcome that selects the edge: the id of a menu item, or `true` or `false` for a condition. Absent: any other outcome. */
  readonly sourceHandle?: string | undefined
  /** Handle at the end, used by the editor. */
  readonly targetHandle?: string | undefined
  /** Label shown in the editor. */
  readonly label?: string | undefined
  /** Type of the edge, used by the editor. */
  readonly type?: string | undefined
  /** Whether the editor animates the edge. */
  readonly animated?: boolean | undefined
}
export type WorkflowNode = {
  /** Id of the node, unique within the workflow. */
  readonly id: string
  /** Position in the editor. */
  readonly position?: NodePosition | undefined
  /** Whether the node is selected in the editor. */
  readonly selected?: boolean | undefined
  /** Whether the node is being dragged in the editor. */
  readonly dragging?: boolean | undefined
  /** Type of the node. */
  readonly type: "trigger.callStarted"
  /** Label and configuration of the node. */
  readonly data?: {
    /** Label shown in the editor. */
    readonly label?: string | undefined
    /** Free text, shown to people only. */
    readonly description?: string | undefined
    /** Configuration of the node. Unknown fields are stored. */
    readonly config?: {
      readonly [key: string]: unknown
    } | undefined
  } | undefined
} | {
  /** Id of the node, unique within the workflow. */
  readonly id: string
  /** Position in the editor. */
  readonly position?: NodePosition | undefined
  /** Whether the node is selected in the editor. */
  readonly selected?: boolean | undefined
  /** Whether the node is being dragged in the editor. */
  readonly dragging?: boolean | undefined
  /** Type of the node. */
  readonly type: "trigger.callEnded"
  /** Label and configuration of the node. */
  readonly data?: {
    /** Label shown in the editor. */
    readonly label?: string | undefined
    /** Free text, shown to people only. */
    readonly description?: string | undefined
    /** Configuration of the node. Unknown fields are stored. */
    readonly config?: {
      readonly [key: string]: unknown
    } | undefined
  } | undefined
} | {
  /** Id of the node, unique within the workflow. */
  readonly id: string
  /** Position in the editor. */
  readonly position?: NodePosition | undefined
  /** Whether the node is selected in the editor. */
  readonly selected?: boolean | undefined
  /** Whether the node is being dragged in the editor. */
  readonly dragging?: boolean | undefined
  /** Type of the node. */
  readonly type: "action.speak"
  /** Label and configuration of the node. */
  readonly data: {
    /** Label shown in the editor. */
    readonly label?: string | undefined
    /** Free text, shown to people only. */
    readonly description?: string | undefined
    /** Configuration of the node. Unknown fields are stored. */
    readonly config: {
      /** Text to speak, or text of the e-mail. `{{name}}` inserts the variable of that name. */
      readonly text: string
      readonly [key: string]: unknown
    }
  }
} | {
  /** Id of the node, unique within the workflow. */
  readonly id: string
  /** Position in the editor. */
  readonly position?: NodePosition | undefined
  /** Whether the node is selected in the editor. */
  readonly selected?: boolean | undefined
  /** Whether the node is being dragged in the editor. */
  readonly dragging?: boolean | undefined
  /** Type of the node. */
  readonly type: "action.listen"
  /** Label and configuration of the node. */
  readonly data?: {
    /** Label shown in the editor. */
    readonly label?: string | undefined
    /** Free text, shown to people only. */
    readonly description?: string | undefined
    /** Configuration of the node. Unknown fields are stored. */
    readonly config?: {
      /** Text to speak, at most 5000 characters. `{{name}}` inserts the variable of that name. */
      readonly prompt?: string | undefined
      /** Time to listen in seconds, 1 to 120. Default: 5. */
      readonly timeoutSeconds?: number | undefined
      /** Name of the variable that is set or compared. */
      readonly variable?: string | undefined
      /** Reply of the simulated person, in a call of the sandbox carrier. */
      readonly sandboxReply?: string | undefined
      readonly [key: string]: unknown
    } | undefined
  } | undefined
} | {
  /** Id of the node, unique within the workflow. */
  readonly id: string
  /** Position in the editor. */
  readonly position?: NodePosition | undefined
  /** Whether the node is selected in the editor. */
  readonly selected?: boolean | undefined
  /** Whether the node is being dragged in the editor. */
  readonly dragging?: boolean | undefined
  /** Type of the node. */
  readonly type: "action.menu"
  /** Label and configuration of the node. */
  readonly data: {
    /** Label shown in the editor. */
    readonly label?: string | undefined
    /** Free text, shown to people only. */
    readonly description?: string | undefined
    /** Configuration of the node. Unknown fields are stored. */
    readonly config: {
      /** Text to speak, at most 5000 characters. `{{name}}` inserts the variable of that name. */
      readonly prompt?: string | undefined
      /** Items of the menu. */
      readonly items: ReadonlyArray<MenuItem>
      /** Time to listen in seconds, 1 to 120. Default: 5. */
      readonly timeoutSeconds?: number | undefined
      /** Name of the variable that is set or compared. */
      readonly variable?: string | undefined
      /** Reply of the simulated person, in a call of the sandbox carrier. */
      readonly sandboxReply?: string | undefined
      readonly [key: string]: unknown
    }
  }
} | {
  /** Id of the node, unique within the workflow. */
  readonly id: string
  /** Position in the editor. */
  readonly position?: NodePosition | undefined
  /** Whether the node is selected in the editor. */
  readonly selected?: boolean | undefined
  /** Whether the node is being dragged in the editor. */
  readonly dragging?: boolean | undefined
  /** Type of the node. */
  readonly type: "action.transfer"
  /** Label and configuration of the node. */
  readonly data: {
    /** Label shown in the editor. */
    readonly label?: string | undefined
    /** Free text, shown to people only. */
    readonly description?: string | undefined
    /** Configuration of the node. Unknown fields are stored. */
    readonly config: {
      /** E-mail address, or for a transfer a phone number or a SIP address. */
      readonly to: string
      readonly [key: string]: unknown
    }
  }
} | {
  /** Id of the node, unique within the workflow. */
  readonly id: string
  /** Position in the editor. */
  readonly position?: NodePosition | undefined
  /** Whether the node is selected in the editor. */
  readonly selected?: boolean | undefined
  /** Whether the node is being dragged in the editor. */
  readonly dragging?: boolean | undefined
  /** Type of the node. */
  readonly type: "action.sendMessage"
  /** Label and configuration of the node. */
  readonly data: {
    /** Label shown in the editor. */
    readonly label?: string | undefined
    /** Free text, shown to people only. */
    readonly description?: string | undefined
    /** Configuration of the node. Unknown fields are stored. */
    readonly config: {
      /** Channel of the message. Only `email`. */
      readonly channel: "email"
      /** E-mail address, or for a transfer a phone number or a SIP address. */
      readonly to: string
      /** Subject of the e-mail, 1 to 200 characters. */
      readonly subject: string
      /** Text to speak, or text of the e-mail. `{{name}}` inserts the variable of that name. */
      readonly text: string
      readonly [key: string]: unknown
    }
  }
} | {
  /** Id of the node, unique within the workflow. */
  readonly id: string
  /** Position in the editor. */
  readonly position?: NodePosition | undefined
  /** Whether the node is selected in the editor. */
  readonly selected?: boolean | undefined
  /** Whether the node is being dragged in the editor. */
  readonly dragging?: boolean | undefined
  /** Type of the node. */
  readonly type: "action.httpRequest"
  /** Label and configuration of the node. */
  readonly data: {
    /** Label shown in the editor. */
    readonly label?: string | undefined
    /** Free text, shown to people only. */
    readonly description?: string | undefined
    /** Configuration of the node. Unknown fields are stored. */
    readonly config: {
      /** URL of the request. */
      readonly url: string
      /** HTTP method of the request. */
      readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
      /** Request headers. Default: none. */
      readonly headers?: {
        readonly [key: string]: string
      } | undefined
      /** Request body: a string as it is, any other value as JSON. */
      readonly body?: unknown | undefined
      /** Name of the variable that is set or compared. */
      readonly variable?: string | undefined
      readonly [key: string]: unknown
    }
  }
} | {
  /** Id of the node, unique within the workflow. */
  readonly id: string
  /** Position in the editor. */
  readonly position?: NodePosition | undefined
  /** Whether the node is selected in the editor. */
  readonly selected?: boolean | undefined
  /** Whether the node is being dragged in the editor. */
  readonly dragging?: boolean | undefined
  /** Type of the node. */
  readonly type: "action.hangup"
  /** Label and configuration of the node. */
  readonly data?: {
    /** Label shown in the editor. */
    readonly label?: string | undefined
    /** Free text, shown to people only. */
    readonly description?: string | undefined
    /** Configuration of the node. Unknown fields are stored. */
    readonly config?: {
      readonly [key: string]: unknown
    } | undefined
  } | undefined
} | {
  /** Id of the node, unique within the workflow. */
  readonly id: string
  /** Position in the editor. */
  readonly position?: NodePosition | undefined
  /** Whether the node is selected in the editor. */
  readonly selected?: boolean | undefined
  /** Whether the node is being dragged in the editor. */
  readonly dragging?: boolean | undefined
  /** Type of the node. */
  readonly type: "logic.condition"
  /** Label and configuration of the node. */
  readonly data: {
    /** Label shown in the editor. */
    readonly label?: string | undefined
    /** Free text, shown to people only. */
    readonly description?: string | undefined
    /** Configuration of the node. Unknown fields are stored. */
    readonly config: {
      /** Name of the variable that is set or compared. */
      readonly variable: string
      /** Comparison of the variable with `value`. */
      readonly operator: ConditionOperator
      /** Value to compare with. */
      readonly value?: string | number | boolean | undefined
      readonly [key: string]: unknown
    }
  }
} | {
  /** Id of the node, unique within the workflow. */
  readonly id: string
  /** Position in the editor. */
  readonly position?: NodePosition | undefined
  /** Whether the node is selected in the editor. */
  readonly selected?: boolean | undefined
  /** Whether the node is being dragged in the editor. */
  readonly dragging?: boolean | undefined
  /** Type of the node. */
  readonly type: "logic.delay"
  /** Label and configuration of the node. */
  readonly data: {
    /** Label shown in the editor. */
    readonly label?: string | undefined
    /** Free text, shown to people only. */
    readonly description?: string | undefined
    /** Configuration of the node. Unknown fields are stored. */
    readonly config: {
      /** Duration of the pause in seconds, 0.1 to 3600. */
      readonly seconds: number
      readonly [key: string]: unknown
    }
  }
} | {
  /** Id of the node, unique within the workflow. */
  readonly id: string
  /** Position in the editor. */
  readonly position?: NodePosition | undefined
  /** Whether the node is selected in the editor. */
  readonly selected?: boolean | undefined
  /** Whether the node is being dragged in the editor. */
  readonly dragging?: boolean | undefined
  /** Type of the node. */
  readonly type: "ai.respond"
  /** Label and configuration of the node. */
  readonly data?: {
    /** Label shown in the editor. */
    readonly label?: string | undefined
    /** Free text, shown to people only. */
    readonly description?: string | undefined
    /** Configuration of the node. Unknown fields are stored. */
    readonly config?: {
      /** Text to speak, at most 5000 characters. `{{name}}` inserts the variable of that name. */
      readonly prompt?: string | undefined
      readonly [key: string]: unknown
    } | undefined
  } | undefined
}
export interface WorkflowViewport {
  /** Horizontal offset in pixels. */
  readonly x: number
  /** Vertical offset in pixels. */
  readonly y: number
  /** Zoom factor. 1: actual size. */
  readonly zoom: number
}

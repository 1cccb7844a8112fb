import type { FieldsBySchema } from "./CommonFields.js"

const actions = "Granted actions. `*`: all."

/** Fields of organizations, API keys, sessions, the system, webhooks, events and errors. */
export const accountFields: FieldsBySchema = {
  Organization: {
    billingEmail: "Address for invoices.",
    conversationsUsed: "Number of conversations.",
    countryCode: "Country (ISO 3166-1 alpha-2).",
    defaultCurrency: "Currency of new messages' costs (ISO 4217).",
    emailUsed: "Number of e-mails sent, in total.",
    emailUsedThisMonth: "Number of e-mails sent this month.",
    isActive: "Whether the organization's keys are accepted.",
    logo: "URL of the logo.",
    messagesResetAt: "Time when the counters of this month start again at 0 (UTC).",
    messagesUsed: "Number of messages sent, in total.",
    messagesUsedThisMonth: "Number of messages sent this month. The plan limits it.",
    participantsUsed: "Number of participants.",
    paymentCustomerId: "Id of the customer at the payment provider.",
    plan: "Plan: the limit of messages a month.",
    slug: "Unique name of lowercase letters, digits and hyphens, 1 to 63 characters.",
    smsUsed: "Number of text messages sent, in total.",
    smsUsedThisMonth: "Number of text messages sent this month.",
    teamMembersUsed: "Number of users.",
    timezone: "IANA time zone, used by statistics.",
    whatsappUsed: "Number of WhatsApp messages sent, in total.",
    whatsappUsedThisMonth: "Number of WhatsApp messages sent this month."
  },
  UpdateOrganization: { metadata: "Free JSON object, at most 8192 bytes. It replaces the earlier one." },
  AuditActor: {
    email: "E-mail address of the user at the time of the change. Absent for an API key.",
    id: "Id of the user or the API key. The session of a key acts as its key.",
    name: "Name at the time of the change.",
    type: "`user`: a person. `apiKey`: a program, or a session of a key."
  },
  AuditChange: {
    after: "Value after the change. Absent: the field or the resource was removed.",
    before: "Value before the change. Absent: the field or the resource was created."
  },
  AuditEntry: {
    actor: "Who made the change.",
    at: "Time just before the change (UTC).",
    changes: "Changed fields by name. Absent: the operation has no values in the log.",
    ipAddress: "IP address of the client.",
    operation: "Id of the operation in this document. `resend.` precedes operations of the Resend API.",
    outcome: "`unknown`: the process ended, or lost the database, before it recorded the end of the change.",
    requestId: "`X-Request-Id` of the response.",
    resource: "Kind of the resource: the name of its group in this document.",
    resourceId: "Id of the resource. The domain, for operations on a domain by its name.",
    userAgent: "`User-Agent` of the request, at most 500 characters."
  },
  CreateSession: {
    apiKey: "API key that the session gets its permissions from. Either this, `loginToken` or `email`.",
    code: "Code of the second factor: 6 digits of the authenticator app, or a recovery code. Only with `email`. Default: none.",
    email: "E-mail address of a user, case-insensitive. Either this, `apiKey` or `loginToken`.",
    loginToken: "Token of a log-in link. Either this, `apiKey` or `email`.",
    password: "Password of the user. Required with `email`."
  },
  User: {
    email: "E-mail address, with which the user logs in.",
    hasPassword: "Whether the user can log in with a password.",
    hasTotp: "Whether log-ins need a code of an authenticator app.",
    lastLoginAt: "Time of the last log-in (UTC). Absent: none.",
    name: "Name shown to people, at most 200 characters.",
    roleName: "Role that the permissions come from."
  },
  SessionUser: {
    email: "E-mail address of the user.",
    hasTotp: "Whether log-ins need a code of an authenticator app.",
    id: "Id of the user.",
    name: "Name of the user."
  },
  BeginTotp: { password: "Password of the user." },
  TotpSecret: {
    secret: "Secret to type into an authenticator app, 160 bits in base 32. Only in this response.",
    uri: "The secret as a URI (`otpauth:`) for a QR code. Only in this response."
  },
  ConfirmTotp: { code: "6 digits of the authenticator app. Spaces are ignored." },
  RecoveryCodes: { recoveryCodes: "10 codes, which each work once. Only in this response." },
  RemoveTotp: {
    code: "6 digits of the authenticator app, or a recovery code. Spaces are ignored.",
    password: "Password of the user."
  },
  UserReference: { email: "E-mail address of the user.", id: "Id of the user.", name: "Name of the user." },
  UpdateUser: {
    name: "Name shown to people, one line of 1 to 200 characters. Default: it stays.",
    roleName: "Role that supplies the permissions. Default: it stays."
  },
  CreateInvitation: {
    email: "E-mail address that the user will log in with.",
    name: "Name that is proposed to the user, one line of 1 to 200 characters. Default: none.",
    roleName: "Role of the user."
  },
  UserInvitation: {
    email: "E-mail address that the user will log in with.",
    expiresAt: "Time when the link ends (UTC): 7 days after its creation.",
    invitedBy: "User who made the invitation. Absent: it was made with an API key or on the command line.",
    isMailed: "Whether the link was sent to the address. Only in the response that created the invitation.",
    name: "Name that is proposed to the user. Absent: none.",
    roleName: "Role of the user.",
    url: "Link that accepts the invitation. Only in the response that created the invitation."
  },
  RequestPasswordReset: { email: "E-mail address of a user, case-insensitive." },
  ConfirmPasswordReset: {
    password: "New password, 10 to 200 characters. Not the e-mail address.",
    token: "Token of the link, after `#reset=`. It works once, for 60 minutes."
  },
  AcceptInvitation: {
    name: "Name shown to people, one line of 1 to 200 characters.",
    password: "New password, 10 to 200 characters.",
    token: "Part of the link after `#invitation=`."
  },
  ChangePassword: {
    currentPassword: "Password that the user logged in with.",
    newPassword: "New password, 10 to 200 characters."
  },
  Session: {
    csrfToken: "Value of the header `X-CSRF-Token` for requests that change something.",
    expiresAt: "Time when the session ends (UTC)."
  },
  SessionDetails: {
    csrfToken: "Value of the header `X-CSRF-Token` for requests that change something.",
    expiresAt: "Time when the session ends (UTC).",
    organization: "Organization of the session.",
    permissions: "Granted actions by resource: those of the API key, or of the user's role. `*`: all.",
    roleName: "Role that the permissions come from. Absent: none.",
    submission: "Where programs submit mail over SMTP. Absent: the service takes no mail from programs.",
    user: "User who logged in. Absent: the session is that of an API key."
  },
  SessionMethods: { oidc: "Provider of OpenID Connect, with the text of its button. Absent: none is configured." },
  ApiKey: {
    description: "Free text, at most 1000 characters.",
    expiresAt: "Time when the key expires (UTC). Absent: never.",
    isActive: "Whether the key is accepted.",
    key: "First 12 characters and `…`. The complete key is only in the responses of create and rotate.",
    name: "Name shown to people, at most 200 characters.",
    permissions: "Granted actions by resource. `*`: all.",
    roleName: "Role that the permissions come from.",
    start: "First 12 characters of the key."
  },
  CreateApiKey: {
    description: "Free text, 1 to 1000 characters. Default: none.",
    expiresAt: "Time when the key expires: ISO 8601 date-time with a time zone. Default: never.",
    permissions: "Granted actions by resource. Either this or `roleName`.",
    roleName: "Role that supplies the permissions. Either this or `permissions`."
  },
  UpdateApiKey: { expiresAt: "Time when the key expires: ISO 8601 date-time with a time zone. Null: never." },
  GrantablePermissions: {
    "*": '`["*"]`: all actions on all resources.',
    analytics: actions,
    apiKeys: actions,
    audit: actions,
    conversations: actions,
    domains: actions,
    drafts: actions,
    email: actions,
    messages: actions,
    organization: actions,
    participants: actions,
    templates: actions,
    users: actions,
    voice: actions,
    webhooks: actions,
    whatsapp: actions
  },
  Finding: { subject: "Part that was checked." },
  SystemStatus: { checkedAt: "Time of the checks (UTC): at most a minute ago." },
  RotateApiKey: { gracePeriodSeconds: "Seconds for which the old key stays valid, 0 to 86400. Default: 0." },
  ApiKeyActivity: {
    at: "Time of the request (UTC).",
    ipAddress: "Address of the client.",
    latencyMs: "Time to respond, in milliseconds.",
    method: "HTTP method; `SMTP` for a submitted mail.",
    path: "Path of the request.",
    status: "HTTP status of the response, or code of the SMTP reply."
  },
  ApiKeyStats: {
    byEndpoint: "Number of requests by operation, for example `GET /v1/messages/:id`.",
    byStatus: "Number of requests by HTTP status, or code of the SMTP reply.",
    errorRate: "Share of requests with a status of 400 or above, 0 to 1. 0 without requests.",
    requestsLast24Hours: "Number of requests in the last 24 hours.",
    totalRequests: "Number of requests in the last 30 days."
  },
  WebhookEndpoint: {
    config: "JSON: `url`, `events`, `headers` and, in the response of create, `secret`.",
    configuration: "Content of `config` as an object (an extension).",
    filters: "JSON: `channels`, `tags` and `isTest`.",
    lastModifiedBy: "Id of the API key that last changed it.",
    metrics:
      "JSON: `delivered`, `failed`, `pending`, `successRate` of the attempts, `averageLatencyMs`, `lastSuccessAt` and `lastFailureAt`. Extensions: `retrying`, `attempts` and, if the last attempt failed, `failingSince`.",
    priority: "Order for the caller, a 32-bit signed integer. It has no effect on delivery.",
    rateLimit: "JSON: `maxPerSecond`.",
    slug: "Name in lowercase, derived from `name`.",
    status:
      "`active`: events are delivered. `paused`: by the caller. `disabled`: by the service, after a 410 or five days of failures.",
    testMode: "Whether only events of test messages are delivered.",
    type: "Kind of endpoint."
  },
  WebhookConfiguration: {
    events: "Event types, groups such as `message.*`, or `*`.",
    headers: "Additional request headers. Absent: none.",
    secret: "Signing secret, in the response of create only: `whsec_` and 32 random bytes in base64.",
    url: "URL that receives the events."
  },
  CreateWebhookEndpoint: {
    description: "Free text, 1 to 1000 characters. Default: none.",
    events: "1 to 100 event types, groups such as `message.*`, or `*`.",
    filters: "Conditions on the message of an event. Default: none.",
    headers: "Additional request headers, at most 20. Default: none.",
    name: "Name shown to people, 1 to 200 characters.",
    priority: "Order for the caller, a 32-bit signed integer. Default: 0.",
    rateLimit: "Limit of the request rate. Default: none.",
    status: "Status. Default: `active`.",
    testMode: "Whether only events of test messages are delivered. Default: false.",
    url: "URL that receives the events: https, or http where the operator allows it."
  },
  UpdateWebhookEndpoint: {
    events: "1 to 100 event types, groups such as `message.*`, or `*`.",
    filters: "Conditions on the message of an event. They replace the earlier ones.",
    headers: "Additional request headers, at most 20. They replace the earlier ones.",
    rateLimit: "Limit of the request rate. It replaces the earlier one.",
    status: "`active` or `paused`.",
    url: "URL that receives the events: https, or http where the operator allows it."
  },
  WebhookFilters: {
    channels: "Channels of the message.",
    isTest: "Whether the message is a test.",
    tags: "Tags. The message must have one of them."
  },
  WebhookRateLimit: { maxPerSecond: "Requests per second, 1 to 10000. Default: no limit." },
  RegenerateSecret: { webhookId: "Id of the endpoint. It must equal the path parameter." },
  RegeneratedSecret: { newSecret: "New secret: `whsec_` and 32 random bytes in base64." },
  WebhookDelivery: {
    attempts: "Attempts of the last 30 days, oldest first.",
    endpointId: "Id of the endpoint.",
    eventId: "Id of the event.",
    eventType: "Type of the event.",
    nextAttemptAt: "Time of the next attempt (UTC). Absent: none follows, or the endpoint is not active.",
    requestBody:
      "Body of each attempt, JSON. Absent before the first one, and after the message was deleted (an extension).",
    status:
      "`pending`: an attempt follows. `retrying`: an attempt failed and another follows (an extension). `succeeded`: the endpoint responded with 2xx. `failed`: no further attempt."
  },
  WebhookAttempt: {
    at: "Time of the attempt (UTC).",
    attempt: "Number of the attempt, from 1.",
    durationMs: "Duration in milliseconds.",
    error: "Error without a response, for example a timeout.",
    requestHeaders: "Headers of the request. Values that were set at the endpoint are `[hidden]` (an extension).",
    responseBody: "First 4 KB of the response body.",
    responseHeaders:
      "Headers of the response, the first 4 KB. Values of cookies and credentials are `[hidden]` (an extension).",
    responseStatus: "HTTP status of the response.",
    trigger: "`scheduled`: by the retry schedule. `manual`: by a retry. `test`: by a test."
  },
  WebhookStats: {
    attempts: "Number of attempts (an extension).",
    averageLatencyMs: "Mean duration of successful attempts, in milliseconds.",
    failed: "Number of deliveries that failed.",
    last24Hours: "Number of deliveries that began in the last 24 hours.",
    pending: "Number of deliveries with the status `pending`.",
    retrying: "Number of deliveries with the status `retrying` (an extension).",
    succeeded: "Number of deliveries that succeeded.",
    successRate: "Share of attempts that succeeded, 0 to 1. 0 without attempts.",
    total: "Number of deliveries."
  },
  TestWebhook: { event: "Type of the example event. Default: `webhook_endpoint.test`." },
  RecoverWebhook: { since: "Start of the range: ISO 8601 date-time with a time zone, at most 30 days ago." },
  RecoveredWebhook: { requeued: "Number of deliveries that were queued again." },
  Event: {
    data: "Resource after the event, without bodies and attachments.",
    id: "Id of the event, as in `webhook-id`.",
    timestamp: "Time of the event (UTC).",
    type: "Type of the event."
  },
  ConflictError: { resource: "Kind of resource in conflict." },
  ExternalServiceError: { provider: "Service that failed." },
  PayloadTooLargeError: { limitBytes: "Limit of the body, in bytes." },
  PaymentRequiredError: {
    currentUsage: "Usage in this period.",
    limit: "Limit of the plan in this period.",
    resource: "Kind of resource that is limited."
  },
  ResourceNotFoundError: { id: "Id that was not found.", resource: "Kind of resource." },
  ValidationError: { fields: "Errors by field. The keys are dotted paths, for example `to.0.email`." },
  "health.alive": { status: "Always `alive`." },
  "health.ready": { status: "Always `ready`." }
}

import type { FieldsBySchema } from "./CommonFields.js"

const erased = "Time when body and attachments were erased by the retention settings (UTC). An extension."

/** Fields of messages, drafts, attachments and the local mailbox. */
export const messageFields: FieldsBySchema = {
  Message: {
    apiKeyId: "Id of the API key that sent the message. Null: not sent by a request.",
    apiRequestMetadata: "Request that sent the message, without credentials.",
    apiResponseMetadata: "Response to the request that sent the message.",
    content: "Content, by channel: of an e-mail subject, bodies and attachments; of a text message text and segments.",
    conversationId: "Id of the conversation. Null: none.",
    cost: "Cost in `currency`, as a decimal number.",
    currency: "Currency of `cost` (ISO 4217).",
    createdBy: "Id of the API key that created the message. Null: created by the service.",
    deliveredAt: "Time of delivery to the first recipient's mailbox (UTC).",
    deliveryAttempts: "Number of attempts to send so far.",
    emailMetadata: "Addresses, headers and deliveries of an e-mail. Null: another channel.",
    errorDetails: "Details of the last error.",
    failedAt: "Time of the final failure (UTC).",
    fromParticipant: "Participant who sent the message.",
    fromParticipantId: "Id of the participant who sent the message.",
    httpMethod: "HTTP method of the request that sent the message.",
    isAutomated: "Whether the service or an automatic reply created the message, not a person.",
    lastAttemptAt: "Time of the last attempt to send (UTC).",
    lastError: "Text of the last error.",
    maxRetries: "Maximum number of retries after the first attempt.",
    parentMessageId: "Id of the message that this one replies to. Null: none.",
    participantMetadata: "Reserved; null.",
    provider: "Provider that took the message, for example `smtp`.",
    providerCost: "Cost as the provider reported it.",
    providerMessageId: "Id of the message at the provider.",
    providerResponse: "Last response of the provider. Of a text message `deliveries`: the delivery to each phone.",
    providerStatus: "Last status that the provider reported.",
    queueMessageId: "Id of the message in the delivery queue.",
    readAt: "Time when the first recipient opened the message (UTC).",
    retryCount: "Number of retries so far.",
    scheduledAt: "Time when the message is due (UTC). Null: at once.",
    sentAt: "Time when the provider first took the message (UTC).",
    statusHistory: "Statuses of the message, oldest first.",
    threadId: "Id of the e-mail thread. Null: none.",
    toParticipantIds: "Ids of the recipients' participants.",
    toParticipants: "Participants of the recipients.",
    whatsappMetadata: "Details of a WhatsApp message.",
    workflowRunId: "Id of the workflow run that sent the message. Null: none."
  },
  EmailContent: {
    attachments: "Attached files, without their content.",
    erasedAt: erased,
    from: "Author: an address, with or without a display name.",
    replyText:
      "Text of a received e-mail without quotes and signature. All of `text` if it contains a forwarded mail, or if nothing else is left. An extension.",
    replyTo: "Addresses for replies.",
    replyToOfSender: "Whether `replyTo` is the sender's default, because the send named none. An extension.",
    templateId: "Id of the template that the message was rendered from.",
    templateVersion: "Version of the template that the message was rendered from. An extension."
  },
  SmsContent: {
    encoding: "Encoding: `gsm7` (GSM 03.38 with its extension table), otherwise `ucs2`.",
    erasedAt: erased,
    from: "Number or sender id that sent the text; of a received text, the phone.",
    segments: "Number of messages that the text was split into.",
    templateId: "Id of the template that the text was rendered from.",
    templateVersion: "Version of the template that the text was rendered from.",
    text: "Text."
  },
  WhatsAppContent: {
    address: "Address of the place.",
    attachmentId: "Id of the uploaded file that was sent.",
    body: "Text, or the label of the button that was pressed.",
    caption: "Text below the file.",
    contentType: "Media type of the file.",
    downloadError: "Why the received file is not stored.",
    emoji: "Emoji. Absent: the reaction was removed.",
    erasedAt: erased,
    from: "Number that sent the message.",
    kind: "Kind of the file.",
    latitude: "Latitude in degrees.",
    location: "Place.",
    longitude: "Longitude in degrees.",
    media: "File.",
    mediaId: "Meta's id of a received file.",
    name: "Name of the place.",
    previewUrl: "Whether a preview of the first link is shown.",
    reaction: "Reaction to a message.",
    template: "Template that Meta approved.",
    templateId: "Id of the template that the text was rendered from.",
    templateVersion: "Version of the template that the text was rendered from.",
    text: "Text.",
    type: "Meta's name of the kind of message.",
    unsupported: "Message of a kind that is not read."
  },
  WhatsAppTemplateContent: {
    components: "Components with their parameters, as the Cloud API takes them.",
    language: "Code of the language.",
    name: "Name of the template."
  },
  WhatsAppMetadata: {
    conversationCategory: "Category by which Meta bills the message.",
    deliveries: "Delivery to the recipient.",
    providerMessageId: "Meta's id of the message.",
    waId: "WhatsApp id of the other side: its number without plus.",
    windowExpiresAt: "End of the service window when the message was accepted (UTC)."
  },
  ApiRequestMetadata: {
    endpoint: "Path of the operation.",
    headers: "Request headers, without keys and cookies.",
    ipAddress: "Address of the client.",
    method: "HTTP method.",
    query: "Query parameters.",
    userAgent: "Header `User-Agent`."
  },
  ApiResponseMetadata: {
    body: "Response body.",
    headers: "Response headers.",
    latency: "Time to respond, in milliseconds.",
    statusCode: "HTTP status."
  },
  StatusEntry: { metadata: "Details of the change.", reason: "Reason of the change.", status: "New status." },
  ErrorDetails: {
    code: "Code of the error, for example an SMTP reply code or `recipient_blocked`.",
    details: "Further details.",
    nextRetryAt: "Time of the next attempt (UTC). Absent: no further attempt.",
    retryable: "Whether another attempt can succeed."
  },
  MessageParticipant: {
    channelIdentities: "Addresses of the participant by channel.",
    id: "Id of the participant.",
    type: "`contact`: a person outside. `sender`: an address of the organization. `agent`: a voice agent."
  },
  ChannelIdentities: {
    email: "E-mail addresses.",
    phone: "Phone numbers (E.164).",
    whatsapp: "Phone numbers of WhatsApp accounts (E.164)."
  },
  EmailMetadata: {
    bcc: "Addresses of the blind copies.",
    cc: "Addresses of the copies.",
    clicks: "First 100 clicks on tracked links, oldest first. Left out without any. An extension.",
    deliveries: "Delivery to each recipient.",
    headers: "Headers that the send added.",
    messageId: "Header `Message-ID` (RFC 5322).",
    names: "Display names by recipient address. An extension.",
    smtpUtf8: "`true` for a mail that came over SMTP with SMTPUTF8 (RFC 6531) and UTF-8 in its header. An extension.",
    submitted: "`true` for a mail that came over SMTP: it goes out with its own header and body. An extension.",
    tags: "Tags of the e-mail.",
    to: "Addresses of the recipients."
  },
  Click: {
    at: "Time of the click (UTC).",
    isLikelyBot: "`true` if a scanner or another program made the request: it is not counted. Otherwise left out.",
    recipient: "Address of the recipient whose mail has the link. An extension.",
    url: "Link in the mail.",
    userAgent: "Header `User-Agent` of the request, at most 500 characters."
  },
  Delivery: {
    at: "Time of the last change (UTC).",
    conversationCategory: "Category by which Meta bills a WhatsApp message. An extension.",
    errorCode:
      "Error code of the provider: the state of a receipt or the status of a reply (SMPP), otherwise its number.",
    providerMessageId: "The provider's id of the message, for a text of its first segment.",
    reason: "Why the delivery failed or was deferred, by the codes and words of the reply or report.",
    recipient: "Address or phone number of the recipient.",
    response: "Text of the SMTP reply, or of the provider.",
    smtpCode: "SMTP reply code (RFC 5321).",
    status: "Status of this recipient's copy. `suppressed`: blocked, not sent."
  },
  Cursor: {
    id: "Id of the last item before the position.",
    page: "Number of the page after the position."
  },
  Pagination: {
    limit: "Items per page.",
    page: "Number of this page, from 1.",
    total:
      "Number of items in the list. Exact up to 10,000; above, it can be an estimate of at least 10,000, with the header `Total-Estimated: true`.",
    totalPages: "Number of pages."
  },
  Simulated: { success: "`true`: the event is reported. The message changes shortly after." },
  MessageTimeline: {
    events: "Events of the message, oldest first.",
    id: "Id of the message.",
    metadata: "Details of the event.",
    reason: "Reason of the event.",
    recipient: "Address of the recipient that the event is about.",
    status: "Status after the event.",
    type: "Type of the event, for example `message.delivered`."
  },
  DeletedMessage: { deletedAt: "Time of deletion (UTC).", id: "Id of the message." },
  MailboxMail: {
    attachments: "Attached files, without their content.",
    cc: "Addresses in the header `Cc`.",
    from: "Author in the header `From`.",
    headers: "Headers in their original order.",
    html: "HTML part. Null: none.",
    mailFrom: "Reverse-path of the SMTP envelope. Empty for a delivery status notification.",
    messageId: "Header `Message-ID` (RFC 5322).",
    name: "Name of the header.",
    raw: "Complete message as received over SMTP, header and body.",
    rcptTo: "Recipients of the SMTP envelope.",
    receivedAt: "Time of receipt (UTC).",
    text: "Plain-text part. Null: none.",
    to: "Addresses in the header `To`.",
    value: "Value of the header."
  },
  MailboxReply: {
    attachments: "Files to attach, at most 20. Default: none.",
    from: "Address of the author. Default: the first recipient of the mail.",
    html: "HTML part. Default: none.",
    subject: "Subject line. Default: `Re:` and the subject of the mail.",
    text: "Plain text of the reply."
  },
  MailboxAnswer: {
    from: "Address of the author.",
    messageId: "Header `Message-ID` (RFC 5322) of the reply.",
    response: "Reply of the SMTP server that took it.",
    to: "Addresses that the SMTP server took it for."
  },
  Draft: {
    channel: "Channel of the draft.",
    content: "Content written so far.",
    inReplyToMessageId: "Id of the message that the e-mail replies to. Absent: none. An extension.",
    lastEditedAt: "Time of the last edit (UTC).",
    recipients: "Recipients, at most 50.",
    sentMessageId: "Id of the message that the draft was sent as. Absent: not sent. An extension.",
    title: "Title shown to people, at most 500 characters."
  },
  DraftRecipient: {
    email: "E-mail address. Default: the participant's address.",
    phone: "Phone number.",
    whatsappId: "Phone number of a WhatsApp account."
  },
  DraftContent: {
    ast: "Content in the format of an editor. It is stored and never sent.",
    attachmentIds: "Ids of uploaded attachments.",
    body: "Plain text. It replaces a missing `html` and a missing `text`.",
    templateName: "Name of a template, used if `templateId` is absent.",
    variables: "Values for the variables of the template, by name."
  },
  UploadAttachment: { content: "Content in base64, at most 25 MiB after decoding." }
}

import type { FieldsBySchema } from "./CommonFields.js"

const trackOpens =
  "Whether each recipient gets a separate copy with a tracking image at the end of its HTML. Default: that of the sender's domain, which is false at first. An extension."
const trackClicks =
  "Whether each recipient gets a separate copy in which the links of the HTML lead over this service. Default: that of the sender's domain, which is false at first. An extension."
const htmlFromText = "HTML part. Default: made from `text`, escaped, with its line breaks (an extension)."

/** Fields of sends. */
export const sendFields: FieldsBySchema = {
  SendRequest: {
    bcc: "Recipients of blind copies. Default: none.",
    categories:
      "Categories, at most 20. A recipient with a block on any of them is skipped. `marketing` and `transactional` exclude each other. Default: none.",
    cc: "Recipients of copies. Default: none.",
    channel: "Channel. `email`, `sms` and `whatsapp` can be sent today.",
    conversationId: "Id of the conversation that the message joins. Default: none.",
    email: "Content of the e-mail.",
    sms: "Content of the text message.",
    externalId: "Id of the message in the caller's own system, 1 to 255 characters. Default: none.",
    idempotencyKey:
      "Key that makes a repeated send return the first message, 1 to 255 characters. Stored for 30 days. Default: the header `Idempotency-Key`.",
    isTest: "Whether the message is a test. Test messages are not counted against the plan. Default: false.",
    referenceId: "Second id of the caller's own system, 1 to 255 characters. Default: none.",
    scheduledAt: "Time when the message is due: ISO 8601 date-time with a time zone. Default: at once.",
    tags: "Labels for filters, at most 20. Default: none.",
    to: "Recipients. At most 50 different recipients over `to`, `cc` and `bcc`; for WhatsApp exactly one.",
    whatsapp: "Content of the WhatsApp message."
  },
  SendSms: {
    from: "Number or sender id of the organization. Default: its first one for text messages.",
    templateData: "Values of the template's variables.",
    templateId: "Id of a template for text messages. Either this or `text`.",
    text: "Text, at most 10 segments: 1,530 characters of GSM 03.38, otherwise 670 of UCS-2."
  },
  SendWhatsApp: {
    media: "File that was uploaded before.",
    template: "Template that Meta approved. Only a template can be sent outside the service window.",
    templateData: "Values of the template's variables.",
    templateId: "Id of a template of the organization for WhatsApp, whose text is sent.",
    text: "Text."
  },
  WhatsAppText: {
    body: "Text, 1 to 4,096 characters.",
    previewUrl: "Whether WhatsApp shows a preview of the first link. Default: false."
  },
  WhatsAppTemplate: {
    components: "Components with their parameters, as the Cloud API takes them. At most 20, 16 KiB as JSON.",
    language: "Code of the language, for example `en_US`.",
    name: "Name of the template: lower-case letters, digits and underscores."
  },
  WhatsAppMedia: {
    attachmentId: "Id of a file uploaded with `POST /v1/attachments`. Its type decides how it is sent.",
    caption: "Text below the file, 1 to 1,024 characters."
  },
  WhatsAppRecipient: {
    contactId: "Id of a participant with a WhatsApp id. Either this, `phone` or `whatsappId`.",
    phone: "Phone number (E.164), with the plus sign.",
    whatsappId: "Phone number of the WhatsApp account with its country code, with or without plus."
  },
  SmsRecipient: {
    contactId: "Id of a participant with a phone number. Either this or `phone`.",
    phone: "Phone number (E.164), with the plus sign. Either this or `contactId`."
  },
  SendRecipient: {
    contactId: "Id of a participant with an e-mail address. Either this or `email`.",
    email: "E-mail address. Either this or `contactId`.",
    name: "Display name in the header, 1 to 200 characters. An extension."
  },
  SendEmail: {
    attachments: "Attached files: at most 20, 25 MiB in total. Default: none.",
    from: "Author: an address, with or without a display name. Default: the organization's default sender.",
    headers: "Additional headers, also `Auto-Submitted` (RFC 3834) and `List-Id` (RFC 2919). Default: none.",
    html: htmlFromText,
    replyTo: "Addresses for replies, with or without display names, at most 20. Default: the sender's `replyTo`.",
    subject: "Subject line, at most 998 characters. Required without `templateId`.",
    tags: "Tags of the e-mail, at most 20. Default: none.",
    templateId: "Id of a template that supplies the parts not given here. Default: none.",
    text: "Plain-text part. Default: made from the HTML part.",
    trackClicks,
    trackOpens
  },
  Attachment: {
    content: "Content in base64.",
    contentId: "Id by which the HTML refers to the file, as `cid:` and this id.",
    contentType:
      "Media type, with parameters if any. `text/calendar` with a `method` is sent as an invitation (RFC 6047). Default: derived from the extension of `filename`."
  },
  BatchRequest: { messages: "1 to 100 sends. Each is validated separately." },
  BatchResult: {
    error: "Error of this send.",
    message: "Accepted message.",
    results: "One result for each send, in the order of the request.",
    status: "HTTP status that a separate request for this send would have."
  }
}

import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import {
  PayloadTooLargeError,
  ResourceNotFoundError,
  UnauthorizedError,
  ValidationError
} from "@switchboard/domain/Errors"
import { text as limited } from "@switchboard/domain/Text"
import { Schema } from "effect"
import { BodyLimit, Credentials, callbackBody, Extension } from "../Annotations.js"

const field = (description: string) => Schema.optionalWith(Schema.String.annotations({ description }), { exact: true })

const TwilioCallback = Schema.Struct(
  {
    MessageSid: Schema.String.annotations({ description: "Twilio's id of the message." }),
    MessageStatus: field("Status of a sent message. Absent for a received one."),
    ErrorCode: field("Error code of Twilio, if the message was not delivered."),
    From: field("Phone number of the sender. Required for a received message."),
    To: field("Phone number of the recipient. Required for a received message."),
    Body: field("Text of a received message, for which it is required.")
  },
  { key: Schema.String, value: Schema.String }
).annotations({ description: "Fields that are read, and others. All are signed." })

/** The length of the challenge and of the verify token at most, in characters. */
const maxToken = 1_024

/** The body as Meta documents it. Other fields are ignored. */
const WhatsAppCallback = Schema.Struct({
  object: Schema.optional(Schema.String.annotations({ description: "`whatsapp_business_account`." })),
  entry: Schema.optional(
    Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown })).annotations({
      description: "The changes: statuses of sent messages, and received messages."
    })
  )
}).annotations({ description: "A notification of the Cloud API." })

/** Callbacks of providers. Their signatures authenticate them. */
export class ProvidersApi extends HttpApiGroup.make("providers")
  .add(
    HttpApiEndpoint.post("twilio", "/providers/twilio")
      .setHeaders(
        Schema.Struct({
          "x-twilio-signature": Schema.optional(Schema.String)
        })
      )
      .setPayload(
        TwilioCallback.pipe(
          HttpApiSchema.withEncoding({ kind: "UrlParams", contentType: "application/x-www-form-urlencoded" })
        )
      )
      .addSuccess(HttpApiSchema.Text({ contentType: "text/xml" }).annotations({ description: "Empty TwiML document" }))
      .addError(UnauthorizedError.annotations({ description: "The signature is missing, or is not that of the token" }))
      .addError(ResourceNotFoundError.annotations({ description: "`SMS_URL` is not a Twilio account" }))
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Credentials, [])
      .annotate(BodyLimit, callbackBody)
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Receive a callback of Twilio")
      .annotate(
        OpenApi.Description,
        [
          "Receives the status of sent texts and the texts to your numbers. Twilio calls it; the account's token signs the callback.",
          "",
          "- `delivered` and `read` confirm a text, `undelivered`, `failed` and `canceled` fail it. Other statuses change nothing.",
          "- The response follows the storing of the event. A repeat changes nothing.",
          "- A callback for an unknown message is logged and changes nothing.",
          "- Texts to a number of no organization are counted and not stored.",
          "- The signature is that of Twilio over `PUBLIC_URL`, path, query and all fields; otherwise: 401."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.get("confirmWhatsApp", "/providers/whatsapp")
      .setUrlParams(
        Schema.Struct({
          "hub.mode": Schema.optional(Schema.Literal("subscribe")),
          "hub.verify_token": Schema.optional(limited(1, maxToken)),
          "hub.challenge": Schema.optional(limited(1, maxToken))
        })
      )
      .addSuccess(HttpApiSchema.Text().annotations({ description: "The challenge" }))
      .addError(UnauthorizedError)
      .addError(ResourceNotFoundError)
      .annotate(Credentials, [])
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Confirm the callback URL of WhatsApp")
      .annotate(
        OpenApi.Description,
        "Meta calls it when you register the URL, with `WHATSAPP_VERIFY_TOKEN`. 401: another token. 404: WhatsApp is not configured."
      )
  )
  .add(
    HttpApiEndpoint.post("whatsapp", "/providers/whatsapp")
      .setHeaders(Schema.Struct({ "x-hub-signature-256": Schema.optional(Schema.String) }))
      .setPayload(WhatsAppCallback)
      .addSuccess(HttpApiSchema.Text().annotations({ description: "Empty: the events are stored" }))
      .addError(UnauthorizedError)
      .addError(ResourceNotFoundError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Credentials, [])
      .annotate(BodyLimit, callbackBody)
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Receive a callback of WhatsApp")
      .annotate(
        OpenApi.Description,
        [
          "Receives the status of sent messages and the messages to your number. Meta calls it; the secret of the app signs the body.",
          "",
          "- `delivered`, `read` and `failed` change the message. A received message opens the service window of its sender.",
          "- The response follows the storing of the events. A repeat changes nothing.",
          "- A callback for an unknown message is logged and changes nothing.",
          "- 401: the signature is missing, or is not that of `WHATSAPP_APP_SECRET` over the body.",
          "- 404: WhatsApp is not configured."
        ].join("\n")
      )
  )
  .annotate(OpenApi.Title, "Callbacks of providers") {}

import { HttpApiBuilder, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { ProviderCallbacks } from "@switchboard/services/providers/ProviderCallbacks"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { readOctets } from "../http/body/RequestBody.js"
import { withBodies } from "../http/WithBodies.js"

/** A callback with its query and its body as they were received: signatures are over them. */
const callbackOf = (
  { originalUrl }: HttpServerRequest.HttpServerRequest,
  signature: string | undefined,
  mediaType: string
) => ({
  signature: signature ?? "",
  query: /\?[^#]*/.exec(originalUrl)?.[0] ?? "",
  body: readOctets(mediaType)
})

/** No reply to the sender of a text. Twilio ignores it in the response to a status. */
const emptyTwiml = HttpServerResponse.text('<?xml version="1.0" encoding="UTF-8"?><Response/>', {
  contentType: "text/xml"
})

export const ProvidersHttp = HttpApiBuilder.group(
  Api,
  "providers",
  Effect.fnUntraced(function* (handlers) {
    const { confirm, receive } = yield* ProviderCallbacks
    return yield* handlers
      .handle("twilio", ({ headers, request }) =>
        Effect.as(
          receive("twilio", callbackOf(request, headers["x-twilio-signature"], "application/x-www-form-urlencoded")),
          emptyTwiml
        )
      )
      .handle("confirmWhatsApp", ({ urlParams }) =>
        Effect.as(
          confirm(urlParams["hub.verify_token"] ?? ""),
          // The challenge alone: a string as a value would be written as JSON, in quotes.
          HttpServerResponse.text(urlParams["hub.challenge"] ?? "")
        )
      )
      .handleRaw("whatsapp", ({ headers, request }) =>
        Effect.as(
          receive("whatsapp", callbackOf(request, headers["x-hub-signature-256"], "application/json")),
          HttpServerResponse.text("")
        )
      )
      .pipe(withBodies)
  })
)

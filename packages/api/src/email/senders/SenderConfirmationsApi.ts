import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Credentials, Extension } from "../../Annotations.js"

const page = (description: string) =>
  HttpApiSchema.Text({ contentType: "text/html" }).annotations({ description, examples: ["<!doctype html>…"] })

const token = Schema.Struct({
  token: Schema.String.annotations({ description: "the token of the link in a confirmation mail" })
})

/** The confirmation pages of senders. They need no key. */
export class SenderConfirmationsApi extends HttpApiGroup.make("senderConfirmations")
  .add(
    HttpApiEndpoint.get("look", "/email/senders/confirm")
      .setUrlParams(token)
      .addSuccess(page("HTML page with a button that confirms"))
      .addSuccess(page("HTML page: the link is unknown"), { status: 404 })
      .addSuccess(page("HTML page: the link was used, or is older than 48 hours"), { status: 410 })
      .annotate(Credentials, [])
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Show the confirmation page of a sender")
      .annotate(
        OpenApi.Description,
        "Page of the link in a confirmation mail. It has a button that confirms. The request changes nothing, because mail scanners follow links."
      )
  )
  .add(
    HttpApiEndpoint.post("confirm", "/email/senders/confirm")
      .setUrlParams(token)
      .addSuccess(page("HTML page: the sender is confirmed"))
      .addSuccess(page("HTML page: the link is unknown"), { status: 404 })
      .addSuccess(page("HTML page: the link was used, or is older than 48 hours"), { status: 410 })
      .annotate(Credentials, [])
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Confirm a sender")
      .annotate(OpenApi.Description, "Confirms the sender, once, within 48 hours. The request body is ignored.")
  )
  .annotate(OpenApi.Title, "Sender confirmations") {}

import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Credentials, Examples, Extension } from "../../Annotations.js"
import { senderExamples } from "./SenderExamples.js"

const page = (description: string) =>
  HttpApiSchema.Text({ contentType: "text/html" }).annotations({ description, examples: ["<!doctype html>…"] })

const token = Schema.Struct({
  token: Schema.String.annotations({ description: "the token of a confirmation mail's link" })
})

/** What the recipient of a confirmation mail meets: pages, for which nobody needs a key. */
export class SenderConfirmationsApi extends HttpApiGroup.make("senderConfirmations")
  .add(
    HttpApiEndpoint.get("look", "/email/senders/confirm")
      .setUrlParams(token)
      .addSuccess(page("A page with a button that confirms"))
      .addSuccess(page("A page: the link is of no sender"), { status: 404 })
      .addSuccess(page("A page: the link was used, or is older than 48 hours"), { status: 410 })
      .annotate(Credentials, [])
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Show what a confirmation link confirms (extension)")
      .annotate(
        OpenApi.Description,
        "An extension. Where the link of a confirmation mail leads: a page with a button. It confirms nothing, since scanners of mail follow links."
      )
  )
  .add(
    HttpApiEndpoint.post("confirm", "/email/senders/confirm")
      .setUrlParams(token)
      .addSuccess(page("A page: the sender is confirmed"))
      .addSuccess(page("A page: the link is of no sender"), { status: 404 })
      .addSuccess(page("A page: the link was used, or is older than 48 hours"), { status: 410 })
      .annotate(Credentials, [])
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Confirm a sender (extension)")
      .annotate(
        OpenApi.Description,
        "An extension. What the button of that page does: it confirms the sender, once, within 48 hours. A body is not read."
      )
  )
  .annotate(Examples, senderExamples)
  .annotate(OpenApi.Title, "Sender confirmations") {}

import { signedContent } from "@switchboard/services/email/send/SignedLinks"
import { Signatures } from "@switchboard/services/SecretBox"
import { Effect } from "effect"
import { LiveApi, organization } from "./LiveApi.js"
import { ApiSecrets } from "./StoredUseCases.js"

/** The last mail to an address: its link as it is sent, after the address of the service, and the text as it is stored. */
export const sentLink = Effect.fnUntraced(function* (email: string) {
  const { sent } = yield* LiveApi
  const mails = sent.flatMap((request) => (request.channel === "email" ? [request] : []))
  const mail = mails.findLast(({ to: [recipient] }) => recipient?.email === email)?.email
  const { html } = signedContent(yield* Signatures, {
    organizationId: organization,
    content: { subject: "", html: mail?.html ?? "", text: "", from: "", replyTo: [], attachments: [] },
    addressing: { messageId: "", to: [], cc: [], bcc: [], headers: mail?.headers ?? {}, tags: [] }
  })
  const [, link = ""] = /href="https:\/\/mail\.example\.net([^"]+)"/.exec(html) ?? []
  return { link, text: mail?.text ?? "" }
}, Effect.provide(ApiSecrets))

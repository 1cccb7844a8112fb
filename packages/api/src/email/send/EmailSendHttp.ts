import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { ValidationError } from "@switchboard/domain/Errors"
import { toEmailSendFields, toSendRequest } from "@switchboard/domain/email/send/EmailSendRequest"
import { Unsubscribes } from "@switchboard/services/email/send/Unsubscribes"
import { Messages } from "@switchboard/services/messages/Messages"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { withBodies } from "../../http/WithBodies.js"
import { markReplay, withHeaderKey } from "../../idempotency/HandleOnce.js"
import { PublicRoutes } from "../../openapi/PublicRoutes.js"

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? "")

const page = (content: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Unsubscribe</title>
</head>
<body>
${content}
</body>
</html>
`

/** The recipient of an unsubscribe link, and the categories of mail that it unsubscribes from. */
interface UnsubscribeLink {
  readonly recipient: string
  readonly categories: ReadonlyArray<string>
}

const listed = (categories: ReadonlyArray<string>) =>
  `<ul>\n${categories.map((category) => `<li>${escaped(category)}</li>`).join("\n")}\n</ul>`

/** The page with the unsubscribe button. It sends the request of one-click unsubscribe (RFC 8058) to its own URL. */
const unsubscribePage = ({ categories, recipient }: UnsubscribeLink): string =>
  page(`<h1>Unsubscribe</h1>
<p>Stop e-mail of these kinds from this sender to <b>${escaped(recipient)}</b>?</p>
${listed(categories)}
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button>Unsubscribe</button>
</form>`)

const unsubscribedPage = ({ categories, recipient }: UnsubscribeLink): string =>
  page(`<h1>Unsubscribed</h1>
<p>This sender no longer sends e-mail of these kinds to <b>${escaped(recipient)}</b>. Other e-mail, like password resets, still arrives.</p>
${listed(categories)}`)

const html = (text: string) => HttpServerResponse.text(text, { contentType: "text/html; charset=utf-8" })

/** The unsubscribe links of marketing mail, for recipients and their mail providers. */
export const UnsubscribeHttp = HttpApiBuilder.group(
  PublicRoutes,
  "unsubscribe",
  Effect.fnUntraced(function* (handlers) {
    const { find, look, unsubscribe } = yield* Unsubscribes
    return (
      handlers
        .handle("look", ({ urlParams: { token } }) =>
          Effect.map(Effect.flatMap(find(token), look), (link) => html(unsubscribePage(link)))
        )
        // The body is not read: mail providers encode the form of RFC 8058 in several ways.
        .handle("confirm", ({ urlParams: { token } }) =>
          Effect.map(Effect.flatMap(find(token), unsubscribe), (link) => html(unsubscribedPage(link)))
        )
    )
  })
)

export const EmailSendHttp = HttpApiBuilder.group(
  Api,
  "email",
  Effect.fnUntraced(function* (handlers) {
    const messages = yield* Messages

    return yield* handlers
      .handle("send", ({ headers, payload }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          const email = yield* withHeaderKey(payload, headers["idempotency-key"])
          const { message, replayed } = yield* messages
            .send(caller, toSendRequest(email))
            .pipe(
              Effect.catchTag(
                "ValidationError",
                ({ fields = {}, message }) => new ValidationError({ message, fields: toEmailSendFields(fields) })
              )
            )
          yield* markReplay(replayed)
          return { id: message.id, status: message.status }
        })
      )
      .pipe(withBodies)
  })
)

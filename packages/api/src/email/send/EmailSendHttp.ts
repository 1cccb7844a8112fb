import { HttpApiBuilder, type HttpServerRequest } from "@effect/platform"
import { ValidationError } from "@switchboard/domain/Errors"
import { toEmailSendFields, toSendRequest } from "@switchboard/domain/email/send/EmailSendRequest"
import { type Unsubscribe, Unsubscribes } from "@switchboard/services/email/send/Unsubscribes"
import { Messages } from "@switchboard/services/messages/Messages"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { acceptsHtml } from "../../http/Compression.js"
import { withBodies } from "../../http/WithBodies.js"
import { markReplay, withHeaderKey } from "../../idempotency/HandleOnce.js"
import { PublicRoutes } from "../../openapi/PublicRoutes.js"
import { escaped, findOrganization, marked, recipientPages } from "../pages/RecipientPages.js"
import type { RecipientTexts } from "../pages/RecipientTexts.js"

const listed = (categories: ReadonlyArray<string>) =>
  `<ul>\n${categories.map((category) => `<li>${escaped(category)}</li>`).join("\n")}\n</ul>`

/** The unsubscribe links of marketing mail, for recipients and their mail providers. */
export const UnsubscribeHttp = HttpApiBuilder.group(
  PublicRoutes,
  "unsubscribe",
  Effect.fnUntraced(function* (handlers) {
    const { find, look, unsubscribe } = yield* Unsubscribes
    const organizationOf = yield* findOrganization

    /** The page about a link. Browsers get a page also for an unknown link, other clients the error. */
    const pageOf = (
      request: HttpServerRequest.HttpServerRequest,
      token: string,
      use: (subject: Unsubscribe) => ReturnType<typeof look>,
      bodyOf: (
        texts: RecipientTexts,
        organization: string,
        recipient: string,
        list: string
      ) => readonly [title: string, body: string]
    ) => {
      const { page, texts } = recipientPages(request)
      return Effect.gen(function* () {
        const subject = yield* find(token)
        const { categories, recipient } = yield* use(subject)
        const organization = yield* organizationOf(subject.organizationId)
        return page(
          200,
          ...bodyOf(texts, marked(organization.name), marked(recipient), listed(categories)),
          organization
        )
      }).pipe(
        Effect.catchTag("ResourceNotFoundError", (error) =>
          acceptsHtml(request.headers.accept)
            ? Effect.succeed(page(404, texts.invalidLink, `<p>${texts.checkLink}</p>`))
            : error
        )
      )
    }

    return (
      handlers
        // The page sends the request of one-click unsubscribe (RFC 8058) to its own URL.
        .handle("look", ({ request, urlParams: { token } }) =>
          pageOf(request, token, look, ({ stop, unsubscribe }, organization, recipient, list) => [
            unsubscribe,
            `<p>${stop(organization, recipient)}</p>
${list}
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button>${unsubscribe}</button>
</form>`
          ])
        )
        // The body is not read: mail providers encode the form of RFC 8058 in several ways.
        .handle("confirm", ({ request, urlParams: { token } }) =>
          pageOf(request, token, unsubscribe, ({ stopped, unsubscribed }, organization, recipient, list) => [
            unsubscribed,
            `<p>${stopped(organization, recipient)}</p>
${list}`
          ])
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

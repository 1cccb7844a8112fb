import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Unsubscribes } from "@switchboard/services/email/send/Unsubscribes"
import { Effect } from "effect"
import { PublicRoutes } from "../../openapi/PublicRoutes.js"
import { unsubscribedPage, unsubscribePage } from "./UnsubscribePage.js"

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

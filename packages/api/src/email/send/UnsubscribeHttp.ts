import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { unsubscribePath } from "@switchboard/services/email/send/UnsubscribeLink"
import { Unsubscribes } from "@switchboard/services/email/send/Unsubscribes"
import { Effect } from "effect"
import { unsubscribedPage, unsubscribePage } from "./UnsubscribePage.js"

const token = Effect.map(HttpServerRequest.ParsedSearchParams, ({ token: given = "" }) => String(given))

const html = (text: string) => HttpServerResponse.text(text, { contentType: "text/html; charset=utf-8" })

/** Where the links of marketing mail lead. They are for people and their mailboxes: nobody has a key. */
export const UnsubscribeHttp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const unsubscribes = yield* Unsubscribes
    const subject = Effect.flatMap(token, unsubscribes.find)
    yield* router.get(
      unsubscribePath,
      Effect.map(Effect.flatMap(subject, unsubscribes.look), (link) => html(unsubscribePage(link)))
    )
    // The link is proof enough: mailboxes write the form of RFC 8058 in more ways than one.
    yield* router.post(
      unsubscribePath,
      Effect.map(Effect.flatMap(subject, unsubscribes.unsubscribe), (link) => html(unsubscribedPage(link)))
    )
  })
)

import { createHash } from "node:crypto"
import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { permits } from "@switchboard/domain/apiKeys/Permission"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { EmailSenderId } from "@switchboard/domain/email/senders/EmailSender"
import { pageRequest } from "@switchboard/domain/Page"
import { ManagedSenders } from "@switchboard/services/email/senders/ManagedSenders"
import {
  type ConfirmationOver,
  type ConfirmationUnknown,
  SenderConfirmations
} from "@switchboard/services/email/senders/SenderConfirmations"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { removed } from "../../CommonShapes.js"
import { withBodies } from "../../http/WithBodies.js"
import { handleOnce } from "../../idempotency/HandleOnce.js"

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 32rem; padding: 4rem 1rem }
button { font: inherit; padding: 0.5rem 1rem }`

const hash = createHash("sha256").update(style).digest("base64")

/** A Content-Security-Policy that allows only the style of the page and a form to the same origin. */
const policy = `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

const page = (status: number, title: string, body: string) =>
  HttpServerResponse.text(
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body><h1>${title}</h1>
${body}
</body></html>
`,
    { status, contentType: "text/html; charset=utf-8", headers: { "content-security-policy": policy } }
  )

/** The page with the confirmation button. The form posts to the URL of the page, which has the token. */
const confirmPage = (email: string) =>
  page(
    200,
    "Confirm a sender",
    `<p>A request was made to send e-mail from <b>${escaped(email)}</b>.</p>
<form method="post"><button>Confirm this address</button></form>
<p>If you did not expect this, close this page. No e-mail is sent from your address.</p>`
  )

const confirmedPage = (email: string) =>
  page(200, "Confirmed", `<p>E-mail can now be sent from <b>${escaped(email)}</b>. You can close this page.</p>`)

const unknownPage = page(
  404,
  "This link is not valid",
  "<p>Check that you opened the complete link, and that there is no newer e-mail.</p>"
)

const endedLinkPage = (why: "used" | "expired") =>
  why === "used"
    ? page(410, "Already confirmed", "<p>This link was already used. The address is confirmed.</p>")
    : page(410, "This link has expired", "<p>A link is valid for 48 hours. Add the sender again to get a new link.</p>")

const withPages = (
  self: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    ConfirmationUnknown | ConfirmationOver | ServiceUnavailableError
  >
) =>
  Effect.catchTags(self, {
    ConfirmationUnknown: () => Effect.succeed(unknownPage),
    ConfirmationOver: ({ why }) => Effect.succeed(endedLinkPage(why))
  })

export const SenderConfirmationsHttp = HttpApiBuilder.group(
  Api,
  "senderConfirmations",
  Effect.fnUntraced(function* (handlers) {
    const confirmations = yield* SenderConfirmations
    return yield* handlers
      .handle("look", ({ urlParams: { token } }) => withPages(Effect.map(confirmations.look(token), confirmPage)))
      .handle("confirm", ({ urlParams: { token } }) =>
        withPages(Effect.map(confirmations.confirm(token), confirmedPage))
      )
      .pipe(withBodies)
  })
)

export const SendersHttp = HttpApiBuilder.group(
  Api,
  "senders",
  Effect.fnUntraced(function* (handlers) {
    const senders = yield* ManagedSenders
    const once = yield* handleOnce
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.gen(function* () {
          const { organizationId, permissions } = yield* CurrentCaller
          const withToken = permits(permissions, "domains.write")
          return yield* senders.list(organizationId, filters, pageRequest(params), { withToken })
        })
      )
      .handle(
        "create",
        once(
          ({ payload }, caller) => senders.create(caller, payload),
          (id, { organizationId }) => senders.get(organizationId, EmailSenderId.make(id))
        )
      )
      .handle("verification", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => senders.verification(organizationId, id))
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => Effect.as(senders.remove(organizationId, id), removed))
      )
      .pipe(withBodies)
  })
)

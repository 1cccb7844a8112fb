import { HttpApiBuilder } from "@effect/platform"
import { permits } from "@switchboard/domain/apiKeys/Permission"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { EmailSenderId } from "@switchboard/domain/email/senders/EmailSender"
import { pageRequest } from "@switchboard/domain/Page"
import { ManagedSenders } from "@switchboard/services/email/senders/ManagedSenders"
import {
  type ConfirmationOver,
  type ConfirmationSubject,
  type ConfirmationUnknown,
  SenderConfirmations
} from "@switchboard/services/email/senders/SenderConfirmations"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { removed } from "../../CommonShapes.js"
import { withBodies } from "../../http/WithBodies.js"
import { handleOnce } from "../../idempotency/HandleOnce.js"
import { findOrganization, marked, recipientPages } from "../pages/RecipientPages.js"

export const SenderConfirmationsHttp = HttpApiBuilder.group(
  Api,
  "senderConfirmations",
  Effect.fnUntraced(function* (handlers) {
    const confirmations = yield* SenderConfirmations
    const organizationOf = yield* findOrganization

    /** The page about the confirmed sender, or about the state of the link. */
    const pageOf = (
      { page, texts }: ReturnType<typeof recipientPages>,
      found: Effect.Effect<ConfirmationSubject, ConfirmationUnknown | ConfirmationOver | ServiceUnavailableError>,
      bodyOf: (address: string, organization: string) => readonly [title: string, body: string]
    ) =>
      Effect.gen(function* () {
        const { email, organizationId } = yield* found
        const organization = yield* organizationOf(organizationId)
        return page(200, ...bodyOf(marked(email), marked(organization.name)), organization)
      }).pipe(
        Effect.catchTags({
          ConfirmationUnknown: () => Effect.succeed(page(404, texts.invalidLink, `<p>${texts.checkLink}</p>`)),
          ConfirmationOver: ({ why }) =>
            Effect.succeed(
              why === "used"
                ? page(410, texts.alreadyConfirmed, `<p>${texts.used}</p>`)
                : page(410, texts.expired, `<p>${texts.addAgain}</p>`)
            )
        })
      )

    return yield* handlers
      .handle("look", ({ request, urlParams: { token } }) => {
        const pages = recipientPages(request)
        const { asked, confirm, confirmSender, notExpected } = pages.texts
        // The form posts to the URL of the page, which has the token.
        return pageOf(pages, confirmations.look(token), (address, organization) => [
          confirmSender,
          `<p>${asked(organization, address)}</p>
<form method="post"><button>${confirm}</button></form>
<p>${notExpected}</p>`
        ])
      })
      .handle("confirm", ({ request, urlParams: { token } }) => {
        const pages = recipientPages(request)
        const { canSend, confirmed } = pages.texts
        return pageOf(pages, confirmations.confirm(token), (address) => [confirmed, `<p>${canSend(address)}</p>`])
      })
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

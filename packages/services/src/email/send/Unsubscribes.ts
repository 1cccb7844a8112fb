import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { Effect } from "effect"
import { Signatures } from "../../Signatures.js"
import { Blocks } from "../blocks/Blocks.js"
import { parseUnsubscribeToken } from "./UnsubscribeLink.js"

/** Recipients who follow the link of a mail because they want no more of its kind. */
export class Unsubscribes extends Effect.Service<Unsubscribes>()("services/Unsubscribes", {
  effect: Effect.gen(function* () {
    const blocks = yield* Blocks
    const signatures = yield* Signatures

    const found = (token: string) =>
      Effect.mapError(
        parseUnsubscribeToken(signatures, token),
        () => new ResourceNotFoundError({ resource: "unsubscribe link", id: token })
      )

    /** Whom a link would unsubscribe. Nothing changes: scanners follow links too. */
    const look = (token: string) => Effect.map(found(token), ({ recipient }) => recipient)

    /** Keeps the organization from sending to the recipient of a link; once more changes nothing. */
    const unsubscribe = Effect.fn("Unsubscribes.unsubscribe")(function* (token: string) {
      const { messageId, organizationId, recipient } = yield* found(token)
      yield* blocks.addUnsubscribe(organizationId, recipient, messageId)
      return recipient
    })

    return { look, unsubscribe } as const
  })
}) {}

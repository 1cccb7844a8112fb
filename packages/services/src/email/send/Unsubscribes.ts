import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { unsubscribedCategories } from "@switchboard/domain/email/blocks/Suppression"
import { marketing } from "@switchboard/domain/messages/Categories"
import { Effect } from "effect"
import { Messages } from "../../messages/Messages.js"
import { Signatures } from "../../Signatures.js"
import { Blocks } from "../blocks/Blocks.js"
import { parseUnsubscribeToken, type Unsubscribe } from "./UnsubscribeLink.js"

/** Unsubscribes recipients of marketing mail by link or by mail. */
export class Unsubscribes extends Effect.Service<Unsubscribes>()("services/Unsubscribes", {
  effect: Effect.gen(function* () {
    const blocks = yield* Blocks
    const messages = yield* Messages
    const signatures = yield* Signatures

    /** The message and recipient of an unsubscribe link. */
    const find = (token: string) =>
      Effect.mapError(
        parseUnsubscribeToken(signatures, token),
        () => new ResourceNotFoundError({ resource: "unsubscribe link", id: token })
      )

    /** The categories of the message. A deleted message counts as marketing, since only marketing mail has the link. */
    const categoriesOf = ({ messageId, organizationId }: Unsubscribe) =>
      messages.get(organizationId, messageId).pipe(
        Effect.map(({ categories }) => categories),
        Effect.catchTag("ResourceNotFoundError", () => Effect.succeed([marketing]))
      )

    /**
     * The recipient, and the categories that it would unsubscribe from. Changes nothing, since mail scanners follow
     * links.
     */
    const look = (subject: Unsubscribe) =>
      Effect.map(categoriesOf(subject), (categories) => ({
        recipient: subject.recipient,
        categories: unsubscribedCategories(categories)
      }))

    /** Blocks the recipient for mail of the message's categories. A repeat changes nothing. */
    const unsubscribe = Effect.fn("Unsubscribes.unsubscribe")(function* (subject: Unsubscribe) {
      const { messageId, organizationId, recipient } = subject
      const categories = yield* categoriesOf(subject)
      yield* blocks.unsubscribe(organizationId, recipient, categories, messageId)
      return { recipient, categories: unsubscribedCategories(categories) }
    })

    return { find, look, unsubscribe } as const
  })
}) {}

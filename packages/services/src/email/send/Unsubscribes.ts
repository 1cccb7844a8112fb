import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { unsubscribedCategories } from "@switchboard/domain/email/blocks/BlockScope"
import { marketing } from "@switchboard/domain/messages/Categories"
import { Effect } from "effect"
import { Messages } from "../../messages/Messages.js"
import { Signatures } from "../../Signatures.js"
import { Blocks } from "../blocks/Blocks.js"
import { parseUnsubscribeToken, type Unsubscribe } from "./UnsubscribeLink.js"

/** The unsubscribe links of marketing mail. */
export class Unsubscribes extends Effect.Service<Unsubscribes>()("services/Unsubscribes", {
  effect: Effect.gen(function* () {
    const blocks = yield* Blocks
    const messages = yield* Messages
    const signatures = yield* Signatures

    const found = (token: string) =>
      Effect.mapError(
        parseUnsubscribeToken(signatures, token),
        () => new ResourceNotFoundError({ resource: "unsubscribe link", id: token })
      )

    /**
     * The categories of the message that a link came with. A message whose record was deleted had a link because it was
     * marketing.
     */
    const categoriesOf = ({ messageId, organizationId }: Unsubscribe) =>
      messages.get(organizationId, messageId).pipe(
        Effect.map(({ categories }) => categories),
        Effect.catchTag("ResourceNotFoundError", () => Effect.succeed([marketing]))
      )

    /** The recipient of a link and the categories that it unsubscribes from. Changes nothing: scanners follow links. */
    const look = (token: string) =>
      Effect.flatMap(found(token), (link) =>
        Effect.map(categoriesOf(link), (categories) => ({
          recipient: link.recipient,
          categories: unsubscribedCategories(categories)
        }))
      )

    /** Blocks the recipient of a link from mail of the message's categories. A repeat changes nothing. */
    const unsubscribe = Effect.fn("Unsubscribes.unsubscribe")(function* (token: string) {
      const link = yield* found(token)
      const categories = yield* categoriesOf(link)
      yield* blocks.unsubscribe(link.organizationId, link.recipient, categories, link.messageId)
      return { recipient: link.recipient, categories: unsubscribedCategories(categories) }
    })

    return { look, unsubscribe } as const
  })
}) {}

import { ValidationError } from "@switchboard/domain/Errors"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { Attachments } from "@switchboard/services/attachments/Attachments"
import { Drafts, type ValidateSend } from "@switchboard/services/drafts/Drafts"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { Templates } from "@switchboard/services/email/templates/Templates"
import { Compose } from "@switchboard/services/messages/compose/Compose"
import { Messages } from "@switchboard/services/messages/Messages"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { Effect, Layer, ParseResult } from "effect"
import { FreeSends, NoLimits } from "../messages/MessagesLive.js"
import { objectsInMemory } from "../objects/ObjectsInMemory.js"
import { NoNumbers } from "../sms/NoTexts.js"

/** Drafts and the services that send them, on the test database, with objects stored in the given map. */
export const draftsLive = (objects: Map<string, Uint8Array>) =>
  Drafts.Default.pipe(
    Layer.provideMerge(Layer.mergeAll(Messages.Default, Attachments.Default)),
    Layer.provideMerge(Templates.Default),
    Layer.provide(Layer.mergeAll(Senders.Default, Compose.Default, NoNumbers)),
    Layer.provide(Layer.mergeAll(Layer.mock(DomainRepo, {}), NoLimits, FreeSends, objectsInMemory(objects))),
    Layer.provideMerge(StoreLive)
  )

const decode = ParseResult.decodeUnknownEither(SendRequest, { errors: "all" })

/** Validates as the HTTP API does, with shorter texts. */
export const judge: ValidateSend = (body) =>
  Effect.mapError(decode(body), (issue) => {
    const found = ParseResult.ArrayFormatter.formatIssueSync(issue)
    const fields = Object.fromEntries(found.map(({ path }) => [path.join("."), ["is wrong"]]))
    return new ValidationError({ message: "The request body is invalid", fields })
  })

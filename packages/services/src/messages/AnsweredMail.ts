import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { idsBefore } from "@switchboard/domain/email/send/ReplyHeaders"
import type { EmailMetadata, Message } from "@switchboard/domain/messages/Message"
import { Effect, Option } from "effect"
import type { MessageRepo } from "./MessageRepo.js"

/** How far the line of a mail is followed that names nothing before it: whoever answers drops the headers seldom. */
const furthest = 20

/**
 * What the headers of an answer to a message are made from. Some mail readers name nothing of what they answer: then
 * that is told by the messages before, as far as they are known.
 */
export const answeredMail = (
  find: MessageRepo["Type"]["find"],
  { emailMetadata, organizationId, parentMessageId }: Message,
  steps = furthest
): Effect.Effect<EmailMetadata | null, ServiceUnavailableError> =>
  Effect.gen(function* () {
    if (emailMetadata == null) return null
    if (parentMessageId === null || steps === 0 || idsBefore(emailMetadata).length > 0) return emailMetadata
    const parent = yield* find(organizationId, parentMessageId)
    const before = Option.isNone(parent) ? null : yield* answeredMail(find, parent.value, steps - 1)
    if (before === null) return emailMetadata
    const references = [...idsBefore(before), before.messageId].join(" ")
    return { ...emailMetadata, headers: { ...emailMetadata.headers, References: references } }
  })

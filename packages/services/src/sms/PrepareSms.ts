import { ValidationError } from "@switchboard/domain/Errors"
import { untracked } from "@switchboard/domain/email/tracking/Tracking"
import type { SmsMessage } from "@switchboard/domain/messages/Message"
import { smsIdentity } from "@switchboard/domain/messages/RequestIdentity"
import type { SmsSendOrRepeat } from "@switchboard/domain/messages/SendRequest"
import { suppressOptOuts } from "@switchboard/domain/sms/OptOut"
import type { SmsContent } from "@switchboard/domain/sms/SmsContent"
import { maxSmsLength, maxSmsSegments, segmentText } from "@switchboard/domain/sms/SmsText"
import { BigDecimal, Effect, Either, Option } from "effect"
import { ConversationRepo } from "../conversations/ConversationRepo.js"
import { Templates } from "../email/templates/Templates.js"
import { phoneAddressing } from "../messages/compose/Addressing.js"
import { Compose, repeatedFields } from "../messages/compose/Compose.js"
import type { Prepared } from "../messages/compose/PrepareEmail.js"
import { type Caller, SendSettings } from "../messages/SendContext.js"
import { ParticipantRepo } from "../participants/ParticipantRepo.js"
import { Numbers } from "./Numbers.js"
import { OptOutRepo } from "./OptOutRepo.js"

/** The text of a message, with the template and version that it was rendered from. */
type SmsBody = Pick<SmsContent, "templateId" | "templateVersion" | "text">

const invalid = (message: string) =>
  new ValidationError({ message: "The request body is invalid", fields: { "sms.text": [message] } })

const textProblem = (text: string, segments: number): ValidationError | null =>
  text === ""
    ? invalid("must not be empty")
    : segments > maxSmsSegments
      ? invalid(`must be at most ${maxSmsSegments} segments: 1,530 characters of GSM 03.38, otherwise 670 of UCS-2`)
      : null

/** The request that sends a text again: at once, and without its template, since the text is rendered. */
const repeatedSms = (message: SmsMessage, idempotencyKey: string | undefined): SmsSendOrRepeat => {
  const recipients = message.providerResponse.deliveries.map(({ recipient }) => ({ phone: recipient }))
  return {
    channel: "sms",
    to: recipients,
    ...repeatedFields(message, idempotencyKey),
    sms: { from: message.content.from, text: message.content.text }
  }
}

/** Makes text messages of requests: finds number, phones and template. */
export const prepareSms = Effect.gen(function* () {
  const numbers = yield* Numbers
  const conversations = yield* ConversationRepo
  const templates = yield* Templates
  const optOuts = yield* OptOutRepo
  const compose = yield* Compose
  const { smsUnitCost } = yield* SendSettings
  const resolvePhones = phoneAddressing(yield* ParticipantRepo)

  const costOf = (segments: number) =>
    BigDecimal.format(BigDecimal.multiply(smsUnitCost, BigDecimal.unsafeFromNumber(segments)))

  const prepare = Effect.fnUntraced(function* (caller: Caller, request: SmsSendOrRepeat) {
    const organization = caller.organizationId
    const { templateData = {}, templateId, text = "" } = request.sms
    const from = yield* numbers.resolve(organization, "sms", request.sms.from)
    const recipients = yield* resolvePhones(organization, request.to)
    const rendered =
      templateId === undefined
        ? Either.right<SmsBody>({ text })
        : yield* templates.render(organization, "sms", templateId, templateData).pipe(
            Effect.map(({ text: body, version }) =>
              Either.right<SmsBody>({ text: body, templateId, templateVersion: version })
            ),
            Effect.catchTag("ResourceNotFoundError", "ValidationError", (problem) =>
              Effect.succeed(Either.left(problem))
            )
          )
    const body = Either.getOrElse(rendered, (): SmsBody => ({ text }))
    // A template can render megabytes. One character more than the longest text is refused as any longer one.
    const { encoding, segments } = segmentText(body.text.slice(0, maxSmsLength + 1))
    const [only, ...others] = recipients
    // A message to several recipients joins none: each of them has an own conversation.
    const open =
      only === undefined || others.length > 0 || request.conversationId !== undefined
        ? Option.none()
        : yield* conversations.findOpen(organization, "sms", only)
    const composed = yield* compose.message(caller, request, {
      content: { ...body, from, encoding, segments: segments.length },
      addressing: () => ({ to: recipients }),
      cost: costOf(segments.length * recipients.length),
      identity: () => smsIdentity(request, from, recipients),
      sender: { address: from },
      recipients,
      attachments: [],
      ...untracked
    })
    const conversationId = request.conversationId ?? Option.getOrNull(open)
    const optedOut = yield* optOuts.findOptedOut(organization, from, recipients)
    const prepared: Prepared = {
      message: {
        ...composed,
        facts: { ...composed.facts, conversationId },
        state: suppressOptOuts(composed.state, optedOut, composed.facts.createdAt)
      },
      problem: Either.isLeft(rendered) ? rendered.left : textProblem(body.text, segments.length),
      parent: Option.none()
    }
    return prepared
  })

  /** The text message that sends another one again. */
  const repeat = (caller: Caller, message: SmsMessage, idempotencyKey: string | undefined) =>
    prepare(caller, repeatedSms(message, idempotencyKey))

  return { prepare, repeat } as const
})

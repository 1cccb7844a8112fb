import { type ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import type { TemplateData } from "@switchboard/domain/email/templates/Template"
import { untracked } from "@switchboard/domain/email/tracking/Tracking"
import type { WhatsAppMessage } from "@switchboard/domain/messages/Message"
import { whatsappIdentity } from "@switchboard/domain/messages/RequestIdentity"
import type { WhatsAppSendOrRepeat } from "@switchboard/domain/messages/SendRequest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { maxWhatsAppText } from "@switchboard/domain/whatsapp/SendWhatsApp"
import {
  mediaKindOf,
  mediaSizeProblem,
  type WhatsAppContent,
  waIdOf
} from "@switchboard/domain/whatsapp/WhatsAppContent"
import { BigDecimal, DateTime, Effect, Either, Option } from "effect"
import { Attachments } from "../attachments/Attachments.js"
import { ConversationRepo } from "../conversations/ConversationRepo.js"
import { Templates } from "../email/templates/Templates.js"
import { whatsappAddressing } from "../messages/compose/Addressing.js"
import { Compose, repeatedFields } from "../messages/compose/Compose.js"
import { storedAttachments } from "../messages/compose/ComposeEmail.js"
import type { Prepared } from "../messages/compose/PrepareEmail.js"
import type { StoredAttachment } from "../messages/MessageRepo.js"
import { type Caller, SendSettings } from "../messages/SendContext.js"
import { ParticipantRepo } from "../participants/ParticipantRepo.js"
import { Numbers } from "../sms/Numbers.js"
import { ServiceWindowRepo } from "./ServiceWindowRepo.js"
import { openUntil } from "./ServiceWindows.js"

/** The content of a request and its file. */
interface Body {
  readonly content: Omit<WhatsAppContent, "from">
  readonly files: ReadonlyArray<StoredAttachment>
}

const invalid = (field: string, message: string) =>
  new ValidationError({ message: "The request body is invalid", fields: { [field]: [message] } })

const outsideWindow = invalid(
  "whatsapp",
  "must be a template: the recipient has not written within the last 24 hours, so that no service window is open"
)

/** Makes WhatsApp messages of requests: finds number, recipient, window and file. */
export const prepareWhatsApp = Effect.gen(function* () {
  const numbers = yield* Numbers
  const conversations = yield* ConversationRepo
  const windows = yield* ServiceWindowRepo
  const attachments = yield* Attachments
  const templates = yield* Templates
  const compose = yield* Compose
  const { whatsappUnitCost } = yield* SendSettings
  const resolveRecipient = whatsappAddressing(yield* ParticipantRepo)
  const cost = BigDecimal.format(whatsappUnitCost)

  const renderedOf = Effect.fnUntraced(function* (
    organization: OrganizationId,
    templateId: string,
    data: TemplateData = {}
  ) {
    const { text: body, version } = yield* templates.render(organization, "whatsapp", templateId, data)
    if (body.trim() === "" || body.length > maxWhatsAppText) {
      return yield* invalid("whatsapp.templateId", `must render to a text of 1 to ${maxWhatsAppText} characters`)
    }
    return { content: { text: { body }, templateId, templateVersion: version }, files: [] }
  })

  const bodyOf = (
    organization: OrganizationId,
    { media, template, templateData, templateId, text }: WhatsAppSendOrRepeat["whatsapp"]
  ) =>
    Effect.gen(function* () {
      if (templateId !== undefined) return yield* renderedOf(organization, templateId, templateData)
      if (media === undefined) return { content: text === undefined ? { template } : { text }, files: [] }
      const file = yield* attachments.get(organization, media.attachmentId)
      const { contentType, filename, size } = file
      const kind = mediaKindOf(contentType)
      const problem = mediaSizeProblem(kind, size)
      if (problem !== null) return yield* invalid("whatsapp.media.attachmentId", problem)
      const files = yield* attachments.read(organization, [file])
      return { content: { media: { ...media, kind, contentType, filename, size } }, files: storedAttachments(files) }
    }).pipe(
      Effect.map((body) => Either.right<Body>(body)),
      Effect.catchTag("ResourceNotFoundError", "ValidationError", (problem) => Effect.succeed(Either.left(problem)))
    )

  /** Makes the message of a body. `body` is Left if the request has a problem. */
  const message = Effect.fnUntraced(function* (
    caller: Caller,
    request: WhatsAppSendOrRepeat,
    body: Either.Either<Body, ResourceNotFoundError | ValidationError>
  ) {
    const organization = caller.organizationId
    const from = yield* numbers.resolve(organization, "whatsapp", undefined)
    const to = yield* resolveRecipient(organization, request.to)
    const window = openUntil(yield* windows.findByAddress(organization, to), yield* DateTime.now)
    const open =
      request.conversationId === undefined
        ? yield* conversations.findOpen(organization, "whatsapp", to)
        : Option.some(request.conversationId)
    const { content, files } = Either.getOrElse(body, (): Body => ({ content: {}, files: [] }))
    const composed = yield* compose.message(caller, request, {
      content: { from, ...content },
      addressing: () => ({
        to: [to],
        waId: waIdOf(to),
        ...(Option.isNone(window) ? {} : { windowExpiresAt: DateTime.formatIso(window.value) })
      }),
      cost,
      identity: () => whatsappIdentity(request, from, to),
      sender: { address: from },
      recipients: [to],
      attachments: files,
      ...untracked
    })
    const prepared: Prepared = {
      message: { ...composed, facts: { ...composed.facts, conversationId: Option.getOrNull(open) } },
      problem: Either.isLeft(body)
        ? body.left
        : content.template === undefined && Option.isNone(window)
          ? outsideWindow
          : null,
      parent: Option.none()
    }
    return prepared
  })

  const prepare = (caller: Caller, request: WhatsAppSendOrRepeat) =>
    Effect.flatMap(bodyOf(caller.organizationId, request.whatsapp), (body) => message(caller, request, body))

  /** The WhatsApp message that sends another one again, with its file. */
  const repeat = (
    caller: Caller,
    earlier: WhatsAppMessage,
    files: ReadonlyArray<StoredAttachment>,
    idempotencyKey: string | undefined
  ) => {
    const to = earlier.whatsappMetadata.deliveries.map(({ recipient }) => ({ phone: recipient }))
    const request: WhatsAppSendOrRepeat = {
      channel: "whatsapp",
      to,
      ...repeatedFields(earlier, idempotencyKey),
      whatsapp: {}
    }
    const { from: _, ...content } = earlier.content
    return message(caller, request, Either.right({ content, files }))
  }

  return { prepare, repeat } as const
})

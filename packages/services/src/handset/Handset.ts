import {
  ConflictError,
  ResourceNotFoundError,
  type ServiceUnavailableError,
  ValidationError
} from "@switchboard/domain/Errors"
import {
  HandsetAnswer,
  type HandsetReply,
  type HandsetText,
  type HandsetTextId,
  handsetProviderId
} from "@switchboard/domain/handset/HandsetText"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type PageRequest, page } from "@switchboard/domain/Page"
import { segmentText } from "@switchboard/domain/sms/SmsText"
import { mediaKindOf } from "@switchboard/domain/whatsapp/WhatsAppContent"
import { DateTime, Effect } from "effect"
import { attachmentKey } from "../attachments/AttachmentRepo.js"
import { Attachments } from "../attachments/Attachments.js"
import { reserveKey } from "../idempotency/CreateOnce.js"
import { newUuid } from "../NewId.js"
import { HandsetEnabled, HandsetPhone, handsetMediaId, type PhoneFile } from "./HandsetPhone.js"
import { HandsetRepo } from "./HandsetRepo.js"

/** A phone number or short code: an alphanumeric sender id receives no texts. */
const receivesTexts = /^\+?[0-9]+$/

const cannotReply = new ConflictError({
  message: "The text has an alphanumeric sender id, which can't receive a reply",
  resource: "handsetText"
})

const noFiles = new ValidationError({
  message: "The request body is invalid",
  fields: { attachmentId: ["must be left out: a text message has no file"] }
})

/** The local handset: the texts of an organization that were sent to it. Without it, no text is found. */
export class Handset extends Effect.Service<Handset>()("services/Handset", {
  effect: Effect.gen(function* () {
    const repo = yield* HandsetRepo
    const phone = yield* HandsetPhone
    const isEnabled = yield* HandsetEnabled
    const reserve = yield* reserveKey
    const attachments = yield* Attachments

    const list = Effect.fn("Handset.list")(function* (organization: OrganizationId, request: PageRequest) {
      return yield* isEnabled ? repo.list(organization, request) : Effect.succeed(page<HandsetText>([], 0, request))
    })

    const find = (
      organization: OrganizationId,
      id: HandsetTextId
    ): Effect.Effect<HandsetText, ResourceNotFoundError | ServiceUnavailableError> => {
      const notFound = new ResourceNotFoundError({ resource: "handsetText", id })
      return isEnabled
        ? Effect.catchTag(Effect.flatten(repo.find(organization, id)), "NoSuchElementException", () => notFound)
        : notFound
    }

    const get = Effect.fn("Handset.get")(find)

    /** The reply to a text, which must be of a number that receives texts. */
    const answerTo = Effect.fnUntraced(function* (
      organization: OrganizationId,
      id: HandsetTextId,
      { text }: HandsetReply
    ) {
      const received = yield* find(organization, id)
      const { channel, from, to } = received
      if (!receivesTexts.test(from)) return yield* cannotReply
      const segmented = channel === "sms" ? segmentText(text) : null
      const encoding = segmented?.encoding ?? null
      const segments = segmented?.segments.length ?? null
      return new HandsetAnswer({ channel, from: to, to: from, text, encoding, segments }, { disableValidation: true })
    })

    const fileOf = Effect.fnUntraced(function* (
      organization: OrganizationId,
      channel: HandsetAnswer["channel"],
      { attachmentId }: HandsetReply
    ) {
      if (attachmentId === undefined) return null
      if (channel === "sms") return yield* noFiles
      const { contentType, filename } = yield* attachments.get(organization, attachmentId)
      const mediaId = handsetMediaId(attachmentKey(organization, attachmentId))
      return { mediaId, kind: mediaKindOf(contentType), contentType, filename } satisfies PhoneFile
    })

    /**
     * Sends a text from the phone that received one to the number that sent it. The idempotency key is stored after the
     * service acknowledged the reply, so that a failed reply can be repeated.
     */
    const reply = Effect.fn("Handset.reply")(function* (
      organization: OrganizationId,
      id: HandsetTextId,
      request: HandsetReply
    ) {
      const answer = yield* answerTo(organization, id, request)
      const file = yield* fileOf(organization, answer.channel, request)
      yield* phone.send({ ...answer, answers: handsetProviderId(answer.channel, id), file })
      return yield* reserve(newUuid(DateTime.toEpochMillis(yield* DateTime.now)), Effect.succeed(answer))
    })

    return { list, get, reply, answerTo } as const
  })
}) {}

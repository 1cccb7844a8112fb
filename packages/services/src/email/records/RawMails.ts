import { ResourceNotFoundError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import { type EmailMessage, isEmail, type MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, Option } from "effect"
import { MimeWriter } from "../../messages/delivery/MailTransport.js"
import { OutgoingMails } from "../../messages/delivery/OutgoingMails.js"
import { type CompleteMessage, MessageRepo } from "../../messages/MessageRepo.js"
import { ObjectStore } from "../../objects/ObjectStore.js"
import { withoutReturnedLinks } from "../receiving/ReturnedLinks.js"
import { EmailRecordRepo, type RecordedFile } from "./EmailRecordRepo.js"

/** The maximum size of the inline images of a page in octets, counted at each reference. */
export const maxInlineOctets = 25 * 1024 * 1024

/** `cid:` URLs (RFC 2392) up to a character that ends a URL in HTML or CSS. */
const references = /\bcid:([^\s"'<>()&]+)/gi

const imageType = /^image\/[\w.+-]+(?=\s*(?:;|$))/i

const decodeId = Option.liftThrowable(decodeURIComponent)

/** The Content-ID that a `cid:` URL refers to. */
const idOf = (escaped: string): string => Option.getOrElse(decodeId(escaped), () => escaped)

/** The images that an HTML refers to, by Content-ID, within the limit. The first ones have precedence. */
export const referencedImages = (
  html: string,
  files: ReadonlyArray<RecordedFile>
): ReadonlyMap<string, RecordedFile> => {
  const images = new Map(
    files.flatMap((file) =>
      file.contentId !== undefined && imageType.test(file.contentType) ? [[file.contentId, file] as const] : []
    )
  )
  const counts = new Map<string, number>()
  for (const [, escaped = ""] of html.matchAll(references)) {
    const id = idOf(escaped)
    if (images.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  let octets = 0
  return new Map(
    [...counts].flatMap(([id, count]) => {
      const file = images.get(id)
      if (file === undefined || octets + count * file.size > maxInlineOctets) return []
      octets += count * file.size
      return [[id, file] as const]
    })
  )
}

/** The `data:` URL (RFC 2397) of an image. */
export const dataUrl = ({ contentType }: Pick<RecordedFile, "contentType">, octets: Uint8Array): string =>
  `data:${imageType.exec(contentType)?.[0] ?? ""};base64,${Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength).toString("base64")}`

/** Replaces the references to images by their URLs, by Content-ID. */
export const withImages = (html: string, urls: ReadonlyMap<string, string>): string =>
  urls.size === 0
    ? html
    : html.replace(references, (reference, escaped: string) => urls.get(idOf(escaped)) ?? reference)

/** The maximum number of objects read concurrently. */
const maxReads = 4

/** The HTML parts of e-mails. */
export class HtmlParts extends Effect.Service<HtmlParts>()("services/HtmlParts", {
  effect: Effect.gen(function* () {
    const repo = yield* EmailRecordRepo
    const objects = yield* ObjectStore

    /** The HTML of an e-mail with its inline images as `data:` URLs. It is not sanitized. */
    const get = Effect.fn("HtmlParts.get")(function* (organization: OrganizationId, id: MessageId) {
      const notFound = (resource: string) => new ResourceNotFoundError({ resource, id })
      const found = yield* repo.find(organization, id)
      const { files, message } = yield* Effect.mapError(found, () => notFound("email"))
      const html = isEmail(message) ? message.content.html : ""
      if (html === "") return yield* notFound("htmlPart")
      const urls = yield* Effect.forEach(
        referencedImages(html, files),
        ([contentId, file]) =>
          Effect.map(
            objects.get(file.key),
            Option.map((octets) => [contentId, dataUrl(file, octets)] as const)
          ),
        { concurrency: maxReads }
      )
      return withImages(html, new Map(urls.flatMap(Option.toArray)))
    })

    return { get } as const
  })
}) {}

const retryAfterSeconds = 60

/** Sent and received e-mails as mails (RFC 5322). */
export class RawMails extends Effect.Service<RawMails>()("services/RawMails", {
  effect: Effect.gen(function* () {
    const messages = yield* MessageRepo
    const records = yield* EmailRecordRepo
    const mails = yield* OutgoingMails
    const writer = yield* MimeWriter
    const readable = yield* withoutReturnedLinks

    const composed = (
      message: EmailMessage,
      { attachments, trackClicks, trackOpens }: Omit<CompleteMessage, "message">
    ) => {
      const { clicks: _, deliveries, ...addressing } = message.emailMetadata
      return mails
        .shown({
          organizationId: message.organizationId,
          messageId: message.id,
          state: { deliveries },
          content: message.content,
          addressing,
          attachments,
          categories: message.categories,
          trackOpens,
          trackClicks,
          dueSince: message.scheduledAt ?? message.createdAt,
          createdAt: message.createdAt
        })
        .pipe(
          Effect.flatMap(writer.write),
          Effect.catchTag("SecretUnreadable", ({ message: problem }) =>
            Effect.zipRight(
              Effect.annotateLogs(Effect.logError("A mail can't be composed"), { messageId: message.id, problem }),
              new ServiceUnavailableError({
                message: "The signing key of the mail's domain can't be read now",
                retryAfterSeconds
              })
            )
          )
        )
    }

    /**
     * The octets of an e-mail: as received, without the signatures of returned links, or composed from the stored message
     * as for its delivery, without a DKIM signature. Not found if the octets were erased.
     */
    const get = Effect.fn("RawMails.get")(function* (organization: OrganizationId, id: MessageId) {
      const notFound = (resource: string) => new ResourceNotFoundError({ resource, id })
      const found = yield* messages.findComplete(organization, id)
      const complete = yield* Effect.mapError(found, () => notFound("email"))
      const { message } = complete
      if (!isEmail(message)) return yield* notFound("email")
      const { content, direction } = message
      if (direction === "inbound") {
        const octets = yield* records.receivedOctets(organization, id)
        return yield* Effect.mapBoth(octets, { onFailure: () => notFound("rawEmail"), onSuccess: readable })
      }
      return content.erasedAt === undefined ? yield* composed(message, complete) : yield* notFound("rawEmail")
    })

    return { get } as const
  })
}) {}

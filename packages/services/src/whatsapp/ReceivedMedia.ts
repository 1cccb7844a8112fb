import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { objectKey } from "@switchboard/domain/objects/ObjectKey"
import type { WhatsAppParts } from "@switchboard/domain/whatsapp/WhatsAppContent"
import { DateTime, Duration, Effect, Either, Option } from "effect"
import mime from "mime"
import { storableType } from "../email/receiving/ReadMail.js"
import type { ReceivedAttachment } from "../email/receiving/ReceivedMessageRepo.js"
import { newUuid } from "../NewId.js"
import { ObjectStore } from "../objects/ObjectStore.js"
import type { StoredText } from "../providers/ReceivedTextRepo.js"
import { WhatsAppMedia } from "./WhatsAppMedia.js"

/** Files in memory at the same time: each has up to 25 MiB. */
const maxDownloads = 4

/** From this age of the message on, a failed download is not repeated. */
export const maxDownloadAge = Duration.minutes(15)

const minRetryDelay = Duration.seconds(1)
/** The wait for a download of another message. */
const maxTurnDelay = Duration.seconds(30)

/** A received text, and the file that is stored with it. */
export interface TextWithFiles {
  readonly text: StoredText
  readonly files: ReadonlyArray<ReceivedAttachment>
}

/** Left is the time to try again. */
type Received = Either.Either<TextWithFiles, DateTime.Utc>

type Media = NonNullable<WhatsAppParts["media"]>

const withMedia = ({ event, ...stored }: StoredText, media: Media): StoredText =>
  event.whatsapp === undefined
    ? { event, ...stored }
    : { ...stored, event: { ...event, whatsapp: { ...event.whatsapp, content: { ...event.whatsapp.content, media } } } }

/** The name of a file without one: its kind, with the extension of its type. */
const nameless = ({ kind }: Media, contentType: string): string =>
  [kind, mime.getExtension(contentType) ?? []].flat().join(".")

/** Downloads the files of received WhatsApp messages into the object store. */
export const receivedMedia = Effect.gen(function* () {
  const { download } = yield* WhatsAppMedia
  const objects = yield* ObjectStore
  const downloads = yield* Effect.makeSemaphore(maxDownloads)

  /** Stores the file. A repeat overwrites the same object. */
  const store = Effect.fnUntraced(function* (text: StoredText, media: Media, content: Uint8Array) {
    const { id, organizationId, receivedAt } = text
    const contentType = storableType(media.contentType)
    const key = objectKey(organizationId, "whatsapp", id)
    // The error keeps the event in the queue.
    yield* Effect.mapError(
      objects.put(key, content, contentType),
      ({ message }) => new ServiceUnavailableError({ message, retryAfterSeconds: 1 })
    )
    const size = content.byteLength
    const file: ReceivedAttachment = {
      id: newUuid(DateTime.toEpochMillis(receivedAt)),
      filename: media.filename ?? nameless(media, contentType),
      contentType,
      contentId: null,
      size,
      key
    }
    const received: Received = Either.right({ text: withMedia(text, { ...media, size }), files: [file] })
    return received
  })

  const fetchFile = (text: StoredText, media: Media, mediaId: string, now: DateTime.Utc, age: Duration.Duration) =>
    Effect.matchEffect(download(mediaId), {
      onSuccess: (content) => store(text, media, content),
      onFailure: ({ isFinal, message }): Effect.Effect<Received> => {
        if (!isFinal && Duration.lessThan(age, maxDownloadAge)) {
          // The delay doubles: Meta blocks a number with many failed requests.
          return Effect.succeed(Either.left(DateTime.addDuration(now, Duration.max(age, minRetryDelay))))
        }
        return Effect.as(
          Effect.annotateLogs(Effect.logWarning("The file of a WhatsApp message is not stored"), {
            messageId: text.id,
            reason: message
          }),
          Either.right({ text: withMedia(text, { ...media, downloadError: message }), files: [] })
        )
      }
    })

  /**
   * Stores the file of a text, if it has one. The text then has the size of the file, or the reason why it is not
   * stored.
   */
  return Effect.fnUntraced(function* (text: StoredText): Effect.fn.Return<Received, ServiceUnavailableError> {
    const media = text.event.whatsapp?.content.media
    if (media?.mediaId === undefined) return Either.right({ text, files: [] })
    const now = yield* DateTime.now
    const age = DateTime.distanceDuration(text.receivedAt, now)
    const fetched = downloads.withPermitsIfAvailable(1)(fetchFile(text, media, media.mediaId, now, age))
    // Without a free turn the event returns to the queue: receipts must not wait for downloads.
    return Option.getOrElse(yield* fetched, () =>
      Either.left(DateTime.addDuration(now, Duration.clamp(age, { minimum: minRetryDelay, maximum: maxTurnDelay })))
    )
  })
})

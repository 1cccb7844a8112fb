import { Context, Data, type Effect, Layer } from "effect"

/** The file of a received message can't be downloaded. */
export class MediaUnavailable extends Data.TaggedError("MediaUnavailable")<{
  /** One sentence, without credentials. */
  readonly message: string
  /** Whether a repeat would fail again. */
  readonly isFinal: boolean
}> {}

/** Downloads the files of received WhatsApp messages from the Cloud API or the local handset. */
export class WhatsAppMedia extends Context.Tag("services/WhatsAppMedia")<
  WhatsAppMedia,
  {
    /** The octets of a file, at most `attachmentsLimitBytes`. Their hash is that of the provider. */
    readonly download: (mediaId: string) => Effect.Effect<Uint8Array, MediaUnavailable>
  }
>() {}

/** No provider: files are not downloaded until one is set. */
export const NoWhatsAppMedia = Layer.succeed(WhatsAppMedia, {
  download: () => new MediaUnavailable({ message: "No WhatsApp provider is set: set WHATSAPP_TOKEN", isFinal: false })
})

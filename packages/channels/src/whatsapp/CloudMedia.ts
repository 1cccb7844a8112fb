import { createHash } from "node:crypto"
import { parseUrl } from "@switchboard/domain/HttpUrl"
import { attachmentsLimitBytes } from "@switchboard/domain/messages/Attachment"
import { DestinationGuard } from "@switchboard/services/network/DestinationGuard"
import { MediaUnavailable, WhatsAppMedia } from "@switchboard/services/whatsapp/WhatsAppMedia"
import { Duration, Effect, Layer, Option } from "effect"
import { guardedDialler } from "../network/GuardedDialler.js"
import { httpExchange } from "../network/HttpExchange.js"
import { defaultProviderTimeout } from "../network/ProviderHttp.js"
import { CloudApi, cloudHeaders, cloudRequests, replyText } from "./CloudTransport.js"

/** The code for an id that does not exist. */
const unknownId = 100

const unavailable = ({ message }: { readonly message: string }) => new MediaUnavailable({ message, isFinal: false })

const tooLarge = new MediaUnavailable({
  message: `The file is larger than ${attachmentsLimitBytes / 1024 / 1024} MiB`,
  isFinal: true
})

/** Meta writes hashes in hexadecimal or base64. */
const hasHash = (octets: Uint8Array, sha256: string): boolean => {
  const digest = createHash("sha256").update(octets).digest()
  return [digest.toString("hex"), digest.toString("base64")].includes(sha256)
}

/** Downloads files over the Cloud API (Meta, "Media"): one request has the URL of a file, the next one its octets. */
export const CloudMedia = Layer.scoped(
  WhatsAppMedia,
  Effect.gen(function* () {
    const { timeout = defaultProviderTimeout, token, url } = yield* CloudApi
    const { pool, request } = yield* cloudRequests
    const guard = yield* DestinationGuard
    const dialler = yield* guardedDialler
    const { origin } = new URL(url)

    /** Connections to a host that the API names: its own, or a public one over https. */
    const poolTo = Effect.fnUntraced(function* (file: URL) {
      if (file.origin === origin) return pool
      if (file.protocol !== "https:") return yield* unavailable({ message: "The URL of the file is not https" })
      return dialler.poolTo(yield* guard.checkedDestination(file.href, timeout))
    })

    const download = Effect.fn("WhatsAppMedia.download")(
      function* (mediaId: string) {
        const reply = yield* request(mediaId, "")
        const file = Option.flatMap(Option.fromNullable(reply.url), parseUrl)
        if (reply.status !== 200 || Option.isNone(file)) {
          return yield* new MediaUnavailable({ message: replyText(reply), isFinal: reply.error?.code === unknownId })
        }
        if ((reply.file_size ?? 0) > attachmentsLimitBytes) return yield* tooLarge
        const { head, status } = yield* httpExchange(yield* poolTo(file.value), {
          method: "GET",
          path: file.value.pathname + file.value.search,
          headers: cloudHeaders(token),
          body: null,
          timeoutMs: Duration.toMillis(timeout),
          maxStoredBytes: attachmentsLimitBytes + 1
        })
        if (status !== 200) return yield* unavailable({ message: `HTTP ${status} for the URL of the file` })
        if (head.byteLength > attachmentsLimitBytes) return yield* tooLarge
        if (!hasHash(head, reply.sha256 ?? "")) {
          return yield* unavailable({ message: "The file does not have the hash that the API names" })
        }
        return head
      },
      Effect.catchTags({
        DestinationForbidden: unavailable,
        HostUnresolved: unavailable,
        NoResponse: unavailable
      })
    )

    return { download }
  })
)

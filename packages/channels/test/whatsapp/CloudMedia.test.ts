import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { CloudMedia } from "@switchboard/channels/whatsapp/CloudMedia"
import { CloudApi } from "@switchboard/channels/whatsapp/CloudTransport"
import { attachmentsLimitBytes } from "@switchboard/domain/messages/Attachment"
import { WhatsAppMedia } from "@switchboard/services/whatsapp/WhatsAppMedia"
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { hookCertificate, trusting } from "../Certificates.js"
import { guardLayer } from "../network/Guards.js"
import { receiver } from "../webhooks/Receiver.js"
import { type CloudFile, cloudAccount, cloudServer } from "./CloudServer.js"

const octets = Buffer.from("not a picture")

/** An API with a file, and its download with these blocks in NETWORK_ALLOW. */
const downloadOf = Effect.fnUntraced(function* (file: CloudFile | null, allow: ReadonlyArray<string> = []) {
  const server = yield* cloudServer
  if (file !== null) server.files.set("file-1", file)
  const api = {
    url: `${server.url}/v23.0`,
    token: Redacted.make(cloudAccount.token),
    phoneNumberId: cloudAccount.phoneNumberId,
    timeout: Duration.seconds(5)
  }
  const media = yield* Layer.build(
    CloudMedia.pipe(Layer.provide(guardLayer(allow)), Layer.provide(Layer.succeed(CloudApi, api)))
  )
  return { server, download: Context.get(media, WhatsAppMedia).download("file-1") }
})

const failureOf = (file: CloudFile | null, allow?: ReadonlyArray<string>) =>
  Effect.flatMap(downloadOf(file, allow), ({ download }) =>
    Effect.map(Effect.flip(download), ({ isFinal, message }) => ({ isFinal, message }))
  )

describe("CloudMedia.download", () => {
  it.scopedLive("has the octets, also of a file as large as allowed, with a hash in base64, without a size", () =>
    Effect.gen(function* () {
      const { download, server } = yield* downloadOf({ octets })
      assert.deepStrictEqual(yield* download, octets)
      assert.deepStrictEqual(
        server.received.map(({ headers }) => headers.authorization),
        Array.from({ length: 2 }, () => `Bearer ${cloudAccount.token}`)
      )
      const large = Buffer.alloc(attachmentsLimitBytes, "x")
      const sha256 = createHash("sha256").update(large).digest("base64")
      const other = yield* downloadOf({ octets: large, described: { sha256, file_size: undefined } })
      assert.isTrue(large.equals(yield* other.download))
    })
  )

  it.scopedLive("fails finally for an unknown file and for a large one, also if the API names a smaller size", () =>
    Effect.gen(function* () {
      const message = "HTTP 400 100 (#100) Object with ID 'file-1' does not exist"
      assert.deepStrictEqual(yield* failureOf(null), { isFinal: true, message })
      const tooLarge = { isFinal: true, message: "The file is larger than 25 MiB" }
      const size = attachmentsLimitBytes + 1
      assert.deepStrictEqual(yield* failureOf({ octets, described: { file_size: size } }), tooLarge)
      const large = Buffer.alloc(size, "x")
      assert.deepStrictEqual(yield* failureOf({ octets: large, described: { file_size: 1 } }), tooLarge)
    })
  )

  it.scopedLive("fails for now with another hash, without one, with an error of a server, and without a response", () =>
    Effect.gen(function* () {
      const hash = { isFinal: false, message: "The file does not have the hash that the API names" }
      assert.deepStrictEqual(yield* failureOf({ octets, described: { sha256: "00" } }), hash)
      assert.deepStrictEqual(yield* failureOf({ octets, described: { sha256: undefined } }), hash)
      assert.deepStrictEqual(yield* failureOf({ octets, next: [(response) => response.writeHead(404).end()] }), {
        isFinal: false,
        message: "HTTP 404 for the URL of the file"
      })
      assert.deepInclude(yield* failureOf({ octets, next: [(response) => response.destroy()] }), { isFinal: false })
      assert.deepInclude(yield* failureOf({ octets, described: { url: "no URL" } }), { isFinal: false })
    })
  )

  it.scopedLive("takes a file of another host over https only, from an address that may be called", () =>
    Effect.gen(function* () {
      yield* trusting(hookCertificate.cert)
      const other = yield* receiver((response) => response.end(octets), { tls: hookCertificate })
      const described = { url: `${other.url}/file?a=b` }
      const { download } = yield* downloadOf({ octets, described }, ["127.0.0.0/8"])
      assert.deepStrictEqual(yield* download, octets)
      assert.deepInclude(other.received[0], { path: "/file?a=b" })
      assert.match((yield* failureOf({ octets, described })).message, /is a loopback address/)
      const plain = { url: described.url.replace("https:", "http:") }
      assert.deepStrictEqual(yield* failureOf({ octets, described: plain }, ["127.0.0.0/8"]), {
        isFinal: false,
        message: "The URL of the file is not https"
      })
      assert.lengthOf(other.received, 1)
    })
  )
})

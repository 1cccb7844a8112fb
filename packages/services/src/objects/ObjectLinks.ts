import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { Clock, type Context, Duration, Effect, Option, Schema } from "effect"
import { PublicUrl } from "../PublicUrl.js"
import { Signatures } from "../SecretBox.js"
import { ObjectStore } from "./ObjectStore.js"

/** The content of a download link. */
interface ObjectToken {
  readonly key: ObjectKey
  readonly filename: string
  readonly expiresAtMs: number
}

const purpose = "object"

const decode = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Struct({ key: ObjectKey, filename: Schema.String, expiresAtMs: Schema.Int }))
)

/** A signed token, safe in a URL. */
export const objectToken = (signatures: Context.Tag.Service<Signatures>, token: ObjectToken): string => {
  const subject = Buffer.from(JSON.stringify(token)).toString("base64url")
  return `${subject}.${signatures.sign(purpose, subject)}`
}

/** None if the signature is invalid. */
const parseObjectToken = (signatures: Context.Tag.Service<Signatures>, text: string): Option.Option<ObjectToken> => {
  const [subject = "", signature = "", ...rest] = text.split(".")
  return rest.length === 0 && signatures.verify(purpose, subject, signature)
    ? decode(Buffer.from(subject, "base64url").toString())
    : Option.none()
}

/** The path prefix of downloads; the token follows it. */
export const objectsPath = "/v1/objects/"

/** The validity of a download link. */
export const linkLifetime = Duration.minutes(15)

/** Signed links that download an object without an API key. */
export class ObjectLinks extends Effect.Service<ObjectLinks>()("services/ObjectLinks", {
  effect: Effect.gen(function* () {
    const store = yield* ObjectStore
    const signatures = yield* Signatures
    const publicUrl = yield* PublicUrl

    /** A link that downloads an object under a file name, valid for 15 minutes. */
    const downloadUrl = Effect.fnUntraced(function* (key: ObjectKey, { filename }: { readonly filename: string }) {
      const expiresAtMs = (yield* Clock.currentTimeMillis) + Duration.toMillis(linkLifetime)
      return `${publicUrl}${objectsPath}${objectToken(signatures, { key, filename, expiresAtMs })}`
    })

    /** The object of a link. An expired link, an invalid one and a deleted object are all not found. */
    const open = Effect.fn("ObjectLinks.open")(function* (text: string) {
      const now = yield* Clock.currentTimeMillis
      const token = Option.filter(parseObjectToken(signatures, text), ({ expiresAtMs }) => expiresAtMs > now)
      const notFound = () => new ResourceNotFoundError({ resource: "download", id: text })
      const { filename, key } = yield* Effect.mapError(token, notFound)
      const { bytes, contentLength } = yield* Effect.mapError(Effect.flatten(store.read(key)), (failure) =>
        failure._tag === "NoSuchElementException" ? notFound() : failure
      )
      return { filename, bytes, contentLength }
    })

    return { downloadUrl, open } as const
  })
}) {}

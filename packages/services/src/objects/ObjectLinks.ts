import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { Clock, Duration, Effect, Option } from "effect"
import { PublicUrl } from "../PublicUrl.js"
import { Signatures } from "../Signatures.js"
import { ObjectStore } from "./ObjectStore.js"
import { objectToken, parseObjectToken } from "./ObjectToken.js"

/** Where objects are downloaded, below the service's address; the token comes after it. */
export const objectsPath = "/v1/objects/"

/** How long a link is good for. */
export const linksLast = Duration.minutes(15)

/** Links by which whoever has one downloads an object, without a key. */
export class ObjectLinks extends Effect.Service<ObjectLinks>()("services/ObjectLinks", {
  effect: Effect.gen(function* () {
    const store = yield* ObjectStore
    const signatures = yield* Signatures
    const publicUrl = yield* PublicUrl

    /** A link to an object, good for a quarter of an hour, that downloads it under a file's name. */
    const downloadUrl = Effect.fnUntraced(function* (key: ObjectKey, { filename }: { readonly filename: string }) {
      const expiresAtMs = (yield* Clock.currentTimeMillis) + Duration.toMillis(linksLast)
      return `${publicUrl}${objectsPath}${objectToken(signatures, { key, filename, expiresAtMs })}`
    })

    /** What a link leads to. A token that is over is like one that never was, and like one whose object is gone. */
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

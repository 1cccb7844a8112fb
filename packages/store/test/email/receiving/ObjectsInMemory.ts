import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { Effect, Layer, Option, Stream } from "effect"

/** Objects as long as a test lasts. */
export const objectsInMemory = () => {
  const objects = new Map<ObjectKey, { readonly bytes: Uint8Array; readonly contentType: string }>()
  return {
    objects,
    Objects: Layer.mock(ObjectStore, {
      put: (key, bytes, contentType) => Effect.sync(() => void objects.set(key, { bytes, contentType })),
      read: (key) =>
        Effect.sync(() =>
          Option.map(Option.fromNullable(objects.get(key)), ({ bytes }) => ({
            contentLength: bytes.byteLength,
            bytes: Stream.make(bytes)
          }))
        )
    })
  }
}

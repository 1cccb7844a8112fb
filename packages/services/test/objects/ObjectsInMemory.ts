import { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { Chunk, Effect, Layer, Option, Stream } from "effect"

/** An object store over the given map, which tests can read. */
export const objectsInMemory = (objects = new Map<string, Uint8Array>()) =>
  Layer.succeed(ObjectStore, {
    put: (key, bytes) => Effect.sync(() => void objects.set(key, bytes)),
    putStream: (key, bytes) =>
      Effect.map(Stream.runCollect(bytes), (pieces) => void objects.set(key, Buffer.concat(Chunk.toArray(pieces)))),
    get: (key) => Effect.sync(() => Option.fromNullable(objects.get(key))),
    read: (key) =>
      Effect.sync(() =>
        Option.map(Option.fromNullable(objects.get(key)), (bytes) => ({
          contentLength: bytes.byteLength,
          bytes: Stream.make(bytes)
        }))
      ),
    remove: (keys) =>
      Effect.sync(() => {
        for (const key of keys) objects.delete(key)
      })
  })

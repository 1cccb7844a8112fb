import type { ExternalServiceError } from "@switchboard/domain/Errors"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { Context, type Effect, type Option, type Stream } from "effect"

/** What is said of an object that is stored. */
export interface ObjectHead {
  readonly contentType: string
  readonly contentLength: number
}

/** An object that is read piece by piece, however large it is. */
export interface ObjectReading {
  readonly contentLength: number
  readonly bytes: Stream.Stream<Uint8Array, ExternalServiceError>
}

/** Where octets are kept: attachments, recordings, documents. Every process of an installation sees the same objects. */
export class ObjectStore extends Context.Tag("services/ObjectStore")<
  ObjectStore,
  {
    /** Keeps an object, in place of what the key had. Once it succeeds, no crash loses it. */
    readonly put: (key: ObjectKey, bytes: Uint8Array, contentType: string) => Effect.Effect<void, ExternalServiceError>
    /** Keeps what a stream gives, as `put` does; nothing at all if the stream fails. It must be as long as was said. */
    readonly putStream: <E>(
      key: ObjectKey,
      bytes: Stream.Stream<Uint8Array, E>,
      head: ObjectHead
    ) => Effect.Effect<void, E | ExternalServiceError>
    /** The whole object, for those that are small. */
    readonly get: (key: ObjectKey) => Effect.Effect<Option.Option<Uint8Array>, ExternalServiceError>
    readonly read: (key: ObjectKey) => Effect.Effect<Option.Option<ObjectReading>, ExternalServiceError>
    /** Removes those that there are. */
    readonly remove: (keys: ReadonlyArray<ObjectKey>) => Effect.Effect<void, ExternalServiceError>
  }
>() {}

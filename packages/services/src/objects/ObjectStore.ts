import type { ExternalServiceError } from "@switchboard/domain/Errors"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { Context, type Effect, type Option, type Stream } from "effect"

/** The metadata of a stored object. */
export interface ObjectHead {
  readonly contentType: string
  readonly contentLength: number
}

/** An object read as a stream. */
export interface ObjectReading {
  readonly contentLength: number
  readonly bytes: Stream.Stream<Uint8Array, ExternalServiceError>
}

/** Stores attachments, recordings and documents. All processes of an installation share the objects. */
export class ObjectStore extends Context.Tag("services/ObjectStore")<
  ObjectStore,
  {
    /** Stores an object durably, replacing the key's previous one. */
    readonly put: (key: ObjectKey, bytes: Uint8Array, contentType: string) => Effect.Effect<void, ExternalServiceError>
    /** Stores a stream as `put` does, or nothing if the stream fails. Its length must be `contentLength`. */
    readonly putStream: <E>(
      key: ObjectKey,
      bytes: Stream.Stream<Uint8Array, E>,
      head: ObjectHead
    ) => Effect.Effect<void, E | ExternalServiceError>
    /** Reads a small object into memory. */
    readonly get: (key: ObjectKey) => Effect.Effect<Option.Option<Uint8Array>, ExternalServiceError>
    /** Reads an object as a stream. */
    readonly read: (key: ObjectKey) => Effect.Effect<Option.Option<ObjectReading>, ExternalServiceError>
    /** Removes objects; missing ones are skipped. */
    readonly remove: (keys: ReadonlyArray<ObjectKey>) => Effect.Effect<void, ExternalServiceError>
  }
>() {}

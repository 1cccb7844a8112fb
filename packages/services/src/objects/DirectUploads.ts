import type { ExternalServiceError } from "@switchboard/domain/Errors"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { Context, type Duration, type Effect, type Option } from "effect"
import type { ObjectHead } from "./ObjectStore.js"

/** An object store that accepts uploads directly. */
export interface UploadsToStore {
  /** A URL for uploads of an object of exactly this length and type, without authentication, until it expires. */
  readonly presign: (key: ObjectKey, head: ObjectHead, validity: Duration.Duration) => Effect.Effect<string>
  /** The metadata of an object. */
  readonly head: (key: ObjectKey) => Effect.Effect<Option.Option<ObjectHead>, ExternalServiceError>
  /** Copies an object to another key. Later uploads to the first key don't change the copy. */
  readonly copy: (from: ObjectKey, to: ObjectKey) => Effect.Effect<void, ExternalServiceError>
}

/** Uploads directly to the object store; none if the store is local, where uploads pass through this service. */
export class DirectUploads extends Context.Tag("services/DirectUploads")<
  DirectUploads,
  Option.Option<UploadsToStore>
>() {}

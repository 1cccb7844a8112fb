import type { ExternalServiceError } from "@switchboard/domain/Errors"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { Context, type Duration, type Effect, type Option } from "effect"
import type { ObjectHead } from "./ObjectStore.js"

/** What an object store does that takes uploads itself. */
export interface UploadsToStore {
  /** Where anyone may put an object of exactly this length and type, as often as they like, while the link lasts. */
  readonly presign: (key: ObjectKey, head: ObjectHead, lasts: Duration.Duration) => Effect.Effect<string>
  readonly head: (key: ObjectKey) => Effect.Effect<Option.Option<ObjectHead>, ExternalServiceError>
  /** Keeps an object under another key too; what comes under the old one afterwards does not change it. */
  readonly copy: (from: ObjectKey, to: ObjectKey) => Effect.Effect<void, ExternalServiceError>
}

/** Uploads past this service, straight to the object store; none where it is ours, and uploads come through us. */
export class DirectUploads extends Context.Tag("services/DirectUploads")<
  DirectUploads,
  Option.Option<UploadsToStore>
>() {}

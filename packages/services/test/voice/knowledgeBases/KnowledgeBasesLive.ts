import { DirectUploads, type UploadsToStore } from "@switchboard/services/objects/DirectUploads"
import { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { objectStoreFailed } from "@switchboard/services/objects/ObjectStoreFailed"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { KnowledgeBases } from "@switchboard/services/voice/knowledgeBases/KnowledgeBases"
import { Uploads } from "@switchboard/services/voice/knowledgeBases/Uploads"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { Effect, Layer, Option, Redacted } from "effect"
import { objectsInMemory } from "../../objects/ObjectsInMemory.js"

/** Removals fail while the map has the key `fails`. */
const failingStore = (objects: Map<string, Uint8Array>) =>
  Layer.effect(
    ObjectStore,
    Effect.map(ObjectStore, (store) => ({
      ...store,
      remove: (keys) => Effect.suspend(() => (objects.has("fails") ? objectStoreFailed : store.remove(keys)))
    }))
  ).pipe(Layer.provide(objectsInMemory(objects)))

/** Knowledge bases on the test database, with objects stored in the given map. */
export const knowledgeBasesLive = (
  objects: Map<string, Uint8Array>,
  direct: Option.Option<UploadsToStore> = Option.none()
) =>
  KnowledgeBases.Default.pipe(
    Layer.provideMerge(Uploads.Default),
    Layer.provideMerge(Layer.merge(failingStore(objects), Layer.succeed(DirectUploads, direct))),
    Layer.provide(Layer.succeed(PublicUrl, "https://mail.test")),
    Layer.provideMerge(Signatures.Live),
    Layer.provide(Layer.succeed(MasterKey, Redacted.make(Buffer.alloc(32, 7)))),
    Layer.provideMerge(StoreLive)
  )

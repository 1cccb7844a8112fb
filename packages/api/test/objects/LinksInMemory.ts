import { ObjectLinks } from "@switchboard/services/objects/ObjectLinks"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { objectsInMemory } from "@switchboard/services/testing/objects/ObjectsInMemory"
import { Layer, Redacted } from "effect"

const objects = new Map<string, Uint8Array>()

/** Object links whose objects are shared by all layers of this function. */
export const linksInMemory = () =>
  ObjectLinks.Default.pipe(
    Layer.provideMerge(objectsInMemory(objects)),
    Layer.provide(Layer.succeed(PublicUrl, "https://mail.test")),
    // Fresh: other layers use signatures with another key.
    Layer.provide(Layer.fresh(Signatures.Live)),
    Layer.provide(Layer.succeed(MasterKey, Redacted.make(Buffer.alloc(32, 7))))
  )

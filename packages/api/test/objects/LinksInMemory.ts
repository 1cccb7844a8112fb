import { ObjectLinks } from "@switchboard/services/objects/ObjectLinks"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { objectsInMemory } from "@switchboard/services/testing/objects/ObjectsInMemory"
import { Layer, Redacted } from "effect"

const objects = new Map<string, Uint8Array>()

/** Links to objects that every user of this has in common. */
export const linksInMemory = () =>
  ObjectLinks.Default.pipe(
    Layer.provideMerge(objectsInMemory(objects)),
    Layer.provide(Layer.succeed(PublicUrl, "https://mail.test")),
    // Fresh: others sign with keys of their own beside it.
    Layer.provide(Layer.fresh(Signatures.Live)),
    Layer.provide(Layer.succeed(MasterKey, Redacted.make(Buffer.alloc(32, 7))))
  )

import { join } from "node:path"
import { ObjectFiles } from "@switchboard/channels/objects/ObjectFiles"
import { ObjectLinks } from "@switchboard/services/objects/ObjectLinks"
import { Signatures } from "@switchboard/services/Signatures"
import { Layer } from "effect"
import { PublicUrlLive } from "./PublicUrlLive.js"
import type { Settings } from "./Settings.js"

/** Where objects are kept: the same for every process of the installation. */
export const ObjectStoreLive = ({ dataDir }: Settings) => ObjectFiles({ folder: join(dataDir, "objects") })

/** Links to objects, for whoever shows them and for whoever follows them. */
export const ObjectLinksLive = (settings: Settings) =>
  ObjectLinks.Default.pipe(Layer.provide(Layer.merge(PublicUrlLive(settings), Signatures.Live)))

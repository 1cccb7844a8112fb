import { join } from "node:path"
import { ObjectFiles } from "@switchboard/channels/objects/ObjectFiles"
import { ObjectsS3 } from "@switchboard/channels/objects/ObjectsS3"
import { ObjectsAndSentFiles } from "@switchboard/services/email/records/SentFiles"
import { DirectUploads } from "@switchboard/services/objects/DirectUploads"
import { ObjectLinks } from "@switchboard/services/objects/ObjectLinks"
import { Signatures } from "@switchboard/services/Signatures"
import { Layer, Option } from "effect"
import type { Settings } from "../Settings.js"
import { s3Bucket } from "../settings/S3Settings.js"
import { PublicUrlLive } from "./PublicUrlLive.js"

/** Uploads come through us where objects are files. */
const Files = ({ dataDir }: Settings) =>
  Layer.merge(ObjectFiles({ folder: join(dataDir, "objects") }), Layer.succeed(DirectUploads, Option.none()))

/** Where objects are kept: the same for every process of the installation. */
export const ObjectStoreLive = (settings: Settings) =>
  Option.match(s3Bucket(settings), { onNone: () => Files(settings), onSome: ObjectsS3 })

/** Links to objects, for whoever shows them and for whoever follows them. */
export const ObjectLinksLive = (settings: Settings) =>
  ObjectLinks.Default.pipe(
    Layer.provide(ObjectsAndSentFiles),
    Layer.provide(Layer.merge(PublicUrlLive(settings), Signatures.Live))
  )

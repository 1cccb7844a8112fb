import { Signatures } from "@switchboard/services/Signatures"
import { KnowledgeBases } from "@switchboard/services/voice/knowledgeBases/KnowledgeBases"
import { UploadSearches } from "@switchboard/services/voice/knowledgeBases/UploadSearches"
import { Uploads } from "@switchboard/services/voice/knowledgeBases/Uploads"
import { Layer } from "effect"
import type { Settings } from "../Settings.js"
import { PublicUrlLive } from "./PublicUrlLive.js"

/** Knowledge bases, and the uploads that come into them. */
export const KnowledgeLive = (settings: Settings) =>
  Layer.merge(KnowledgeBases.Default, Uploads.Default).pipe(
    Layer.provide(Layer.mergeAll(UploadSearches.Default, PublicUrlLive(settings), Signatures.Live))
  )

import { DateTime, Effect } from "effect"
import { uploadLease } from "./DocumentUpload.js"
import type { Hold } from "./DocumentUploadRepo.js"

/** A hold from now on. */
export const newHold = Effect.map(DateTime.now, (now): Hold => ({ now, until: DateTime.addDuration(now, uploadLease) }))

import type { DkimKeyPair } from "@switchboard/services/email/domains/DkimKeys"
import { Effect, GlobalValue } from "effect"

const prepared: Array<Promise<DkimKeyPair>> = []
let taken = 0

/** Takes the next of six key pairs, each of which is generated once in a test worker. */
const takeKey = Effect.promise(async () => {
  const { generateDkimKey } = await import("@switchboard/services/email/domains/DkimKeys")
  const at = taken++ % 6
  prepared[at] ??= Effect.runPromise(generateDkimKey)
  return prepared[at]
})

// Before the modules of the service are imported: they generate their keys with it.
GlobalValue.globalValue("services/makeDkimKey", () => takeKey)

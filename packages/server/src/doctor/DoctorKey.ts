import { InstallationRepo } from "@switchboard/services/installation/InstallationRepo"
import { MasterKeyCheck } from "@switchboard/services/installation/MasterKeyCheck"
import { MasterKey } from "@switchboard/services/Signatures"
import { InstallationRepoSql } from "@switchboard/store/installation/InstallationRepoSql"
import { Effect, Layer, Option } from "effect"
import { MasterKeyCheckLive, masterKey, wrongMasterKey } from "../layers/MasterKeyLive.js"
import type { Finding } from "./Doctor.js"

const what = "the master key is that of the first start"

/** Whether what is sealed opens. Where there is no key yet, the first start makes it. */
export const keyFindings = Effect.gen(function* () {
  const key = yield* masterKey
  if (Option.isNone(key)) {
    const { keyMark } = yield* InstallationRepo
    return Option.isNone(yield* keyMark) ? [] : [{ well: false, what, advice: yield* wrongMasterKey }]
  }
  const fits = yield* Effect.flatMap(MasterKeyCheck, (check) => check.fits).pipe(
    Effect.provide(MasterKeyCheckLive.pipe(Layer.provide(Layer.succeed(MasterKey, key.value))))
  )
  return [fits ? { well: true, what } : { well: false, what, advice: yield* wrongMasterKey }]
}).pipe(
  Effect.catchAll(({ message }) => Effect.succeed<ReadonlyArray<Finding>>([{ well: false, what, advice: message }])),
  Effect.provide(InstallationRepoSql)
)

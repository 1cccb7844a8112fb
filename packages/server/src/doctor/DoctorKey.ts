import type { Finding } from "@switchboard/domain/system/Finding"
import { MasterKeyCheck } from "@switchboard/services/installation/MasterKeyCheck"
import { MasterKey } from "@switchboard/services/Signatures"
import { Effect, Layer, Option } from "effect"
import {
  hasSecrets,
  MasterKeyCheckLive,
  masterKey,
  PreviousMasterKeyLive,
  wrongMasterKey
} from "../layers/MasterKeyLive.js"
import { failedCheck } from "./FailedCheck.js"

const subject = "Master key"

const wrongKey = Effect.map(wrongMasterKey, (advice): Finding => ({ level: "error", subject, advice: [advice] }))

/** Checks that the master key is the one of the first start. Before the first start there is no finding. */
export const keyFindings = Effect.gen(function* () {
  const key = yield* masterKey
  if (Option.isNone(key)) return (yield* hasSecrets) ? [yield* wrongKey] : []
  const fits = yield* Effect.flatMap(MasterKeyCheck, (check) => check.matches).pipe(
    Effect.provide(
      MasterKeyCheckLive.pipe(Layer.provide(Layer.merge(Layer.succeed(MasterKey, key.value), PreviousMasterKeyLive)))
    )
  )
  return [fits ? { level: "ok" as const, subject } : yield* wrongKey]
}).pipe(Effect.catchAll((error) => Effect.succeed<ReadonlyArray<Finding>>([failedCheck(subject)(error)])))

import { type Open, OpenRepo } from "@switchboard/services/email/opens/OpenRepo"
import { Opens } from "@switchboard/services/email/opens/Opens"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { Effect, Layer, Redacted } from "effect"

/** The signatures of the open links. */
export const OpenSignatures = Layer.fresh(Signatures.Live).pipe(
  Layer.provide(Layer.succeed(MasterKey, Redacted.make(Buffer.alloc(32, 9))))
)

/** Opens that are recorded in an array. */
export const opensInMemory = (written: Array<Open>) =>
  Opens.Default.pipe(
    Layer.provide(
      Layer.succeed(OpenRepo, {
        record: (opens) =>
          Effect.sync(() => {
            written.push(...opens)
          })
      })
    ),
    Layer.provide(OpenSignatures)
  )

import { schemaState } from "@switchboard/store/migrations/Migrations"
import { Array, Effect } from "effect"
import { CommandFailed } from "./Run.js"

/** Fails if this release can't run on the schema of the database, or has migrations for it. */
export const checkSchema = Effect.gen(function* () {
  const { pending, refusal } = yield* schemaState
  if (refusal !== null) return yield* new CommandFailed({ message: refusal })
  if (!Array.isNonEmptyReadonlyArray(pending)) return
  const [first] = pending
  const continues = pending.every(({ requires = 0 }) => requires < first.id)
  const names = pending.map(({ id, name }) => `${id} ${name}`).join(", ")
  return yield* new CommandFailed({
    message: `Pending migrations: ${names}. ${
      continues ? "Processes of the release before continue to run" : "Stop the processes of older releases before"
    }`
  })
})

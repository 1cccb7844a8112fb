import { schemaState } from "@switchboard/store/migrations/Migrations"
import { Array, Effect } from "effect"
import { CommandFailed } from "./Run.js"

/** Fails if this release can't run on the schema of the database, or has migrations for it. */
export const checkSchema = Effect.gen(function* () {
  const { isCompatible, pending, required } = yield* schemaState
  if (!isCompatible) {
    return yield* new CommandFailed({
      message: `The schema requires a release with migration ${required}: run a newer one`
    })
  }
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

import { Args, Command, Options } from "@effect/cli"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { migrate } from "@switchboard/store/migrations/Migrations"
import { Config, Console, Duration, Effect } from "effect"
import { fillDatabase } from "./FillDatabase.js"

const fill = Command.make(
  "fill",
  {
    messages: Args.integer({ name: "messages" }),
    organizations: Options.integer("organizations").pipe(Options.withDefault(10))
  },
  (shape) =>
    Effect.gen(function* () {
      yield* migrate
      const [took, [first]] = yield* Effect.timed(fillDatabase(shape))
      const sql = yield* PgClient.PgClient
      // No process has the key of their secrets, and none would start.
      yield* sql`DELETE FROM webhook_endpoints WHERE url LIKE 'https://hooks.example.com/%'`
      yield* Console.log(
        `Filled in ${Math.round(Duration.toSeconds(took))} s. The API key of the first organization: ${first?.key}`
      )
    }).pipe(Effect.provide(PgClient.layerConfig({ url: Config.redacted("DATABASE_URL") })))
)

Command.run(fill, { name: "fill", version: "1" })(process.argv).pipe(
  Effect.provide(NodeContext.layer),
  NodeRuntime.runMain
)

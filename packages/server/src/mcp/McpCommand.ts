import { Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { apiKeyOption, serviceAccess, urlOption } from "../access/ServiceAccess.js"

const permissions = "the permissions of the tools to use"

const load = Effect.promise(() => import("./ServeMcp.js"))

/** Serves tools to agents by the Model Context Protocol. */
export const mcpCommand = Command.make(
  "mcp",
  {
    canSend: Options.boolean("allow-send").pipe(
      Options.withDescription("adds the tools that send messages; default: agents only write drafts")
    ),
    url: urlOption,
    apiKey: apiKeyOption(permissions)
  },
  ({ canSend, ...given }) =>
    Effect.gen(function* () {
      const access = yield* serviceAccess(given, permissions)
      const { serveStdio } = yield* load
      return yield* serveStdio(access, canSend)
    })
).pipe(Command.withDescription("Serves tools for agents by the Model Context Protocol, over standard input and output"))

import { Command, Options } from "@effect/cli"
import { Effect, Option, Schema } from "effect"
import { apiKeyOption, serviceAccess, urlOption } from "../access/ServiceAccess.js"
import { option, parseBy } from "../ReadArguments.js"

const permissions = "the permissions of the tools to use"

const portMessage = () => "must be a port from 0 to 65535"

const parsePort = parseBy(
  Schema.NumberFromString.pipe(
    Schema.int({ message: portMessage }),
    Schema.between(0, 65_535, { message: portMessage })
  )
)

const load = Effect.promise(() => import("./ServeMcp.js"))

/** Serves tools to agents by the Model Context Protocol. */
export const mcpCommand = Command.make(
  "mcp",
  {
    canSend: Options.boolean("allow-send").pipe(
      Options.withDescription("adds the tools that send messages; default: agents only write drafts")
    ),
    http: option(
      "http",
      "PORT",
      "serves over Streamable HTTP, on this port of the loopback addresses; 0: a free port; default: over standard input and output",
      parsePort
    ).pipe(Options.optional),
    url: urlOption,
    apiKey: apiKeyOption(permissions)
  },
  ({ canSend, http, ...given }) =>
    Effect.gen(function* () {
      const access = yield* serviceAccess(given, permissions)
      const { serveHttp, serveStdio } = yield* load
      return yield* Option.match(http, {
        onNone: () => serveStdio(access, canSend),
        onSome: (port) => serveHttp(access, canSend, port)
      })
    })
).pipe(
  Command.withDescription(
    "Serves tools for agents by the Model Context Protocol, over standard input and output, or over HTTP"
  )
)

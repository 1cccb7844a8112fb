import { Command, Options } from "@effect/cli"
import { Channel } from "@switchboard/domain/messages/Message"
import { DateTime, Effect, Option, Schema } from "effect"
import { organizationOption } from "../organizations/NamedOrganization.js"
import { choice, option, parseBy, parseTime, textOption } from "../ReadArguments.js"
import { CommandFailed, withoutWait, withSettings } from "../run/Run.js"

const parseLimit = parseBy(
  Schema.NumberFromString.pipe(
    Schema.int({ message: () => "must be a positive integer" }),
    Schema.positive({ message: () => "must be a positive integer" })
  )
)

const options = {
  all: Options.boolean("all").pipe(Options.withDescription("the messages of all organizations")),
  organization: organizationOption.pipe(Options.optional),
  channel: choice("channel", Channel.literals, "only messages of this channel; default: all").pipe(Options.optional),
  code: textOption(
    "code",
    "CODE",
    "code of the error, such as retries_exhausted; default: all except cancelled, restored and poisoned"
  ).pipe(Options.optional),
  since: option("since", "TIME", "only messages that failed at this time (ISO 8601) or later", parseTime).pipe(
    Options.optional
  ),
  until: option("until", "TIME", "only messages that failed at this time (ISO 8601) or earlier", parseTime).pipe(
    Options.optional
  ),
  limit: option("limit", "NUMBER", "maximum number of messages; default: no limit", parseLimit).pipe(Options.optional),
  dryRun: Options.boolean("dry-run").pipe(Options.withDescription("lists the messages, and changes nothing")),
  json: Options.boolean("json").pipe(
    Options.withDescription("with --dry-run: prints only JSON on standard output; default: a table")
  )
}

const loadRetry = Effect.promise(() => import("./RetryMessages.js").then(({ retryMessages }) => retryMessages))

const retry = Command.make("retry", options, ({ all, ...given }) =>
  withSettings(
    Effect.gen(function* () {
      const { dryRun, json, organization, since, until } = given
      if (all === Option.isSome(organization)) {
        return yield* new CommandFailed({ message: "Give --organization ID_OR_SLUG or --all" })
      }
      if (json && !dryRun) return yield* new CommandFailed({ message: "Give --json only with --dry-run" })
      if (Option.isSome(since) && Option.isSome(until) && DateTime.greaterThan(since.value, until.value)) {
        return yield* new CommandFailed({ message: "--since must not be after --until" })
      }
      // Messages that this command sends and that fail at once do not match.
      const acceptedBefore = yield* DateTime.now
      const retryMessages = yield* loadRetry
      yield* withoutWait(retryMessages({ ...given, acceptedBefore }))
    })
  )
).pipe(Command.withDescription("Sends failed messages again, as new messages with the same content"))

export const messageCommands = Command.make("messages").pipe(
  Command.withDescription("Messages"),
  Command.withSubcommands([retry])
)

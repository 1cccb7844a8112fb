import { Command, Options } from "@effect/cli"
import { Channel } from "@switchboard/domain/messages/Message"
import { DateTime, Effect, Option, Schema } from "effect"
import { readArgument, Time } from "../ReadArguments.js"
import { CommandFailed, withoutWait, withSettings } from "../run/Run.js"

const Limit = Schema.NumberFromString.pipe(
  Schema.int({ message: () => "must be a positive integer" }),
  Schema.positive({ message: () => "must be a positive integer" })
)

const time = (name: string, description: string) =>
  Options.text(name).pipe(Options.withDescription(description), Options.optional)

const options = {
  all: Options.boolean("all").pipe(Options.withDescription("the messages of all organizations")),
  organization: Options.text("organization").pipe(
    Options.withDescription("id or slug of the organization"),
    Options.optional
  ),
  channel: Options.choice("channel", Channel.literals).pipe(Options.optional),
  code: Options.text("code").pipe(
    Options.withDescription(
      "code of the error, such as retries_exhausted; default: all except cancelled, restored and poisoned"
    ),
    Options.optional
  ),
  since: time("since", "messages that failed at this time or later"),
  until: time("until", "messages that failed at this time or earlier"),
  limit: Options.text("limit").pipe(Options.withDescription("maximum number of messages to retry"), Options.optional),
  dryRun: Options.boolean("dry-run").pipe(Options.withDescription("prints the number of messages, and changes nothing"))
}

const loadRetry = Effect.promise(() => import("./RetryMessages.js").then(({ retryMessages }) => retryMessages))

const retry = Command.make("retry", options, ({ all, dryRun, organization, ...given }) =>
  withSettings(
    Effect.gen(function* () {
      if (all === Option.isSome(organization)) {
        return yield* new CommandFailed({ message: "Give --organization ID or --all" })
      }
      const since = yield* Effect.transposeMapOption(given.since, readArgument("--since", Time))
      const until = yield* Effect.transposeMapOption(given.until, readArgument("--until", Time))
      const limit = yield* Effect.transposeMapOption(given.limit, readArgument("--limit", Limit))
      if (Option.isSome(since) && Option.isSome(until) && DateTime.greaterThan(since.value, until.value)) {
        return yield* new CommandFailed({ message: "--since must not be after --until" })
      }
      // Messages that this command sends and that fail at once do not match.
      const acceptedBefore = yield* DateTime.now
      const retryMessages = yield* loadRetry
      yield* withoutWait(
        retryMessages({
          organization,
          channel: given.channel,
          code: given.code,
          acceptedBefore,
          since,
          until,
          limit,
          dryRun
        })
      )
    })
  )
).pipe(Command.withDescription("Sends failed messages again, as new messages with the same content"))

export const messageCommands = Command.make("messages").pipe(
  Command.withDescription("Messages"),
  Command.withSubcommands([retry])
)

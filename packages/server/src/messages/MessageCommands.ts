import { Command, Options } from "@effect/cli"
import { Channel } from "@switchboard/domain/messages/Message"
import type { FailedFilter } from "@switchboard/services/messages/FailedMessageRepo"
import { RetryFailed } from "@switchboard/services/messages/RetryFailed"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { Console, DateTime, Effect, Layer, Option, Schema } from "effect"
import { OwnRateLimits } from "../layers/Ports.js"
import { Storage } from "../layers/Storage.js"
import { MessagesLive } from "../layers/UseCases.js"
import { findOrganization, readArgument, Time } from "../ReadArguments.js"
import { CommandFailed, withoutWait, withSettings } from "../run/Run.js"
import { ServiceSettings } from "../settings/ServiceSettings.js"

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

const RetryLive = RetryFailed.Default.pipe(
  Layer.provide(MessagesLive),
  Layer.provide(OwnRateLimits),
  Layer.provideMerge(Layer.merge(Storage, ServiceSettings))
)

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
      yield* Effect.gen(function* () {
        const { list } = yield* OrganizationRepo
        const { count, run } = yield* RetryFailed
        const owners = Option.isSome(organization) ? [yield* findOrganization(list, organization.value)] : yield* list
        const filterOf = (organizationId: FailedFilter["organizationId"]): FailedFilter => ({
          ...{ organizationId, acceptedBefore, since, until },
          ...{ channel: given.channel, code: given.code, after: Option.none() }
        })
        let left = Option.getOrElse(limit, () => Number.POSITIVE_INFINITY)
        let total = 0
        const refused: Record<string, number> = {}
        for (const { id } of owners) {
          if (dryRun) {
            total += yield* count(filterOf(id))
            continue
          }
          const counts = yield* run(filterOf(id), left)
          total += counts.retried
          left -= counts.retried
          for (const [reason, n] of Object.entries(counts.refused)) refused[reason] = (refused[reason] ?? 0) + n
        }
        yield* Console.log(dryRun ? `Would retry: ${Math.min(total, left)}` : `Retried: ${total}`)
        yield* Effect.forEach(Object.entries(refused), ([reason, n]) => Console.log(`Not retried: ${n} (${reason})`))
      }).pipe(Effect.provide(RetryLive), withoutWait)
    })
  )
).pipe(Command.withDescription("Sends failed messages again, as new messages with the same content"))

export const messageCommands = Command.make("messages").pipe(
  Command.withDescription("Messages"),
  Command.withSubcommands([retry])
)

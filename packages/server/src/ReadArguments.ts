import type { OrganizationSummary } from "@switchboard/domain/organizations/Organization"
import { Effect, Either, ParseResult, Schema } from "effect"
import { CommandFailed } from "./run/Run.js"

/** Decodes an argument of a command. The error is one line that begins with the argument's name. */
export const readArgument =
  <A>(name: string, schema: Schema.Schema<A, string>) =>
  (text: string): Either.Either<A, CommandFailed> =>
    Either.mapLeft(
      Schema.decodeEither(schema)(text),
      (error) =>
        new CommandFailed({
          message: `${name} ${ParseResult.ArrayFormatter.formatErrorSync(error)[0]?.message ?? "is invalid"}`
        })
    )

export const Time = Schema.DateTimeUtc.annotations({ message: () => "must be a time such as 2026-11-23T10:00:00Z" })

/** Finds an organization by its id or its slug. */
export const findOrganization = <E>(list: Effect.Effect<ReadonlyArray<OrganizationSummary>, E>, named: string) =>
  Effect.flatMap(list, (all) => {
    const found = all.find(({ id, slug }) => id === named.toLowerCase() || slug === named)
    return found === undefined
      ? new CommandFailed({
          message: `There is no organization "${named}": run "switchboard organizations list" for ids and slugs`
        })
      : Effect.succeed(found)
  })

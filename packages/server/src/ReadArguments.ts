import type { OrganizationSummary } from "@switchboard/domain/organizations/Organization"
import { Effect, Either, ParseResult, Schema } from "effect"
import { CommandFailed } from "./run/Run.js"

/** Reads what somebody typed; what is wrong with it is said in a line. */
export const readArgument =
  <A>(name: string, schema: Schema.Schema<A, string>) =>
  (text: string): Either.Either<A, CommandFailed> =>
    Either.mapLeft(
      Schema.decodeEither(schema)(text),
      (error) =>
        new CommandFailed({
          message: `${name} ${ParseResult.ArrayFormatter.formatErrorSync(error)[0]?.message ?? "is not understood"}`
        })
    )

/** The organization that somebody names by its id or its slug. */
export const findOrganization = <E>(list: Effect.Effect<ReadonlyArray<OrganizationSummary>, E>, named: string) =>
  Effect.flatMap(list, (all) => {
    const found = all.find(({ id, slug }) => id === named.toLowerCase() || slug === named)
    return found === undefined
      ? new CommandFailed({
          message: `There is no organization "${named}": "switchboard organizations list" shows their ids and slugs`
        })
      : Effect.succeed(found)
  })

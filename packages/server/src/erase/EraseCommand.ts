import { Args, Command, Options } from "@effect/cli"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { erasePerson } from "@switchboard/services/erasure/ErasePerson"
import { ErasureRepoSql } from "@switchboard/store/erasure/ErasureRepoSql"
import { Console, Effect, Either, Layer, ParseResult, Schema } from "effect"
import { CommandFailed, withSettings } from "../Run.js"
import { Storage } from "../Storage.js"

const readAddress = (text: string) =>
  Either.mapLeft(
    Schema.decodeEither(EmailAddress)(text),
    (error) =>
      new CommandFailed({
        message: `ADDRESS ${ParseResult.ArrayFormatter.formatErrorSync(error)[0]?.message ?? "must be an email address"}`
      })
  )

const address = Args.text({ name: "address" }).pipe(Args.withDescription("whom to forget"))

const organization = Options.text("organization").pipe(
  Options.withDescription("the organization that forgets; all without it"),
  Options.withSchema(OrganizationId),
  Options.optional
)

const told = (counts: ReadonlyArray<{ readonly what: string; readonly count: number }>) =>
  Effect.forEach(counts, ({ count, what }) => Console.log(`  ${count} ${what}`))

/** Forgets a person who asks for it. */
export const eraseCommand = Command.make("erase", { address, organization }, (given) =>
  withSettings((settings) =>
    Effect.gen(function* () {
      const erasure = { address: yield* readAddress(given.address), organization: given.organization }
      const { erased, left, onTheWay } = yield* Effect.provide(
        erasePerson(erasure),
        ErasureRepoSql.pipe(Layer.provideMerge(Storage(settings)))
      )
      yield* Console.log(erased.length === 0 ? "Nothing was there to erase" : "Erased")
      yield* told(erased)
      if (left.length > 0) {
        yield* Console.log("Left, since blocks protect the person and settings are their organization's:")
        yield* told(left)
      }
      if (onTheWay > 0) {
        yield* Console.log("Still on the way, erase again when they have arrived:")
        yield* told([{ what: "mails that name the address and wait to be read, or to be forwarded", count: onTheWay }])
      }
    })
  )
).pipe(Command.withDescription("Forgets a person by address: messages, mails, participants, whatever names them"))

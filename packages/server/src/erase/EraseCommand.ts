import { Args, Command, Options } from "@effect/cli"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { erasePerson } from "@switchboard/services/erasure/ErasePerson"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { ErasureRepoSql } from "@switchboard/store/erasure/ErasureRepoSql"
import { Console, Effect, Layer, Option } from "effect"
import { Storage } from "../layers/Storage.js"
import { findOrganization, readArgument } from "../ReadArguments.js"
import { withSettings } from "../run/Run.js"

const address = Args.text({ name: "address" }).pipe(Args.withDescription("whom to forget"))

const organization = Options.text("organization").pipe(
  Options.withDescription("the id or slug of the organization that forgets; all without it"),
  Options.optional
)

const told = (counts: ReadonlyArray<{ readonly what: string; readonly count: number }>) =>
  Effect.forEach(counts, ({ count, what }) => Console.log(`  ${count} ${what}`))

/** Forgets a person who asks for it. */
export const eraseCommand = Command.make("erase", { address, organization }, (given) =>
  withSettings(
    Effect.gen(function* () {
      const { list } = yield* OrganizationRepo
      const owner = yield* Effect.transposeMapOption(given.organization, (named) => findOrganization(list, named))
      const erasure = {
        address: yield* readArgument("ADDRESS", EmailAddress)(given.address),
        organization: Option.map(owner, ({ id }) => id)
      }
      const { erased, left, onTheWay } = yield* erasePerson(erasure)
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
    }).pipe(Effect.provide(ErasureRepoSql.pipe(Layer.provideMerge(Storage))))
  )
).pipe(Command.withDescription("Forgets a person by address: messages, mails, participants, whatever names them"))

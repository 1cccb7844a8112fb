import { Args, Command, Options } from "@effect/cli"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { PhoneNumber } from "@switchboard/domain/sms/SmsNumber"
import { erasePerson } from "@switchboard/services/erasure/ErasePerson"
import type { ReportProgress } from "@switchboard/services/erasure/ErasureRepo"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { ErasureRepoSql } from "@switchboard/store/erasure/ErasureRepoSql"
import { Clock, Console, DateTime, Duration, Effect, Layer, Option, Ref } from "effect"
import { Storage } from "../layers/Storage.js"
import { findOrganization, organizationOption } from "../organizations/NamedOrganization.js"
import { namedParse, parseBy } from "../ReadArguments.js"
import { withSettings } from "../run/Run.js"

const [parseEmail, parsePhone] = [parseBy(EmailAddress), parseBy(PhoneNumber)]

const address = Args.text({ name: "address" }).pipe(
  Args.withDescription("email address or phone number (E.164) of the person"),
  Args.mapEffect(namedParse("ADDRESS", (text) => (text.startsWith("+") ? parsePhone(text) : parseEmail(text))))
)

const organization = organizationOption.pipe(
  Options.withDescription("only the data in this organization; default: in all organizations"),
  Options.optional
)

const printCounts = (counts: ReadonlyArray<{ readonly what: string; readonly count: number }>) =>
  Effect.forEach(counts, ({ count, what }) => Console.log(`  ${count} ${what}`))

/** The time between two lines about the progress. */
const progressInterval = Duration.seconds(5)

/** Prints the progress to standard error, at most one line per interval. */
const progressPrinter = Effect.map(
  Effect.flatMap(Clock.currentTimeMillis, Ref.make),
  (printed): ReportProgress =>
    ({ estimated, searched, table }) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (now < (yield* Ref.get(printed)) + Duration.toMillis(progressInterval)) return
        yield* Ref.set(printed, now)
        const total = estimated > searched ? ` of about ${estimated}` : ""
        yield* Console.error(`Searched ${searched}${total} rows of ${table}`)
      })
)

/** Erases the personal data of an email address or a phone number (GDPR article 17). */
export const eraseCommand = Command.make("erase", { address, organization }, (args) =>
  withSettings(
    Effect.gen(function* () {
      const { list } = yield* OrganizationRepo
      const owner = yield* Effect.transposeMapOption(args.organization, (named) => findOrganization(list, named))
      const erasure = {
        address: args.address,
        organization: Option.map(owner, ({ id }) => id)
      }
      const { continued, erased, left, stillQueued } = yield* erasePerson(erasure, yield* progressPrinter)
      yield* Console.log(erased.length === 0 ? "Nothing to erase" : "Erased")
      yield* printCounts(erased)
      if (Option.isSome(continued)) {
        const start = DateTime.formatIso(continued.value)
        yield* Console.log(`This run continued the one of ${start}. To search data that was added since, run it again.`)
      }
      if (left.length > 0) {
        yield* Console.log(
          "Not erased, since blocks and opt-outs protect the person and settings belong to the organization:"
        )
        yield* printCounts(left)
      }
      if (stillQueued > 0) {
        yield* Console.log("Not processed yet; run the command again later:")
        yield* printCounts([{ what: "mails with the address that wait to be parsed or forwarded", count: stillQueued }])
      }
    }).pipe(Effect.provide(ErasureRepoSql.pipe(Layer.provideMerge(Storage))))
  )
).pipe(
  Command.withDescription(
    "Erases a person's data by email address or phone number: messages, mails, participants and all other references"
  )
)

import { Command, Options } from "@effect/cli"
import { RollupRepo } from "@switchboard/services/analytics/RollupRepo"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { Console, DateTime, Effect, Option } from "effect"
import { Storage } from "../layers/Storage.js"
import { findOrganization, organizationOption } from "../organizations/NamedOrganization.js"
import { withoutWait, withSettings } from "../run/Run.js"

const organization = organizationOption.pipe(
  Options.withDescription("only its figures; default: those of all organizations"),
  Options.optional
)

/** Makes figures anew from the stored events. */
const rebuild = Effect.fnUntraced(function* (named: Option.Option<string>) {
  const { list } = yield* OrganizationRepo
  const { rebuild } = yield* RollupRepo
  const chosen = Option.isSome(named) ? [yield* findOrganization(list, named.value)] : yield* list
  yield* Effect.forEach(chosen, ({ id, slug }) =>
    Effect.flatMap(rebuild(id), (from) =>
      Console.log(`Rebuilt ${slug} from the events since ${DateTime.formatIso(from)}`)
    )
  )
})

export const rollupCommands = Command.make("rollups").pipe(
  Command.withDescription("Figures that are folded from events"),
  Command.withSubcommands([
    Command.make("rebuild", { organization }, (args) =>
      withSettings(withoutWait(Effect.provide(rebuild(args.organization), Storage)))
    ).pipe(
      Command.withDescription(
        "Makes the figures of analytics anew from the stored events; figures of deleted events and places stay as they are"
      )
    )
  ])
)

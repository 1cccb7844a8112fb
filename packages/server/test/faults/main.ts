import { Args, Command, Options } from "@effect/cli"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Cause, Config, Console, Data, Duration, Effect, Exit, Option, Random } from "effect"
import { makeDice } from "./Dice.js"
import { describeReport, header, type Report, violationsOf } from "./Report.js"
import { overLimits, type Scenario } from "./Scenario.js"
import { scenarios } from "./Scenarios.js"

class PromisesBroken extends Data.TaggedError("PromisesBroken")<{ readonly message: string }> {}

const nothing = {
  acked: 0,
  lost: 0,
  duplicated: 0,
  unflagged: 0,
  endedWithoutTry: 0,
  answers: {},
  figures: {}
}

/** A scenario that can't be run to its end is a violation itself. */
const reportOf = (scenario: Scenario, seed: string, rounds: number): Effect.Effect<Report> =>
  Effect.map(
    Effect.exit(Effect.scoped(scenario.run({ dice: makeDice(`${seed}/${scenario.name}`), rounds }))),
    Exit.match({
      onSuccess: (report) => report,
      onFailure: (cause): Report => ({ ...nothing, violations: [Cause.pretty(cause)] })
    })
  )

const faults = Command.make("faults", {
  names: Args.text({ name: "scenario" }).pipe(Args.repeated),
  short: Options.boolean("short"),
  /** How many faults, in place of the scenarios' own counts. */
  rounds: Options.optional(Options.integer("rounds"))
}).pipe(
  Command.withHandler(({ names, rounds: given, short }) =>
    Effect.gen(function* () {
      const givenSeed = yield* Config.option(Config.string("SEED"))
      const seed = yield* Option.match(givenSeed, {
        onNone: () => Effect.map(Random.nextIntBetween(0, 1_000_000), String),
        onSome: Effect.succeed
      })
      const wanted = scenarios.filter(({ name }) => names.length === 0 || names.includes(name))
      const strangers = names.filter((name) => !wanted.some((scenario) => scenario.name === name))
      if (strangers.length > 0) {
        const known = scenarios.map(({ about, name }) => `  ${name.padEnd(16)} ${about}`).join("\n")
        return yield* new PromisesBroken({ message: `No scenario ${strangers.join(", ")}. There are:\n${known}` })
      }
      yield* Console.log(`SEED=${seed}\n${header}`)
      let broken = 0
      const runOne = Effect.fnUntraced(function* (scenario: Scenario) {
        const obstacle = scenario.obstacle?.() ?? null
        if (obstacle !== null) return yield* Console.log(`${scenario.name}: not run, ${obstacle}`)
        const rounds = Option.getOrElse(given, () => scenario.rounds[short ? "short" : "full"])
        const [took, report] = yield* Effect.timed(reportOf(scenario, seed, rounds))
        const violations = [...violationsOf(report), ...overLimits(scenario, report)]
        broken += violations.length
        yield* Console.log(describeReport(scenario.name, report, violations))
        yield* Console.log(
          JSON.stringify({
            scenario: scenario.name,
            seed,
            rounds,
            seconds: Math.round(Duration.toSeconds(took)),
            ...report,
            violations,
            pass: violations.length === 0
          })
        )
      })
      // Most of a scenario is waiting for leases and for processes that start.
      yield* Effect.forEach(wanted, runOne, { concurrency: 3, discard: true })
      if (broken > 0) return yield* new PromisesBroken({ message: `${broken} violations; repeat with SEED=${seed}` })
    })
  )
)

Command.run(faults, { name: "faults", version: "1" })(process.argv).pipe(
  Effect.tapErrorTag("PromisesBroken", ({ message }) => Console.error(message)),
  Effect.provide(NodeContext.layer),
  // Timers of simulated processes that were killed would keep this one for days.
  Effect.zipRight(Effect.sync(() => process.exit(0))),
  NodeRuntime.runMain({ disableErrorReporting: true })
)

import { fileURLToPath } from "node:url"
import { Args, Command, Options } from "@effect/cli"
import * as ShellCommand from "@effect/platform/Command"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Array, Cause, Config, Console, Data, Duration, Effect, Either, Exit, Number, Option, Random } from "effect"
import { makeDice } from "./Dice.js"
import { describeReport, header, type Report, violationsOf } from "./Report.js"
import { overLimits, type Scenario } from "./Scenario.js"
import { scenarios } from "./Scenarios.js"

class ViolationsFound extends Data.TaggedError("ViolationsFound")<{ readonly message: string }> {}

const nothing = {
  acked: 0,
  lost: 0,
  duplicated: 0,
  unflagged: 0,
  endedWithoutTry: 0,
  answers: {},
  figures: {}
}

/** The seed and the names of the columns. */
const headerLines = 2

/** A scenario that fails is itself a violation. */
const reportOf = (scenario: Scenario, seed: string, rounds: number): Effect.Effect<Report> =>
  Effect.map(
    Effect.exit(Effect.scoped(scenario.run({ dice: makeDice(`${seed}/${scenario.name}`), rounds }))),
    Exit.match({
      onSuccess: (report) => report,
      onFailure: (cause): Report => ({ ...nothing, violations: [Cause.pretty(cause)] })
    })
  )

interface Run {
  readonly scenario: Scenario
  readonly seed: string
  readonly rounds: number
}

/** Runs a scenario in this process; prints its figures and returns the number of violations. */
const runHere = Effect.fnUntraced(function* ({ rounds, scenario, seed }: Run) {
  const [took, report] = yield* Effect.timed(reportOf(scenario, seed, rounds))
  const violations = [...violationsOf(report), ...overLimits(scenario, report)]
  yield* Console.log(describeReport(scenario.name, report, violations))
  const seconds = Math.round(Duration.toSeconds(took))
  const pass = violations.length === 0
  yield* Console.log(JSON.stringify({ scenario: scenario.name, seed, rounds, seconds, ...report, violations, pass }))
  return violations.length
})

/** Runs a scenario in a process of its own; prints what it prints below the header. */
const runApart = ({ rounds, scenario, seed }: Run) =>
  ShellCommand.make(
    process.execPath,
    ...[process.argv[1] ?? "", "--config", "scripts/faults.config.js", fileURLToPath(import.meta.url)],
    ...["--", "--rounds", String(rounds), scenario.name]
  ).pipe(
    ShellCommand.env({ SEED: seed }),
    ShellCommand.stderr("inherit"),
    ShellCommand.lines,
    Effect.tap((lines) => Console.log(lines.slice(headerLines).join("\n"))),
    Effect.map((lines) => (lines.some((line) => line.endsWith('"pass":true}')) ? 0 : 1))
  )

/** The runs of a scenario in the processes that share its rounds; each has its own seed. */
const runsOf = (scenario: Scenario, seed: string, rounds: number): ReadonlyArray<Run> => {
  const parts = Math.ceil(rounds / (scenario.maxRounds ?? rounds))
  return Array.makeBy(parts, (part) => ({
    scenario,
    seed: parts === 1 ? seed : `${seed}.${part + 1}`,
    rounds: Math.ceil((rounds - part) / parts)
  }))
}

const faults = Command.make("faults", {
  names: Args.text({ name: "scenario" }).pipe(Args.repeated),
  short: Options.boolean("short"),
  /** The number of faults, instead of the default of each scenario. */
  rounds: Options.optional(Options.integer("rounds"))
}).pipe(
  Command.withHandler(({ names, rounds, short }) =>
    Effect.gen(function* () {
      const givenSeed = yield* Config.option(Config.string("SEED"))
      const seed = yield* Option.match(givenSeed, {
        onNone: () => Effect.map(Random.nextIntBetween(0, 1_000_000), String),
        onSome: Effect.succeed
      })
      const selected = scenarios.filter(({ name }) => names.length === 0 || names.includes(name))
      const unknown = names.filter((name) => !selected.some((scenario) => scenario.name === name))
      if (unknown.length > 0) {
        const known = scenarios.map(({ about, name }) => `  ${name.padEnd(16)} ${about}`).join("\n")
        return yield* new ViolationsFound({ message: `Unknown scenario ${unknown.join(", ")}. Scenarios:\n${known}` })
      }
      yield* Console.log(`SEED=${seed}\n${header}`)
      const [obstructed, possible] = Array.partitionMap(selected, (scenario) => {
        const obstacle = scenario.obstacle?.() ?? null
        return obstacle === null ? Either.right(scenario) : Either.left(`${scenario.name}: not run, ${obstacle}`)
      })
      yield* Effect.forEach(obstructed, Console.log)
      const runs = possible.flatMap((scenario) =>
        runsOf(
          scenario,
          seed,
          Option.getOrElse(rounds, () => scenario.rounds[short ? "short" : "full"])
        )
      )
      // Scenarios mostly wait for leases and for starting processes.
      const broken = yield* runs.length === 1
        ? Effect.forEach(runs, runHere)
        : Effect.forEach(runs, runApart, { concurrency: 3 })
      const violations = Number.sumAll(broken)
      if (violations > 0)
        return yield* new ViolationsFound({ message: `${violations} violations; repeat with SEED=${seed}` })
    })
  )
)

Command.run(faults, { name: "faults", version: "1" })(process.argv).pipe(
  Effect.tapErrorTag("ViolationsFound", ({ message }) => Console.error(message)),
  Effect.provide(NodeContext.layer),
  // Timers of killed simulated processes would keep this process alive for days.
  Effect.zipRight(Effect.sync(() => process.exit(0))),
  NodeRuntime.runMain({ disableErrorReporting: true })
)

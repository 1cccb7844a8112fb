import { Command } from "@effect/platform"
import { Effect, Stream } from "effect"
import { CommandFailed } from "../run/Run.js"

const packages: Readonly<Record<string, string>> = {
  pg_dump: "the client programs of PostgreSQL",
  pg_restore: "the client programs of PostgreSQL",
  tar: "tar"
}

const text = <E, R>(stream: Stream.Stream<Uint8Array, E, R>) => Stream.mkString(Stream.decodeText(stream))

/** Runs a program of PATH and returns its output. Fails with its error output. */
export const runTool = (
  program: string,
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {}
) =>
  Effect.gen(function* () {
    const running = yield* Command.start(Command.env(Command.make(program, ...args), environment))
    const [output, errors, code] = yield* Effect.all([text(running.stdout), text(running.stderr), running.exitCode], {
      concurrency: "unbounded"
    })
    return code === 0 ? output : yield* new CommandFailed({ message: `${program} failed: ${errors.trim()}` })
  }).pipe(
    Effect.scoped,
    Effect.catchTags({
      BadArgument: ({ message }) => new CommandFailed({ message }),
      SystemError: ({ message, reason }) =>
        new CommandFailed({
          message:
            reason === "NotFound" ? `${program} is not on PATH: install ${packages[program] ?? program}` : message
        })
    })
  )

/** A URL of PostgreSQL for its client programs: the password is in the environment, where other users can't read it. */
export const clientUrl = (url: string) => {
  const [, password] = /^\w+:\/\/[^:@/]*:([^@/]*)@/.exec(url) ?? []
  return password === undefined
    ? { url, environment: {} }
    : { url: url.replace(`:${password}@`, "@"), environment: { PGPASSWORD: decodeURIComponent(password) } }
}

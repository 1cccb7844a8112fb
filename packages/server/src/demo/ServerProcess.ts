import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Data, Effect } from "effect"

/** The service did not come up; what it said last. */
export class ServerFailed extends Data.TaggedError("ServerFailed")<{ readonly message: string }> {}

const program = fileURLToPath(new URL("../../bin/switchboard.js", import.meta.url))

/** Starts the real service as a process of its own, and stops it as an operator would. Answers where it serves. */
export const startServer = (environment: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [program, "serve"], { env: environment, stdio: ["ignore", "pipe", "pipe"] })
    ),
    (child) =>
      child.exitCode !== null
        ? Effect.void
        : Effect.async<void>((resume) => {
            child.once("exit", () => resume(Effect.void))
            child.kill("SIGTERM")
          })
  ).pipe(
    Effect.flatMap((child) =>
      Effect.async<string, ServerFailed>((resume) => {
        let said = ""
        child.stderr.on("data", (chunk) => {
          said += String(chunk)
        })
        createInterface(child.stdout).on("line", (line) => {
          const serving = /^Switchboard serves (\S+)/.exec(line)
          if (serving?.[1] !== undefined) resume(Effect.succeed(serving[1]))
        })
        child.once("exit", () => resume(new ServerFailed({ message: `The service did not start.\n${said}` })))
      })
    )
  )

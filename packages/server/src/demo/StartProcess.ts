import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Data, Effect } from "effect"

/** The service did not start; the message has its error output. */
class ServerFailed extends Data.TaggedError("ServerFailed")<{ readonly message: string }> {}

const program = fileURLToPath(new URL("../../bin/switchboard.js", import.meta.url))

/** The addresses of a process of the service. */
interface Serving {
  readonly baseUrl: string
  /** The SMTP port for incoming mail, on the same host. */
  readonly inboundPort: number
}

/** Starts `switchboard serve` as a child process, and stops it with SIGTERM at the end of the scope. */
export const startProcess = (environment: Readonly<Record<string, string>>) =>
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
      Effect.async<Serving, ServerFailed>((resume) => {
        let errors = ""
        let inboundPort = 0
        child.stderr.on("data", (chunk) => {
          errors += String(chunk)
        })
        createInterface(child.stdout).on("line", (line) => {
          const receiving = /^Switchboard receives mail on \S+:(\d+)$/.exec(line)
          if (receiving !== null) inboundPort = Number(receiving[1])
          const serving = /^Switchboard serves (\S+)/.exec(line)
          if (serving?.[1] !== undefined) resume(Effect.succeed({ baseUrl: serving[1], inboundPort }))
        })
        child.once("exit", () => resume(new ServerFailed({ message: `The service did not start.\n${errors}` })))
      })
    )
  )

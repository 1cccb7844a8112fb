import { type ChildProcess, execFile, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Effect } from "effect"
import { adminKey } from "./ServiceCalls.js"

/** The path of the program `switchboard`. */
export const program = repositoryFile("packages/server/bin/switchboard.js")

/** The master key of test processes: several DATA_DIRs on one database need the same key. */
const installationKey = Buffer.alloc(32, 9)

/** Settings of a process with one DATA_DIR, free ports, no rate limits and a short grace period. */
export const base = (dataDir: string): Record<string, string> => ({
  DATA_DIR: dataDir,
  PORT: "0",
  MAILBOX_SMTP_PORT: "0",
  HANDSET_SMPP_PORT: "0",
  INBOUND_SMTP_PORT: "0",
  SUBMISSION_PORT: "0",
  MASTER_KEY: installationKey.toString("base64"),
  BOOTSTRAP_API_KEY: adminKey,
  RATE_LIMIT_REQUESTS: "0",
  RATE_LIMIT_SENDS: "0",
  RATE_LIMIT_FAILURES: "0",
  SHUTDOWN_GRACE: "1 second",
  LOG_LEVEL: "warning"
})

/** Starts a process, of this release or of another program, that the test itself stops or kills. */
export const launch = (
  command: string,
  environment: Record<string, string>,
  args: ReadonlyArray<string> = [],
  of = program,
  node = process.execPath
) =>
  Effect.acquireRelease(
    Effect.async<{
      readonly child: ChildProcess
      readonly baseUrl: string
      /** The SMTP port for incoming mail. */
      readonly inboundPort: number
      /** The standard output so far. */
      readonly output: () => string
    }>((resume) => {
      const child = spawn(node, [of, command, ...args], {
        env: { PATH: process.env.PATH, ...environment },
        detached: true,
        stdio: ["ignore", "pipe", "inherit"]
      })
      let inboundPort = 0
      let output = ""
      createInterface(child.stdout).on("line", (line) => {
        output += `${line}\n`
        const receives = /^Switchboard receives mail on \S+:(\d+)$/.exec(line)
        if (receives !== null) inboundPort = Number(receives[1])
        const started = /Switchboard (?:serves ([^\s"]+)|delivers)/.exec(line)
        if (started !== null)
          resume(Effect.succeed({ child, baseUrl: started[1] ?? "", inboundPort, output: () => output }))
      })
      child.once("exit", (code) => resume(Effect.dieMessage(`The process did not start: it exited with ${code}`)))
    }),
    ({ child }) => Effect.sync(() => child.exitCode === null && child.signalCode === null && child.kill("SIGKILL"))
  )

/** Waits for the exit code of a process. */
export const ended = (child: ChildProcess) =>
  Effect.async<number | null>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.succeed(child.exitCode))
    child.once("exit", (code) => resume(Effect.succeed(code)))
  })

/** Stops a process with SIGTERM; returns its exit code. */
export const stop = ({ child }: { readonly child: ChildProcess }) =>
  Effect.suspend(() => {
    child.kill("SIGTERM")
    return ended(child)
  })

/** Runs a command that must succeed. */
export const run = (args: ReadonlyArray<string>, environment: Record<string, string>) =>
  Effect.promise(() =>
    promisify(execFile)(process.execPath, [program, ...args], { env: { PATH: process.env.PATH, ...environment } })
  )

/** Runs a command that must fail; returns its error output. */
export const failing = (args: ReadonlyArray<string>, environment: Record<string, string>, file = program) =>
  Effect.promise(() =>
    promisify(execFile)(process.execPath, [file, ...args], { env: { PATH: process.env.PATH, ...environment } }).then(
      () => "the command succeeded",
      ({ stderr }: { readonly stderr: string }) => stderr
    )
  )

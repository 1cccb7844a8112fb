import { spawn } from "node:child_process"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { accountSid, authToken } from "@switchboard/channels/testing/sms/TwilioServer"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Effect } from "effect"
import { adminKey, repetitions } from "../LiveService.js"
import { type Step, stepsOf } from "./Guide.js"
import { shownValues } from "./ShownOutput.js"

/** A running service, as a guide's commands reach it. */
export interface GuideService {
  readonly baseUrl: string
  readonly inboundPort: number
  /** A free port for the receiver of webhooks. */
  readonly receiverPort: number
  /** The Messages API of Twilio. */
  readonly twilio: { readonly url: string; readonly smsUrl: string }
  readonly environment: Readonly<Record<string, string>>
  /** Receives each JSON output, as the reader does. */
  readonly onOutput: (output: unknown) => void
}

/** A folder in which the packages of the repository are installed. */
const projectFolder = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "switchboard-guide-"))
    symlinkSync(repositoryFile("node_modules"), join(folder, "node_modules"))
    return folder
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Commands that only read can be repeated until the service has done its work. */
const isRead = ({ code, language }: Step) =>
  language === "sh" && !/(?:^|\s)(?:-[dFTX]|--data-binary|--upload-file|npx|node|python3)\s/.test(code)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isError = (output: unknown) => typeof output === "object" && output !== null && "_tag" in output

/** A command failed, or its output differs from the shown one. */
class StepFailed extends Error {}

/** Runs the blocks of a guide in order, and compares their outputs with the shown ones. */
export const runGuide = (file: string, service: GuideService) =>
  Effect.gen(function* () {
    const folder = yield* projectFolder
    const values = shownValues([
      ["http://127.0.0.1:3000", service.baseUrl],
      ["127.0.0.1:2525", `127.0.0.1:${service.inboundPort}`],
      ["2587", service.environment.SUBMISSION_PORT ?? ""],
      ["8080", String(service.receiverPort)],
      [`twilio+https://${accountSid}:TOKEN@api.twilio.com`, service.twilio.smsUrl],
      [`${accountSid}:TOKEN`, `${accountSid}:${authToken}`],
      ["https://api.twilio.com", service.twilio.url],
      ["api.twilio.com", new URL(service.twilio.url).host]
    ])

    /** Runs commands to their end; programs in the background end with the guide. */
    const run = (command: string, args: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const output = join(folder, ".output")
        const descriptor = openSync(output, "w")
        const child = yield* Effect.acquireRelease(
          Effect.sync(() =>
            spawn(command, args, {
              cwd: folder,
              detached: true,
              env: { PATH: process.env.PATH, ...service.environment, HOME: folder, KEY: adminKey },
              stdio: ["ignore", descriptor, "pipe"]
            })
          ),
          ({ pid }) =>
            Effect.sync(() => {
              try {
                if (pid !== undefined) process.kill(-pid, "SIGKILL")
              } catch {
                // Every process of the group has ended.
              }
            })
        )
        let errors = ""
        child.stderr?.on("data", (chunk) => {
          errors += String(chunk)
        })
        const code = yield* Effect.async<number | null>((resume) => {
          child.once("exit", (exitCode) => resume(Effect.succeed(exitCode)))
        })
        closeSync(descriptor)
        const text = readFileSync(output, "utf8")
        if (code !== 0) return yield* Effect.fail(new StepFailed(`The exit code is ${code}.\n${text}\n${errors}`))
        return text
      })

    const runStep = ({ code, language, line }: Step) => {
      const actual = values.toActual(code)
      if (language === "sh") {
        // The variables of a block are those of the next one.
        return run("sh", ["-ec", `set -a\n[ ! -f .variables ] || . ./.variables\n${actual}\nexport -p > .variables`])
      }
      const name = /^\/\/ (\S+\.mjs)\n/.exec(code)?.[1] ?? `block-${line}.mjs`
      writeFileSync(join(folder, name), actual)
      return language === "js" ? Effect.succeed("") : run(process.execPath, [name])
    }

    const differenceOf = ({ shown }: Step, output: string) => {
      if (shown?.language === "output") return values.differsLines(shown.text, output)
      const value = parsed(output)
      if (shown !== undefined) return values.differs(JSON.parse(shown.text), value)
      return isError(value) ? `The output is ${output}` : null
    }

    for (const step of stepsOf(file)) {
      const attempt = Effect.flatMap(runStep(step), (output) => {
        const difference = differenceOf(step, output)
        if (difference !== null) return Effect.fail(new StepFailed(`${file}:${step.line} ${difference}`))
        return Effect.sync(() => service.onOutput(parsed(output)))
      })
      yield* Effect.orDie(isRead(step) ? Effect.retry(attempt, repetitions) : attempt).pipe(
        Effect.tapErrorCause((cause) => Effect.logError(`${file}:${step.line}`, cause))
      )
    }
  })

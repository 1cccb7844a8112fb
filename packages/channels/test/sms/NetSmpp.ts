import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { skipReason } from "@switchboard/domain/testing/Programs"
import type { OutgoingSms } from "@switchboard/services/sms/SmsTransport"
import { Effect, Queue } from "effect"
import { expectedSegments } from "./SmsFixture.js"

/** Whether Net::SMPP, an SMPP implementation in Perl, is installed. */
export const isNetSmppInstalled = (() => {
  try {
    execFileSync("perl", ["-MNet::SMPP", "-e", "1"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

/** Why its tests are skipped. */
export const withoutNetSmpp = skipReason(isNetSmppInstalled, "Net::SMPP", "apt-get install libnet-smpp-perl")

/** Runs a script of this folder; returns its lines. */
export const perl = (script: string, ...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const lines = yield* Queue.unbounded<string>()
    yield* Effect.acquireRelease(
      Effect.sync((): ChildProcess => {
        const child = spawn("perl", [join(import.meta.dirname, script), ...args], {
          stdio: ["ignore", "pipe", "ignore"]
        })
        createInterface({ input: child.stdout }).on("line", (line) => lines.unsafeOffer(line))
        return child
      }),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    return Queue.take(lines)
  })

/** The lines that `smpp-server.pl` prints for the submit_sm of a text between two numbers in E.164. */
export const submitsOf = ({ from, messageId, text, to }: OutgoingSms): ReadonlyArray<string> =>
  expectedSegments(text, messageId).map((fields) => `submit 1/1/${from.slice(1)} 1/1/${to.slice(1)} ${fields}`)

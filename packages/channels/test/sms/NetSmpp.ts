import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { segmentText } from "@switchboard/domain/sms/SmsText"
import { skipReason } from "@switchboard/domain/testing/Programs"
import type { OutgoingSms } from "@switchboard/services/sms/SmsTransport"
import { Effect, Queue } from "effect"

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

/** Texts at the limits of segments. */
export const limitTexts = [
  "a".repeat(160),
  "a".repeat(161),
  `${"a".repeat(152)}€${"b".repeat(10)}`,
  "ж".repeat(70),
  "ж".repeat(71),
  `${"ж".repeat(66)}😀${"ж".repeat(10)}`,
  "@£$ {[~]} €"
]

const octet = (value: number) => value.toString(16).padStart(2, "0")

/** The lines that `smpp-server.pl` prints for the submit_sm of a text between two numbers in E.164. */
export const submitsOf = ({ from, messageId, text, to }: OutgoingSms): ReadonlyArray<string> => {
  const { encoding, segments } = segmentText(text)
  const coding = encoding === "gsm7" ? 0 : 8
  const reference = messageId.slice(-2)
  return segments.map((octets, index) => {
    const data = Buffer.from(octets).toString("hex")
    const header = `050003${reference}${octet(segments.length)}${octet(index + 1)}`
    const fields = segments.length === 1 ? `0 ${coding} 1 ${data}` : `64 ${coding} 1 ${header}${data}`
    return `submit 1/1/${from.slice(1)} 1/1/${to.slice(1)} ${fields}`
  })
}

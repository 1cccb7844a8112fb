import { type ChildProcess, spawn } from "node:child_process"
import { assert, layer } from "@effect/vitest"
import { findProgram, skipWithout } from "@switchboard/domain/testing/Programs"
import { Effect } from "effect"
import { LiveService, messageOf, relayed, settled } from "../../LiveService.js"
import { authenticator } from "../Authenticate.js"
import { ReceivingService, verifiedDomain } from "../ReceivingService.js"
import { SubmissionService } from "./SubmissionService.js"

type Ports = typeof SubmissionService.Service

const Live = SubmissionService.layer((settings) => ReceivingService.layer({ ...settings, SMTP_CONFIRMATION: "accept" }))

/** Runs a program with an input; returns its output, and fails if its exit code is not 0. */
const run = (program: string, args: ReadonlyArray<string>, input = "") =>
  Effect.async<string, string>((resume) => {
    const child: ChildProcess = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] })
    let output = ""
    child.stdout?.on("data", (chunk) => (output += chunk))
    child.stderr?.on("data", (chunk) => (output += chunk))
    child.stdin?.end(input)
    child.on("close", (code) => resume(code === 0 ? Effect.succeed(output) : Effect.fail(output)))
  })

const python = `
import os, smtplib, ssl, sys
from email.message import EmailMessage
mail = EmailMessage()
mail["From"] = "Shop <" + sys.argv[4] + ">"
mail["To"] = "ada@world.test"
mail["Subject"] = sys.argv[3]
mail.set_content("Grüße aus Python, mit einer langen Zeile " + "x" * 1200)
mail.add_alternative("<p>Grüße</p>", subtype="html")
mail.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename="bill.pdf")
with smtplib.SMTP("127.0.0.1", int(sys.argv[1])) as server:
    server.starttls(context=ssl._create_unverified_context())
    server.login("any", sys.argv[2])
    server.send_message(mail)
`

const raw = (from: string, subject: string) =>
  [`From: Shop <${from}>`, "To: ada@world.test", `Subject: ${subject}`, "", "Hello from a program", ""].join("\n")

/** How each program sends a mail of this sender; its subject is the name of the program. */
const programs: ReadonlyArray<{
  readonly name: string
  readonly debian: string
  readonly send: (ports: Ports, key: string, from: string) => Effect.Effect<string, string>
}> = [
  {
    name: "python3",
    debian: "python3",
    send: ({ startTls }, key, from) => run("python3", ["-", String(startTls), key, "python3", from], python)
  },
  {
    name: "swaks",
    debian: "swaks",
    send: ({ startTls }, key, from) =>
      run("swaks", [
        ...["--server", "127.0.0.1", "--port", String(startTls), "--auth", "LOGIN", "--auth-user", "any"],
        ...["--auth-password", key, "--from", from, "--to", "ada@world.test"],
        ...["--header", "Subject: swaks"]
      ])
  },
  {
    name: "msmtp",
    debian: "msmtp",
    send: ({ tls }, key, from) =>
      run(
        "msmtp",
        [
          ...["--host=127.0.0.1", `--port=${tls}`, "--auth=plain", "--user=any", `--passwordeval=echo ${key}`],
          ...["--tls=on", "--tls-starttls=off", "--tls-certcheck=off", `--from=${from}`, "ada@world.test"]
        ],
        raw(from, "msmtp")
      )
  }
]

layer(Live, { excludeTestServices: true })("Mail over SMTP", (it) => {
  for (const { debian, name, send } of programs) {
    const run = findProgram(name) === undefined ? it.scoped.skip : it.scoped
    run(`of ${name} goes out signed, and is delivered${skipWithout(name, debian)}`, () =>
      Effect.gen(function* () {
        const { key } = yield* LiveService
        const { zone } = yield* ReceivingService
        yield* verifiedDomain(`${name}.test`)
        yield* send(yield* SubmissionService, key, `orders@${name}.test`)
        const mail = yield* relayed(({ parsed }) => parsed.subject === name)
        const authenticate = yield* authenticator(zone)
        const { dkim, dmarc } = yield* authenticate(mail.raw, mail.mailFrom)
        assert.deepStrictEqual(
          [dkim.results.map(({ status }) => status.result), dmarc === false ? "" : String(dmarc.status.result)],
          [["pass"], "pass"]
        )
        const id = /b\+([0-9a-f-]{36})\./.exec(mail.mailFrom)?.[1] ?? ""
        yield* settled(id, "delivered")
        assert.strictEqual((yield* messageOf(id)).content.subject, name)
      })
    )
  }
})

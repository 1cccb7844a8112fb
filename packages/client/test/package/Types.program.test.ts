import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { assert, layer } from "@effect/vitest"
import { skipReason } from "@switchboard/domain/testing/Programs"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { InstalledClient } from "./InstalledClient.js"
import { languageServer } from "./LanguageServer.js"

const examples = [
  ...readFileSync(repositoryFile("packages/client/README.md"), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)
].map(([, program = ""]) => program)

/** The defaults of the compilers, which check the declarations of packages too (`skipLibCheck`). */
const configuration = {
  compilerOptions: {
    module: "NodeNext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmitOnError: true
  }
}

const { resolve } = createRequire(import.meta.url)
const typescript7 = join(dirname(resolve("typescript/package.json")), "bin/tsc")
const typescript6 = join(dirname(resolve("@typescript/typescript6/package.json")), "bin/tsc6")
const others = "packages/server/test/client/runtimes"
const typescript5 = repositoryFile(`${others}/node_modules/typescript5/bin/tsc`)

const compilers = { "TypeScript 5.9": typescript5, "TypeScript 6": typescript6, "TypeScript 7": typescript7 }

/** Compiles programs in a new folder of the installation. Fails with the output of the compiler. */
const compile = (compiler: string, programs: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { folder: installation } = yield* InstalledClient
    const folder = mkdtempSync(join(installation, "program-"))
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(configuration))
    for (const [at, program] of programs.entries()) writeFileSync(join(folder, `example-${at}.ts`), program)
    yield* Effect.tryPromise({
      try: () => promisify(execFile)(process.execPath, [compiler, "--project", folder]),
      catch: (error) => (error instanceof Object && "stdout" in error ? String(error.stdout) : String(error))
    })
    return folder
  })

/** The number of types that the compiler instantiates for a program, without a check of declarations: a measure of its time. */
const instantiations = (program: string) =>
  Effect.gen(function* () {
    const folder = yield* compile(typescript7, [program])
    const options = ["--project", folder, "--noEmit", "--extendedDiagnostics", "--skipLibCheck"]
    const { stdout } = yield* Effect.promise(() => promisify(execFile)(process.execPath, [typescript7, ...options]))
    return Number(/^Instantiations:\s+(\d+)$/m.exec(stdout)?.[1])
  })

/** A program with an operation, fields of a request, a response and an error, and a list. */
const program = `import { make, type MessageDeliveredEvent, RateLimitedError } from "@switchboard/client"
import { Effect, Redacted, Stream } from "effect"

export const program = Effect.gen(function* () {
  const { messages } = yield* make({ baseUrl: "https://mail.example.com", apiKey: Redacted.make("secret") })
  const message = yield* messages.send({
    payload: { channel: "email", to: [{ email: "ada@example.com" }], email: { subject: "Hello", text: "It works." } }
  })
  return yield* Stream.runCollect(messages.list.all({ urlParams: { recipient: message.currency } }))
})

export const idOf = (event: MessageDeliveredEvent) => event.organizationId
`

/** A program with types of a namespace, of every entry, and options that are exact. */
const allEntries = `import type { SwitchboardOptions } from "@switchboard/client"
import { make, Webhooks as Plain, type SwitchboardOptions as PlainOptions } from "@switchboard/client/promise"
import type * as Webhooks from "@switchboard/client/webhooks"

export const options: readonly [Plain.VerifyOptions, Webhooks.VerifyOptions] = [{}, { toleranceSeconds: 60 }]
export const verify = (headers: Plain.WebhookHeaders & Webhooks.WebhookHeaders): Promise<string> =>
  Plain.verify("secret", headers, "body").then(({ id }) => id)
export const isError = (error: unknown): error is Plain.WebhookError => error instanceof Plain.WebhookSecretError
export const plain = ({ retries = 0 }: SwitchboardOptions, options: PlainOptions) => make({ ...options, retries })
`

/** Parts of the program, and of the documentation that an editor shows there. */
const documented = {
  "make(": "Creates a client.",
  baseUrl: "The URL of the service, with or without `/v1`",
  "send(": "Accepts a message for delivery.",
  "subject:": "Subject line, at most 998 characters.",
  "list.": "Messages of the organization, newest first.",
  "all(": "All items of the list",
  "recipient:": "E-mail address or phone number of a recipient",
  "currency }": "Currency of `cost` (ISO 4217).",
  "RateLimitedError }": "The organization exceeded its request rate.",
  "MessageDeliveredEvent,": "A message reached a recipient's mailbox.",
  organizationId: "Id of the organization"
}

/** Runs a module in a folder; returns its output. */
const runModule = (folder: string, module: string) =>
  Effect.map(
    Effect.promise(() =>
      promisify(execFile)(process.execPath, ["--input-type=module", "--eval", module], { cwd: folder })
    ),
    ({ stdout }) => stdout
  )

layer(InstalledClient.Live)("The installed client", (it) => {
  for (const [name, compiler] of Object.entries(compilers)) {
    const reason = skipReason(existsSync(compiler), name, `npm ci --ignore-scripts --prefix ${others}`)
    it.effect.skipIf(reason !== "")(`compiles with ${name}, without types of Node${reason}`, () =>
      compile(compiler, [...examples, allEntries])
    )
  }

  it.effect("runs the examples of its README", () =>
    Effect.gen(function* () {
      const folder = yield* compile(typescript7, examples)
      const example = examples.findIndex((program) => program.includes("describeEvent"))
      const describeEvent = (...request: ReadonlyArray<unknown>) =>
        runModule(
          folder,
          `import { Effect, Redacted } from "effect"
          import { describeEvent } from "./example-${example}.js"
          const [secret, ...request] = ${JSON.stringify(request)}
          const description = describeEvent(Redacted.make(secret), ...request)
          console.log(await Effect.runPromise(Effect.merge(description)))`
        )
      const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`
      const body = JSON.stringify({ id: "1", type: "moon.risen", data: {} })
      const signed = {
        "webhook-id": "1",
        "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
        "webhook-signature": new Webhook(secret).sign("1", new Date(), body)
      }
      assert.strictEqual(yield* describeEvent(secret, signed, body), "this client is older than moon.risen\n")
      assert.include(yield* describeEvent(secret, signed, `${body} `), "WebhookSignatureError")
    })
  )

  it.effect("shares its error classes between its entries", () =>
    Effect.gen(function* () {
      const { folder } = yield* InstalledClient
      const output = yield* runModule(
        folder,
        `import * as Client from "@switchboard/client"
        import { make, Webhooks as PlainWebhooks } from "@switchboard/client/promise"
        import * as Webhooks from "@switchboard/client/webhooks"
        const call = make({ baseUrl: "http://127.0.0.1", apiKey: "key" }).messages.send({ payload: {} })
        const error = await call.catch((reason) => reason)
        console.log(error instanceof Client.ValidationError, error.constructor.name)
        console.log(Webhooks.WebhookBodyError === PlainWebhooks.WebhookBodyError)`
      )
      assert.strictEqual(output, "true ValidationError\ntrue\n")
    })
  )

  it.effect("refuses an invalid literal at compile time", () =>
    Effect.gen(function* () {
      const invalid = (examples[0] ?? "").replace('"email",', '"owl",')
      assert.include(yield* Effect.flip(compile(typescript7, [invalid])), `Type '"owl"' is not assignable`)
    })
  )

  it.scoped("documents operations, fields, events and errors in editors", () =>
    Effect.gen(function* () {
      const folder = yield* compile(typescript7, [program])
      const server = yield* languageServer(typescript7, folder)
      const hover = server.open(join(folder, "example-0.ts"), program)
      for (const [part, text] of Object.entries(documented)) assert.include(yield* hover(part), text, part)
    })
  )

  it.effect("takes at most 50,000 type instantiations in a small program", () =>
    Effect.gen(function* () {
      assert.isBelow(yield* instantiations(program), 50_000)
    })
  )
})

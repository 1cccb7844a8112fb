import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { describeConfigError } from "@switchboard/server/settings/Setting"
import { Settings, settingDocs } from "@switchboard/server/settings/Settings"
import { ConfigProvider, Effect, Either, Option, Predicate, Redacted } from "effect"
import { adminKey, caller, temporaryFolder } from "../LiveService.js"
import { failingCommand } from "../TestCommand.js"
import { newDatabase, startService, testSettings } from "../TestService.js"

/** A value of every secret setting. */
const samples: Readonly<Record<string, string>> = {
  PUBLIC_URL: "https://mail-api.example.com",
  DATABASE_URL: "postgres://switchboard:hush@db.example.com/switchboard",
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  MASTER_KEY_PREVIOUS: Buffer.alloc(32, 8).toString("base64"),
  BOOTSTRAP_API_KEY: adminKey,
  SMTP_URL: "smtp://user:hush@relay.example.net:587",
  SMS_URL: "smpp://user:hush@smsc.example.net:2775",
  WHATSAPP_API_URL: "https://user:hush@graph.example.com/v23.0",
  WHATSAPP_TOKEN: "hush",
  WHATSAPP_APP_SECRET: "hush",
  WHATSAPP_VERIFY_TOKEN: "hush",
  OIDC_CLIENT_SECRET: "hush",
  REDIS_URL: "redis://:hush@redis.example.com:6379",
  S3_ENDPOINT: "https://objects.example.com",
  S3_SECRET_ACCESS_KEY: "hush",
  OTEL_EXPORTER_OTLP_ENDPOINT: "https://user:hush@collector.example.com",
  OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20hush"
}

/** The settings that the secrets need. */
const needed = {
  S3_BUCKET: "objects",
  S3_ACCESS_KEY_ID: "me",
  WHATSAPP_PHONE_NUMBER_ID: "106540352242922",
  OIDC_ISSUER: "https://id.example.com",
  OIDC_CLIENT_ID: "switchboard"
}

const load = (environment: Readonly<Record<string, string>>) =>
  Settings.pipe(
    Effect.provide(Settings.Live),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))),
    Effect.mapError(describeConfigError),
    Effect.either
  )

/** The secrets among the values of settings, by their names in the code. */
const secretsOf = (settings: typeof Settings.Service) =>
  Object.entries<unknown>(settings).flatMap(([name, value]) => {
    const secret: unknown = Option.isOption(value) ? Option.getOrNull(value) : value
    return Redacted.isRedacted(secret) ? [[name, Redacted.value(secret)] as const] : []
  })

/** Writes each value into a file; returns the variables with the paths. */
const filesOf = (folder: string, values: Readonly<Record<string, string>>, end = "\n") =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const file = join(folder, name.toLowerCase())
      writeFileSync(file, value + end)
      return [`${name}_FILE`, file]
    })
  )

describe("Secret settings", () => {
  it.scoped("are read from the files of the variables with _FILE, without the line break at the end", () =>
    Effect.gen(function* () {
      assert.sameMembers(
        settingDocs.flatMap(({ isSecret, name }) => (isSecret === true ? [name] : [])),
        Object.keys(samples)
      )
      const expected = secretsOf(Either.getOrThrow(yield* load({ ...needed, ...samples })))
      assert.lengthOf(expected, Object.keys(samples).length)
      for (const end of ["", "\n", "\r\n"]) {
        const files = filesOf(yield* temporaryFolder, samples, end)
        assert.deepStrictEqual(secretsOf(Either.getOrThrow(yield* load({ ...needed, ...files }))), expected)
      }
    })
  )

  it.scoped("are refused with the name of the file if both variables are set, or the file is unusable", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const missing = join(folder, "missing")
      const directory = join(folder, "directory")
      mkdirSync(directory)
      const { DATABASE_URL_FILE: empty = "" } = filesOf(folder, { DATABASE_URL: "" })
      const { MASTER_KEY_FILE: wrong = "" } = filesOf(folder, { MASTER_KEY: "short" })
      const refusals: ReadonlyArray<readonly [Readonly<Record<string, string>>, string | RegExp]> = [
        [
          { DATABASE_URL: samples.DATABASE_URL ?? "", DATABASE_URL_FILE: missing },
          "DATABASE_URL_FILE: must not be set together with DATABASE_URL"
        ],
        [{ DATABASE_URL_FILE: missing }, new RegExp(`^DATABASE_URL_FILE: ${missing} can't be read \\(ENOENT`)],
        [{ SMTP_URL_FILE: directory }, new RegExp(`^SMTP_URL_FILE: ${directory} can't be read \\(EISDIR`)],
        [{ DATABASE_URL_FILE: empty }, `DATABASE_URL_FILE: ${empty} is empty`],
        [{ MASTER_KEY_FILE: wrong }, "MASTER_KEY_FILE: must be at least 32 bytes in base64 (openssl rand -base64 32)"],
        [{ MASTER_KEY: "short" }, "MASTER_KEY: must be at least 32 bytes in base64 (openssl rand -base64 32)"]
      ]
      for (const [environment, message] of refusals) {
        const error = Either.getOrThrow(Either.flip(yield* load(environment)))
        if (Predicate.isString(message)) assert.strictEqual(error, message)
        else assert.match(error, message)
      }
    })
  )

  it.scopedLive("start the service from files, and end a command with one line about a file that is missing", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const url = yield* newDatabase
      const { BOOTSTRAP_API_KEY = "", DATABASE_URL = "", ...environment } = testSettings(url, adminKey)
      const files = filesOf(folder, { BOOTSTRAP_API_KEY, MASTER_KEY: samples.MASTER_KEY ?? "", DATABASE_URL })
      const { baseUrl } = yield* startService({ ...environment, ...files }, { api: true, worker: false })
      const { status } = yield* caller(baseUrl)("GET", "/v1/messages")
      assert.strictEqual(status, 200)
      const missing = join(folder, "missing")
      const error = yield* failingCommand(["migrate"], { ...environment, ...files, MASTER_KEY_FILE: missing })
      assert.match(error, new RegExp(`^switchboard: MASTER_KEY_FILE: ${missing} can't be read \\(ENOENT[^\\n]*\\n$`))
    })
  )
})

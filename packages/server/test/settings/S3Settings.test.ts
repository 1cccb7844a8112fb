import { s3Bucket } from "@switchboard/server/settings/S3Settings"
import { describeConfigError } from "@switchboard/server/settings/Setting"
import { Settings } from "@switchboard/server/settings/Settings"
import { ConfigProvider, Effect, Either, Option, Redacted } from "effect"
import { assert, describe, it } from "vitest"

const load = (environment: Readonly<Record<string, string>>) =>
  Effect.runSync(
    Settings.pipe(
      Effect.provide(Settings.Live),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))),
      Effect.either
    )
  )

const whole = { S3_BUCKET: "objects", S3_ACCESS_KEY_ID: "me", S3_SECRET_ACCESS_KEY: "hush" }

describe("The settings of a bucket", () => {
  it("may be left out together: objects are files then", () => {
    assert.isTrue(Option.isNone(s3Bucket(Either.getOrThrow(load({})))))
  })

  it("are Amazon's where no other place is named", () => {
    const { secretAccessKey, ...bucket } = Option.getOrThrow(s3Bucket(Either.getOrThrow(load(whole))))
    assert.deepStrictEqual(bucket, { bucket: "objects", accessKeyId: "me", region: "us-east-1", endpoint: null })
    assert.strictEqual(Redacted.value(secretAccessKey), "hush")
    const elsewhere = { ...whole, S3_ENDPOINT: "http://minio:9000", S3_REGION: "eu-central-1" }
    const other = Option.getOrThrow(s3Bucket(Either.getOrThrow(load(elsewhere))))
    assert.deepInclude(other, { endpoint: "http://minio:9000", region: "eu-central-1" })
  })

  it("stop the start where one is missing, with a line that names it", () => {
    const problem = (environment: Readonly<Record<string, string>>) =>
      describeConfigError(Either.getOrThrow(Either.flip(load(environment))))
    const { S3_SECRET_ACCESS_KEY: _, ...noSecret } = whole
    assert.strictEqual(problem(noSecret), "S3_SECRET_ACCESS_KEY: must be set too where another S3_ setting is")
    assert.strictEqual(
      problem({ S3_ENDPOINT: "http://minio:9000", S3_BUCKET: "objects" }),
      "S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: must be set too where another S3_ setting is"
    )
    assert.include(problem({ S3_REGION: "eu-central-1" }), "S3_BUCKET")
    assert.include(problem({ ...whole, S3_ENDPOINT: "minio:9000" }), "S3_ENDPOINT")
  })
})

import { describeConfigError } from "@switchboard/server/settings/Setting"
import { Settings } from "@switchboard/server/settings/Settings"
import { s3Bucket } from "@switchboard/server/settings/StorageSettings"
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

const complete = { S3_BUCKET: "objects", S3_ACCESS_KEY_ID: "me", S3_SECRET_ACCESS_KEY: "hush" }

describe("The S3 settings", () => {
  it("are optional together; objects are then files", () => {
    assert.isTrue(Option.isNone(s3Bucket(Either.getOrThrow(load({})))))
  })

  it("default to Amazon S3 without S3_ENDPOINT", () => {
    const { secretAccessKey, ...bucket } = Option.getOrThrow(s3Bucket(Either.getOrThrow(load(complete))))
    assert.deepStrictEqual(bucket, { bucket: "objects", accessKeyId: "me", region: "us-east-1", endpoint: null })
    assert.strictEqual(Redacted.value(secretAccessKey), "hush")
    const elsewhere = { ...complete, S3_ENDPOINT: "http://minio:9000", S3_REGION: "eu-central-1" }
    const other = Option.getOrThrow(s3Bucket(Either.getOrThrow(load(elsewhere))))
    assert.deepInclude(other, { endpoint: "http://minio:9000", region: "eu-central-1" })
  })

  it("fail by name if one is missing", () => {
    const problem = (environment: Readonly<Record<string, string>>) =>
      describeConfigError(Either.getOrThrow(Either.flip(load(environment))))
    const { S3_SECRET_ACCESS_KEY: _, ...noSecret } = complete
    assert.strictEqual(problem(noSecret), "S3_SECRET_ACCESS_KEY: must be set if another S3_ setting is set")
    assert.strictEqual(
      problem({ S3_ENDPOINT: "http://minio:9000", S3_BUCKET: "objects" }),
      "S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: must be set if another S3_ setting is set"
    )
    assert.include(problem({ S3_REGION: "eu-central-1" }), "S3_BUCKET")
    assert.include(problem({ ...complete, S3_ENDPOINT: "minio:9000" }), "S3_ENDPOINT")
  })
})

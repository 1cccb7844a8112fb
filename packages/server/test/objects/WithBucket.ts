import { s3Server } from "@switchboard/channels/testing/objects/S3Server"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { temporaryFolder } from "../LiveService.js"
import { base } from "../ServiceProcess.js"

/** An S3 bucket, the responses of its server, and the settings of a process that uses it. */
export const withBucket = Effect.gen(function* () {
  const { bucket, override } = yield* s3Server
  const environment = {
    ...base(yield* temporaryFolder),
    DATABASE_URL: Redacted.value(yield* TestDatabaseUrl),
    S3_ENDPOINT: bucket.endpoint ?? "",
    S3_BUCKET: bucket.bucket,
    S3_REGION: bucket.region,
    S3_ACCESS_KEY_ID: bucket.accessKeyId,
    S3_SECRET_ACCESS_KEY: Redacted.value(bucket.secretAccessKey)
  }
  return { bucket, override, environment }
})

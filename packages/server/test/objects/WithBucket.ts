import type { S3Bucket } from "@switchboard/channels/objects/S3Requests"
import { type ResponseOverride, s3Server } from "@switchboard/channels/testing/objects/S3Server"
import { Context, Effect, Layer, Redacted } from "effect"
import { LiveService } from "../LiveService.js"

/** The S3 bucket of the service. */
export class Bucket extends Context.Tag("test/Bucket")<
  Bucket,
  { readonly bucket: typeof S3Bucket.Service; readonly override: ResponseOverride }
>() {
  /** A service with a bucket. */
  static readonly Live = Layer.unwrapScoped(
    Effect.map(s3Server, ({ bucket, override }) =>
      Layer.merge(
        Layer.succeed(Bucket, { bucket, override }),
        LiveService.layer({
          MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
          S3_ENDPOINT: bucket.endpoint ?? "",
          S3_BUCKET: bucket.bucket,
          S3_REGION: bucket.region,
          S3_ACCESS_KEY_ID: bucket.accessKeyId,
          S3_SECRET_ACCESS_KEY: Redacted.value(bucket.secretAccessKey)
        })
      )
    )
  )
}

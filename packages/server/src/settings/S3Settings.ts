import type { S3Bucket } from "@switchboard/channels/objects/S3Requests"
import { Config, ConfigError, Either, Option, Redacted } from "effect"
import { setting } from "./Setting.js"
import { optional, url } from "./SettingValues.js"

/** The bucket for objects. */
export const s3Settings = {
  s3Endpoint: setting(
    "S3_ENDPOINT",
    { type: "URL", default: "Amazon's, of S3_REGION", meaning: "the S3 that keeps objects: attachments, documents" },
    optional(url(["http:", "https:"]))
  ),
  s3Bucket: setting(
    "S3_BUCKET",
    {
      type: "name",
      default: "files in DATA_DIR",
      meaning: "the bucket for objects; processes on several machines need one"
    },
    optional(Config.nonEmptyString)
  ),
  s3Region: setting(
    "S3_REGION",
    { type: "name", default: "us-east-1", meaning: "the bucket's region" },
    optional(Config.nonEmptyString)
  ),
  s3AccessKeyId: setting(
    "S3_ACCESS_KEY_ID",
    { type: "text", default: "none", meaning: "who asks for objects of the bucket" },
    optional(Config.nonEmptyString)
  ),
  s3SecretAccessKey: setting(
    "S3_SECRET_ACCESS_KEY",
    { type: "text", default: "none", meaning: "the secret of S3_ACCESS_KEY_ID" },
    optional((name) => Config.redacted(Config.nonEmptyString(name)))
  )
}

/** What operators may say of a bucket. */
interface S3Settings {
  readonly s3Endpoint: Option.Option<Redacted.Redacted<string>>
  readonly s3Bucket: Option.Option<string>
  readonly s3Region: Option.Option<string>
  readonly s3AccessKeyId: Option.Option<string>
  readonly s3SecretAccessKey: Option.Option<Redacted.Redacted<string>>
}

/** The bucket of the settings; none if objects are files. */
export const s3Bucket = ({
  s3AccessKeyId,
  s3Bucket: bucket,
  s3Endpoint,
  s3Region,
  s3SecretAccessKey
}: S3Settings): Option.Option<typeof S3Bucket.Service> =>
  Option.map(Option.all({ bucket, accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey }), (given) => ({
    ...given,
    region: Option.getOrElse(s3Region, () => "us-east-1"),
    endpoint: Option.getOrNull(Option.map(s3Endpoint, Redacted.value))
  }))

/** Half a bucket is a mistake: its objects would be kept elsewhere without a word. */
export const checkS3 = <A extends S3Settings>(settings: A): Either.Either<A, ConfigError.ConfigError> => {
  const needed: Readonly<Record<string, Option.Option<unknown>>> = {
    S3_BUCKET: settings.s3Bucket,
    S3_ACCESS_KEY_ID: settings.s3AccessKeyId,
    S3_SECRET_ACCESS_KEY: settings.s3SecretAccessKey
  }
  const missing = Object.entries(needed).flatMap(([name, value]) => (Option.isNone(value) ? [name] : []))
  const given = [...Object.values(needed), settings.s3Endpoint, settings.s3Region].some((value) => Option.isSome(value))
  return given && missing.length > 0
    ? Either.left(ConfigError.MissingData([missing.join(", ")], "must be set too where another S3_ setting is"))
    : Either.right(settings)
}

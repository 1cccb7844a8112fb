import type { S3Bucket } from "@switchboard/channels/objects/S3Requests"
import { Config, ConfigError, Duration, Either, Option, Redacted } from "effect"
import { parsed, secretSetting, setting, wholeNumber } from "./Setting.js"
import { apiKey, databaseUrl, duration, masterKey, optional, url, withDefault } from "./SettingValues.js"

/** The bucket for objects. */
export const s3Settings = {
  s3Endpoint: secretSetting(
    "S3_ENDPOINT",
    {
      type: "URL",
      default: "Amazon S3 in S3_REGION",
      meaning: "S3-compatible service for objects: attachments, documents"
    },
    url(["http:", "https:"])
  ),
  s3Bucket: setting(
    "S3_BUCKET",
    {
      type: "name",
      default: "files in DATA_DIR",
      meaning: "bucket for objects; required for processes on several machines"
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
    { type: "text", default: "none", meaning: "access key ID for the bucket" },
    optional(Config.nonEmptyString)
  ),
  s3SecretAccessKey: secretSetting(
    "S3_SECRET_ACCESS_KEY",
    { type: "text", default: "none", meaning: "secret access key of S3_ACCESS_KEY_ID" },
    (text) => Either.right(Redacted.make(text))
  )
}

/** The settings of the bucket. */
interface S3Settings {
  readonly s3Endpoint: Option.Option<Redacted.Redacted<string>>
  readonly s3Bucket: Option.Option<string>
  readonly s3Region: Option.Option<string>
  readonly s3AccessKeyId: Option.Option<string>
  readonly s3SecretAccessKey: Option.Option<Redacted.Redacted<string>>
}

/** The bucket; none if objects are files in `DATA_DIR`. */
export const s3Bucket = ({
  s3AccessKeyId,
  s3Bucket: bucket,
  s3Endpoint,
  s3Region,
  s3SecretAccessKey
}: S3Settings): Option.Option<typeof S3Bucket.Service> =>
  Option.map(Option.all({ bucket, accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey }), (credentials) => ({
    ...credentials,
    region: Option.getOrElse(s3Region, () => "us-east-1"),
    endpoint: Option.getOrNull(Option.map(s3Endpoint, Redacted.value))
  }))

/** Fails if only a part of the bucket is configured: objects would silently be stored in `DATA_DIR`. */
export const checkS3 = <A extends S3Settings>(settings: A): Either.Either<A, ConfigError.ConfigError> => {
  const needed: Readonly<Record<string, Option.Option<unknown>>> = {
    S3_BUCKET: settings.s3Bucket,
    S3_ACCESS_KEY_ID: settings.s3AccessKeyId,
    S3_SECRET_ACCESS_KEY: settings.s3SecretAccessKey
  }
  const missing = Object.entries(needed).flatMap(([name, value]) => (Option.isNone(value) ? [name] : []))
  const isUsed = [...Object.values(needed), settings.s3Endpoint, settings.s3Region].some((value) =>
    Option.isSome(value)
  )
  return isUsed && missing.length > 0
    ? Either.left(ConfigError.MissingData([missing.join(", ")], "must be set if another S3_ setting is set"))
    : Either.right(settings)
}

/** Database, data directory and keys. */
export const storageSettings = {
  dataDir: setting(
    "DATA_DIR",
    {
      type: "path",
      default: ".data",
      meaning: "directory of the embedded database, the objects, the master key and the first API key"
    },
    withDefault(Config.nonEmptyString, ".data")
  ),
  databaseUrl: secretSetting(
    "DATABASE_URL",
    {
      type: "URL",
      default: "the embedded PostgreSQL",
      meaning: "PostgreSQL 15 or newer: postgres://user:password@host/db, or several hosts: …@a:5432,b:5432/db"
    },
    databaseUrl
  ),
  databasePoolSize: setting(
    "DATABASE_POOL_SIZE",
    {
      type: "number",
      unit: "connections",
      default: "14",
      meaning:
        "database connections of one process; if it runs API and worker, 30 % are for the worker; reads use at most 70 % of the API's"
    },
    withDefault(wholeNumber(2, 1000), 14)
  ),
  databaseWait: setting(
    "DATABASE_WAIT",
    {
      type: "duration",
      default: "60 seconds",
      meaning: "how long a start waits until the database can be reached"
    },
    withDefault(parsed(duration), Duration.seconds(60))
  ),
  masterKey: secretSetting(
    "MASTER_KEY",
    {
      type: "base64",
      default: "generated at the first start, stored in DATA_DIR",
      meaning: "at least 32 bytes, for signatures and encryption; the same on every process"
    },
    masterKey
  ),
  previousMasterKey: secretSetting(
    "MASTER_KEY_PREVIOUS",
    {
      type: "base64",
      default: "none",
      meaning: "the master key before a rotation: it decrypts secrets and verifies signatures"
    },
    masterKey
  ),
  bootstrapApiKey: secretSetting(
    "BOOTSTRAP_API_KEY",
    {
      type: "API key",
      default: "generated; printed on a terminal, else in the file first-api-key in DATA_DIR",
      meaning: "the admin key that the first start creates"
    },
    apiKey
  )
}

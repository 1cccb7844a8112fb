import { Config, Duration } from "effect"
import { parsed, setting, wholeNumber } from "./Setting.js"
import { apiKey, duration, masterKey, optional, url, withDefault } from "./SettingValues.js"

/** Where everything is kept, and under which key. */
export const storageSettings = {
  dataDir: setting(
    "DATA_DIR",
    { type: "path", default: ".data", meaning: "where the embedded database, objects and the master key are kept" },
    withDefault(Config.nonEmptyString, ".data")
  ),
  databaseUrl: setting(
    "DATABASE_URL",
    {
      type: "URL",
      default: "the embedded PostgreSQL",
      meaning: "a PostgreSQL 15 or newer: postgres://user:password@host/db"
    },
    optional(url(["postgres:", "postgresql:"]))
  ),
  databasePoolSize: setting(
    "DATABASE_POOL_SIZE",
    {
      type: "number",
      default: "14",
      meaning:
        "database connections of one process; where it serves requests and works, 30 % are for work; of those for requests, 70 % may be in use for reads"
    },
    withDefault(wholeNumber(2, 1000), 14)
  ),
  databaseWait: setting(
    "DATABASE_WAIT",
    {
      type: "duration",
      default: "60 seconds",
      meaning: "how long a start waits for a database that is just starting, or can't be reached yet"
    },
    withDefault(parsed(duration), Duration.seconds(60))
  ),
  masterKey: setting(
    "MASTER_KEY",
    {
      type: "base64",
      default: "made at the first start, kept in DATA_DIR",
      meaning: "32 bytes or more; signs and encrypts, the same on every process"
    },
    optional(masterKey)
  ),
  bootstrapApiKey: setting(
    "BOOTSTRAP_API_KEY",
    { type: "API key", default: "a fresh one, shown once", meaning: "the admin key that the first start makes" },
    optional(apiKey)
  )
}

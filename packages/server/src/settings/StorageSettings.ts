import { Config, Duration } from "effect"
import { parsed, secretSetting, setting, wholeNumber } from "./Setting.js"
import { apiKey, databaseUrl, duration, masterKey, withDefault } from "./SettingValues.js"

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

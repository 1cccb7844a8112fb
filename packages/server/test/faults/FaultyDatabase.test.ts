import { describe } from "@effect/vitest"
import { runShort } from "./RunShort.js"
import { backupRestore } from "./scenarios/BackupRestore.js"
import { database } from "./scenarios/Database.js"
import { idempotency } from "./scenarios/Idempotency.js"

describe("Nothing that was accepted is lost or made twice while the database fails", () => {
  runShort(database)
  runShort(backupRestore)
  runShort(idempotency)
})

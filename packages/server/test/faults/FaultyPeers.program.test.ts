import { describe } from "@effect/vitest"
import { runShort } from "./RunShort.js"
import { backupRestore } from "./scenarios/BackupRestore.js"
import { database } from "./scenarios/Database.js"
import { relayFaults } from "./scenarios/RelayFaults.js"
import { simulation } from "./scenarios/Simulation.js"
import { sms } from "./scenarios/Sms.js"
import { webhooks } from "./scenarios/Webhooks.js"
import { whatsApp } from "./scenarios/WhatsApp.js"

describe("No accepted message is lost or duplicated while the database, peers and receivers fail", () => {
  runShort(backupRestore)
  runShort(database)
  runShort(relayFaults)
  runShort(simulation)
  runShort(sms)
  runShort(webhooks)
  runShort(whatsApp)
})

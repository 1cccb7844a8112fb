import type { Scenario } from "./Scenario.js"
import { apiKill } from "./scenarios/ApiKill.js"
import { backupRestore } from "./scenarios/BackupRestore.js"
import { database } from "./scenarios/Database.js"
import { directDelivery } from "./scenarios/DirectDelivery.js"
import { diskFull } from "./scenarios/DiskFull.js"
import { inboundKill } from "./scenarios/InboundKill.js"
import { relayFaults } from "./scenarios/RelayFaults.js"
import { rollingRestart } from "./scenarios/RollingRestart.js"
import { simulation } from "./scenarios/Simulation.js"
import { sms } from "./scenarios/Sms.js"
import { stop } from "./scenarios/Stop.js"
import { submission } from "./scenarios/Submission.js"
import { webhooks } from "./scenarios/Webhooks.js"
import { whatsApp } from "./scenarios/WhatsApp.js"
import { workerKill } from "./scenarios/WorkerKill.js"

/** Sorted by duration, longest first. */
export const scenarios: ReadonlyArray<Scenario> = [
  simulation,
  apiKill,
  workerKill,
  database,
  stop,
  sms,
  whatsApp,
  submission,
  directDelivery,
  diskFull,
  backupRestore,
  relayFaults,
  webhooks,
  inboundKill,
  rollingRestart
]

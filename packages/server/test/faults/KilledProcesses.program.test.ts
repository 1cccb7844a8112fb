import { describe } from "@effect/vitest"
import { runShort } from "./RunShort.js"
import { apiKill } from "./scenarios/ApiKill.js"
import { directDelivery } from "./scenarios/DirectDelivery.js"
import { inboundKill } from "./scenarios/InboundKill.js"
import { rollingRestart } from "./scenarios/RollingRestart.js"
import { stop } from "./scenarios/Stop.js"
import { submission } from "./scenarios/Submission.js"
import { workerKill } from "./scenarios/WorkerKill.js"

describe("No accepted message is lost while processes are killed and stopped", () => {
  runShort(apiKill)
  runShort(directDelivery)
  runShort(inboundKill)
  runShort(rollingRestart)
  runShort(stop)
  runShort(submission)
  runShort(workerKill)
})

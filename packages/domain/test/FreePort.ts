import { createServer } from "node:net"
import { Effect, Random } from "effect"

/** Ports below the ephemeral ones of Linux (from 32,768), macOS and Windows (from 49,152). */
const [minPort, maxPort] = [10_000, 32_767]

const isFree = (port: number) =>
  Effect.async<boolean>((resume) => {
    const server = createServer()
      .once("error", () => resume(Effect.succeed(false)))
      .listen(port, () => server.close(() => resume(Effect.succeed(true))))
  })

/** A port without listener, which no connection and no listener on port 0 takes before its use. */
export const freePort = Effect.repeat(Random.nextIntBetween(minPort, maxPort + 1), { until: isFree })

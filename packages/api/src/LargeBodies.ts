import { Effect } from "effect"

/** Large bodies that are held at the same time: the others wait, and memory stays bounded. */
const atOnce = 8

/** Of them, those of one organization: whoever uploads slowly keeps only itself waiting. */
const ofOneOrganization = 2

const everybody = Effect.unsafeMakeSemaphore(atOnce)

interface Queue {
  readonly semaphore: Effect.Semaphore
  users: number
}

const queues = new Map<string, Queue>()

const enter = (organization: string) =>
  Effect.sync(() => {
    const queue: Queue = queues.get(organization) ?? {
      semaphore: Effect.unsafeMakeSemaphore(ofOneOrganization),
      users: 0
    }
    queue.users += 1
    queues.set(organization, queue)
    return queue
  })

const leave = (organization: string, queue: Queue) =>
  Effect.sync(() => {
    queue.users -= 1
    if (queue.users === 0) queues.delete(organization)
  })

/** Reads a large body once it is its turn, first among its organization's, then among everybody's. */
export const oneOfFew = <A, E, R>(organization: string, read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    enter(organization),
    ({ semaphore }) => semaphore.withPermits(1)(everybody.withPermits(1)(read)),
    (queue) => leave(organization, queue)
  )

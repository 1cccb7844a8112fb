import { useEffect } from "preact/hooks"
import { client } from "../../app/Client.js"
import type { WebhookDelivery } from "../../app/Types.js"
import type { Feed } from "../../components/Feed.js"

/** In milliseconds. The interval doubles while no due delivery changes. */
const minInterval = 500
const maxInterval = 30_000

/** How many deliveries are loaded at a time. */
const maxLoaded = 10

/** Loads the shown deliveries whose next attempt is due, until they have its result. */
export const useDueDeliveries = (id: string, feed: Feed<WebhookDelivery>, changed: () => void): void => {
  const shown = feed.items.value
  useEffect(() => {
    const waiting = shown
      .flatMap((delivery) =>
        delivery.nextAttemptAt === undefined ? [] : [{ delivery, dueAt: delivery.nextAttemptAt.getTime() }]
      )
      .sort((a, b) => a.dueAt - b.dueAt)
    const [first] = waiting
    if (first === undefined) return
    const controller = new AbortController()
    const { signal } = controller
    let interval = minInterval

    const load = async (delivery: WebhookDelivery) => {
      const loaded = await client.webhookEndpoints.delivery({ path: { id, deliveryId: delivery.id } }, { signal })
      return JSON.stringify(loaded) === JSON.stringify(delivery) ? [] : [loaded]
    }
    const loadDue = async () => {
      const due = waiting.filter(({ dueAt }) => dueAt <= Date.now()).slice(0, maxLoaded)
      // A delivery that can't be loaded, for example while the service does not respond, is loaded again later.
      const results = document.hidden ? [] : await Promise.allSettled(due.map(({ delivery }) => load(delivery)))
      if (signal.aborted) return
      const updates = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []))
      if (updates.length > 0) {
        feed.update(updates)
        changed()
      } else {
        interval = Math.min(interval * 2, maxInterval)
        timer = setTimeout(loadDue, interval)
      }
    }
    let timer = setTimeout(loadDue, Math.max(first.dueAt - Date.now(), interval))
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [id, shown])
}

import { signal } from "@preact/signals"

/** Whether the last request to the service had no response. */
export const isOffline = signal(false)

/** Sends a request, and records whether the service responds. */
export const fetchFollowed: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init)
    isOffline.value = false
    return response
  } catch (error) {
    if (init?.signal?.aborted !== true) isOffline.value = true
    throw error
  }
}

/** Counts the threads before `M0039ThreadSums`, a few at a time. */
export const M0040OlderThreads = "SELECT number FROM sum_older_threads(500) AS number WHERE number > 0"

import { assert, it } from "@effect/vitest"
import { addSamples, type MetricSamples, prometheusText } from "@switchboard/server/telemetry/Prometheus"

const requests = (get: number, post: number): MetricSamples => ({
  name: "requests",
  type: "counter",
  help: "Requests, by \\method\n",
  samples: [
    ['requests{method="GET"}', get],
    ['requests{method="POST"}', post]
  ]
})

it("Adds the samples of several processes with equal labels", () => {
  const own: MetricSamples = { name: "open", type: "gauge", help: "Open ones", samples: [["open", 3]] }
  const none: MetricSamples = { name: "none", type: "gauge", help: "", samples: [] }
  assert.strictEqual(
    prometheusText(addSamples([requests(1, 2), own, none, requests(10, 20)])),
    [
      "# HELP open Open ones",
      "# TYPE open gauge",
      "open 3",
      "# HELP requests Requests, by \\\\method\\n",
      "# TYPE requests counter",
      'requests{method="GET"} 11',
      'requests{method="POST"} 22',
      ""
    ].join("\n")
  )
})

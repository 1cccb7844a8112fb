/** Examples by operation id. */
export const emailStatsExamples = {
  "emailStats.get": {
    response: {
      totalSent: 48,
      totalDelivered: 48,
      totalRead: 12,
      totalBounced: 2,
      totalComplained: 1,
      totalFailed: 0,
      totalReceived: 11,
      deliveryRate: 0.96,
      readRate: 0.24,
      bounceRate: 0.04,
      complaintRate: 0.02
    }
  }
}

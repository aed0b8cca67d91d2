/**
 * Memory of the receiver that a busy peer writes its short packets to, and how both agree on its use. Must not: know
 * what packets mean, or hand them up. Called by: {@code ib}. Tests: {@code LandingRingTest}, {@code LandingGateTest},
 * {@code LandingRxeTest}, {@code LandingSleepRxeTest}.
 */
package org.sluice.ib.landing;

/**
 * The locks of the hot path. Must not: know what they guard. Called by: {@code route} and {@code progress}. Tests:
 * {@code BiasedLockTest}, {@code BiasedLockStress} and, to show that it would catch a fault,
 * {@code BrokenBiasedLockStress}.
 */
package org.sluice.hybrid.lock;

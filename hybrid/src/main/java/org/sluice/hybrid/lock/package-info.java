/**
 * The locks of the hot path. Must not: know what they guard. Called by: {@code route} and {@code progress}. Tests: {@code BiasedLockTest},
 * {@code BiasedLockStress}.
 */
package org.sluice.hybrid.lock;

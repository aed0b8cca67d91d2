/**
 * The Java mirror of the native libraries. Holds no policy and makes no errors: a call returns {@code -errno}.
 * Called by {@code shm} and {@code hybrid}; its tests are in {@code jni/src/test}.
 */
package org.sluice.jni;

/**
 * What every native library of Sluice shares: {@link org.sluice.jni.NativeLibrary} finds, unpacks and loads one of
 * them, and {@link org.sluice.jni.Errno} names what a native call returned. The libraries themselves are in packages
 * below, one each.
 *
 * <p>Must not: call up into Java, allocate per message, hold policy, or throw for a native failure (results are -errno,
 * and the room that called makes the error). Called by {@code shm}, {@code ib}, {@code hybrid} and the doctor. Tests:
 * {@code jni/src/test/java}, under -Xcheck:jni; the C side by itself: {@code jni/test.sh}.
 */
package org.sluice.jni;

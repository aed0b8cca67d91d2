package org.sluice.hybrid.route;

/** A control packet that found no room; rare, so it may be allocated. */
record ControlPacket(int kind, long first, long second, long third, int bytes) {
}

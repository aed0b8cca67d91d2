/**
 * The words that all rooms share: devices, envelopes, requests, buffers, errors and the channel contract.
 * Depends on no other room and holds no algorithm. Everyone calls it; its tests are in {@code device/src/test}.
 */
package org.sluice.device;

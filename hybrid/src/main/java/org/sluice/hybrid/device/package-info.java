/**
 * The device that programs hold: checks arguments, opens and closes, and passes on. Must not: know packets. Called by:
 * programs, through {@code org.sluice.device.Device}. Tests: {@code DeviceConformance} and what extends it.
 */
package org.sluice.hybrid.device;

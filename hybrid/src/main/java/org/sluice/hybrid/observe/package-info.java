/**
 * Shows what a device is at, to people: as text, and through JMX. Must not: change anything a device does, or be loaded
 * by an opening that nobody asked to be seen. Called by: the device that opens and closes; signals, management clients
 * and {@code ./sluice top} from outside. Tests: {@code DumpProcessTest}, {@code InspectionTest}.
 */
package org.sluice.hybrid.observe;

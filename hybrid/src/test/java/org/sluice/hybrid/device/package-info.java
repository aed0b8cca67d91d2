/**
 * Devices as programs see them, over every channel and every way to make progress; what one of them shows, all have to
 * show.
 */
package org.sluice.hybrid.device;

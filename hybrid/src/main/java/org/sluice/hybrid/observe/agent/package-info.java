/**
 * What {@code ./sluice top} has a JVM load. Must not: use anything but the JDK, as it may stand above the class loader
 * that has Sluice. Tests: {@code TopProcessTest}.
 */
package org.sluice.hybrid.observe.agent;

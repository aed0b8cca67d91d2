/**
 * What the build does to jars before they are handed out. No part of them. Called by {@code jars/pom.xml}; what comes
 * of it is looked at by {@code RunnableJarTest} in {@code cli}.
 */
package org.sluice.jars;

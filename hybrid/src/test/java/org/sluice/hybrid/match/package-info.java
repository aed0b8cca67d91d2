/** Tests of matching: against a reference on random scripts, and by counts of what is visited and allocated. */
package org.sluice.hybrid.match;

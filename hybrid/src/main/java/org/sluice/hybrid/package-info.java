/**
 * Gives messages their meaning: routes, matching, protocols, requests and progress, once for all channels. Touches no
 * ring itself. Called by programs through {@code Device}; its tests are in {@code hybrid/src/test}.
 */
package org.sluice.hybrid;

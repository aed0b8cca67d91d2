package org.sluice.hybrid.launch;

import java.util.List;

/**
 * How a job ended.
 *
 * @param status 0 when every rank ended with 0; else the status of the first that did not (128 + n for signal n)
 * @param lastLine which rank died first and how; empty when none did
 * @param firstFailedRank the (first) rank of the JVM that died first, or -1
 * @param statuses exit statuses by JVM
 */
public record JobResult(int status, String lastLine, int firstFailedRank, List<Integer> statuses) {
}

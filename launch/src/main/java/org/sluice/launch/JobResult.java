package org.sluice.launch;

import java.util.List;

/**
 * How a job ended.
 *
 * @param status 0 when every rank ended with 0, and none cut others off; else the status of the rank that is the cause
 *     (128 + n for signal n)
 * @param lastLine which rank is the cause: the first that failed by itself, not of another's end, and how it ended;
 *     empty when none failed
 * @param failedRank the (first) rank of the JVM that is the cause, or -1
 * @param statuses exit statuses by JVM
 */
public record JobResult(int status, String lastLine, int failedRank, List<Integer> statuses) {}

/**
 * The collectives of a communicator, in calls that suspend: each is what the call with an `i` before its name begins,
 * and suspends until that is over. All ranks use this form or that one, and begin those of one communicator in the same
 * order.
 *
 * *Cancelling*: before it begins nothing has begun, and the call throws: the other ranks wait for this one's part as
 * they do where a program leaves out a call. Afterwards the collective goes on, as the others count on this rank; the
 * call throws once it is over, and `onDone` is told that this rank has done its part, and has its result. So nothing
 * touches a buffer once the call has returned or thrown. What ends a collective whose ranks don't come is
 * `communicator.revoke()`, or the device's close. *Thread*: any; resumes on the coroutine's dispatcher. *Fails*: as the
 * blocking call.
 */
@file:JvmName("CollectiveCoroutines")

package org.sluice.coroutines

import org.sluice.mpi.CollectiveSpace
import org.sluice.mpi.Reduction
import org.sluice.mpi.TopologyCommunicator

/** Suspends until all ranks have called it. */
suspend fun CollectiveSpace.barrierSuspending(onDone: (() -> Unit)? = null): Unit =
    suspended { BegunWork(ibarrier(), it, onDone) }

/** The root's items for all. */
suspend fun CollectiveSpace.broadcastSuspending(buffer: Any?, root: Int, onDone: (() -> Unit)? = null): Unit =
    suspended { BegunWork(ibroadcast(buffer, root), it, onDone) }

/** Each rank's items to the root, block after block. */
suspend fun CollectiveSpace.gatherSuspending(
    contribution: Any?,
    result: Any?,
    root: Int,
    onDone: (() -> Unit)? = null,
): Unit = suspended { BegunWork(igather(contribution, result, root), it, onDone) }

/** A block of the root's items to each rank. */
suspend fun CollectiveSpace.scatterSuspending(all: Any?, result: Any?, root: Int, onDone: (() -> Unit)? = null): Unit =
    suspended { BegunWork(iscatter(all, result, root), it, onDone) }

/** As [gatherSuspending], with the result at all ranks. */
suspend fun CollectiveSpace.allGatherSuspending(contribution: Any?, result: Any?, onDone: (() -> Unit)? = null): Unit =
    suspended { BegunWork(iallGather(contribution, result), it, onDone) }

/** A block from each rank to each. */
suspend fun CollectiveSpace.allToAllSuspending(contribution: Any?, result: Any?, onDone: (() -> Unit)? = null): Unit =
    suspended { BegunWork(iallToAll(contribution, result), it, onDone) }

/** As [gatherSuspending], with blocks of any size. */
suspend fun CollectiveSpace.gatherBlocksSuspending(
    contribution: Any?,
    result: Any?,
    root: Int,
    onDone: (() -> Unit)? = null,
): Unit = suspended { BegunWork(igatherBlocks(contribution, result, root), it, onDone) }

/** As [scatterSuspending], with blocks of any size. */
suspend fun CollectiveSpace.scatterBlocksSuspending(
    all: Any?,
    result: Any?,
    root: Int,
    onDone: (() -> Unit)? = null,
): Unit = suspended { BegunWork(iscatterBlocks(all, result, root), it, onDone) }

/** As [allGatherSuspending], with blocks of any size. */
suspend fun CollectiveSpace.allGatherBlocksSuspending(
    contribution: Any?,
    result: Any?,
    onDone: (() -> Unit)? = null,
): Unit = suspended { BegunWork(iallGatherBlocks(contribution, result), it, onDone) }

/** As [allToAllSuspending], with blocks of any size. */
suspend fun CollectiveSpace.allToAllBlocksSuspending(
    contribution: Any?,
    result: Any?,
    onDone: (() -> Unit)? = null,
): Unit = suspended { BegunWork(iallToAllBlocks(contribution, result), it, onDone) }

/** Item by item of all contributions, at the root. */
suspend fun CollectiveSpace.reduceSuspending(
    contribution: Any?,
    result: Any?,
    reduction: Reduction,
    root: Int,
    onDone: (() -> Unit)? = null,
): Unit = suspended { BegunWork(ireduce(contribution, result, reduction, root), it, onDone) }

/** As [reduceSuspending], with the result at all ranks. */
suspend fun CollectiveSpace.allReduceSuspending(
    contribution: Any?,
    result: Any?,
    reduction: Reduction,
    onDone: (() -> Unit)? = null,
): Unit = suspended { BegunWork(iallReduce(contribution, result, reduction), it, onDone) }

/** As [reduceSuspending], of which each rank gets a block; all have the same size. */
suspend fun CollectiveSpace.reduceScatterBlockSuspending(
    contribution: Any?,
    result: Any?,
    reduction: Reduction,
    onDone: (() -> Unit)? = null,
): Unit = suspended { BegunWork(ireduceScatterBlock(contribution, result, reduction), it, onDone) }

/** As [reduceSuspending], of which each rank gets a block of so many items. */
suspend fun CollectiveSpace.reduceScatterSuspending(
    contribution: Any?,
    result: Any?,
    counts: IntArray,
    reduction: Reduction,
    onDone: (() -> Unit)? = null,
): Unit = suspended { BegunWork(ireduceScatter(contribution, result, counts, reduction), it, onDone) }

/** The reduction of the contributions of ranks up to this one. */
suspend fun CollectiveSpace.scanSuspending(
    contribution: Any?,
    result: Any?,
    reduction: Reduction,
    onDone: (() -> Unit)? = null,
): Unit = suspended { BegunWork(iscan(contribution, result, reduction), it, onDone) }

/** As [scanSuspending] without this rank's own. */
suspend fun CollectiveSpace.exclusiveScanSuspending(
    contribution: Any?,
    result: Any?,
    reduction: Reduction,
    onDone: (() -> Unit)? = null,
): Unit = suspended { BegunWork(iexclusiveScan(contribution, result, reduction), it, onDone) }

/** This rank's items to each destination, and a block from each source. */
suspend fun TopologyCommunicator.neighbourAllGatherSuspending(
    contribution: Any?,
    result: Any?,
    onDone: (() -> Unit)? = null,
): Unit = suspended { BegunWork(ineighbourAllGather(contribution, result), it, onDone) }

/** As [neighbourAllGatherSuspending], with blocks of any size. */
suspend fun TopologyCommunicator.neighbourAllGatherBlocksSuspending(
    contribution: Any?,
    result: Any?,
    onDone: (() -> Unit)? = null,
): Unit = suspended { BegunWork(ineighbourAllGatherBlocks(contribution, result), it, onDone) }

/** A block of its own to each destination, and a block from each source. */
suspend fun TopologyCommunicator.neighbourAllToAllSuspending(
    contribution: Any?,
    result: Any?,
    onDone: (() -> Unit)? = null,
): Unit = suspended { BegunWork(ineighbourAllToAll(contribution, result), it, onDone) }

/** As [neighbourAllToAllSuspending], with blocks of any size. */
suspend fun TopologyCommunicator.neighbourAllToAllBlocksSuspending(
    contribution: Any?,
    result: Any?,
    onDone: (() -> Unit)? = null,
): Unit = suspended { BegunWork(ineighbourAllToAllBlocks(contribution, result), it, onDone) }

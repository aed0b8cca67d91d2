package mpi;

import org.sluice.mpi.Group;
import xdev.ProcessID;

/** What is below a group: ranks of the job. Immutable. */
final class Members extends mpjdev.Group {
    final Group group;

    Members(Group group) {
        this.group = group;
        this.size = group.size();
        this.rank = MPI.isOpen() ? group.rankOf(MPI.device().rank()) : NO_RANK;
        this.ids = new ProcessID[size];
        for (int i = 0; i < size; i++) {
            ids[i] = MPI.id(group.member(i));
        }
        this.myID = rank == NO_RANK ? null : ids[rank];
    }
}

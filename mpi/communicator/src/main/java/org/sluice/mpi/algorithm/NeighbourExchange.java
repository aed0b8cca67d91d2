package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/** A block to each destination and one from each source, all at the same time; a rank's own are copied. */
public final class NeighbourExchange implements Algorithm {
    @Override
    public void write(Shape shape, Schedule schedule) {
        Neighbours neighbours = shape.neighbours();
        Blocks send = shape.send();
        Blocks receive = shape.receive();
        for (int turn = 0; turn < neighbours.inDegree(); turn++) {
            int block = neighbours.taken(turn);
            int peer = neighbours.source(block);
            if (peer >= 0 && peer != shape.rank()) {
                schedule.receive(peer, Schedule.RECEIVE, receive.at(block), receive.bytes(block));
            }
        }
        for (int block = 0; block < neighbours.outDegree(); block++) {
            int peer = neighbours.destination(block);
            if (neighbours.isToItself(block)) {
                int own = neighbours.ownBlock(block);
                schedule.copy(Schedule.SEND, send.at(block), Schedule.RECEIVE, receive.at(own), send.bytes(block));
            } else if (peer >= 0) {
                schedule.send(peer, Schedule.SEND, send.at(block), send.bytes(block));
            }
        }
        schedule.endRound();
    }
}

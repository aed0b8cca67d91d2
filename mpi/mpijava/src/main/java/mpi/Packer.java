package mpi;

import mpjbuf.Buffer;

/** How MPJ Express's datatypes are packed; here only {@link Comm#Pack} and {@link Comm#Unpack} do. */
public interface Packer {
    void pack(Buffer buffer, Object elements, int offset) throws MPIException;

    void unpack(Buffer buffer, Object elements, int offset) throws MPIException;

    void unpackPartial(Buffer buffer, int length, Object elements, int offset) throws MPIException;

    void pack(Buffer buffer, Object elements, int offset, int count) throws MPIException;

    void unpack(Buffer buffer, int length, Object elements, int offset, int count) throws MPIException;

    void unpack(Buffer buffer, Object elements, int offset, int count) throws MPIException;
}

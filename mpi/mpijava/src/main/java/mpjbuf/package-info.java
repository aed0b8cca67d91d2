/** MPJ Express's buffers, which {@code MPI.PACKED} sends, and {@code Pack} and {@code Unpack} fill and read. */
package mpjbuf;

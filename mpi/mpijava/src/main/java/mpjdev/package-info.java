/** What programs for MPJ Express name of the layer below {@code mpi}: bases of its classes, and constants. */
package mpjdev;

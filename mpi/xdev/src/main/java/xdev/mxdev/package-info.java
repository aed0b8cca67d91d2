/**
 * What MPJ Express finds for the device name {@code mxdev}: Sluice. Stands before MPJ Express's own package of this
 * name on the class path, and has none of its other classes.
 */
package xdev.mxdev;

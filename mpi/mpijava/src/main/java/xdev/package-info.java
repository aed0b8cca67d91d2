/** What programs for MPJ Express name of its devices: an identity and an exception. There are no devices here. */
package xdev;

package org.sluice.shm.ring;

/**
 * Keeps the fields of the classes below off the cache lines of whatever object lies before: HotSpot lays out
 * superclasses first.
 */
abstract class LeadingPadding {
    long before0;
    long before1;
    long before2;
    long before3;
    long before4;
    long before5;
    long before6;
    long before7;
    long before8;
    long before9;
    long before10;
    long before11;
    long before12;
    long before13;
    long before14;
}

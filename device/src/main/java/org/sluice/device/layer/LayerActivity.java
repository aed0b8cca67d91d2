package org.sluice.device.layer;

/**
 * What all ranks of a group do together, as one of them sees it: for state dumps.
 *
 * @param group the same at all ranks of the group, and at no other of the job
 * @param name of the group, for people
 * @param rank this one's in the group
 * @param size of the group
 * @param begun how many such calls this rank has begun
 * @param turn which of them this is, 1 for the first; 0 where it is in none
 * @param call its name, empty where it is in none
 */
public record LayerActivity(String group, String name, int rank, int size, long begun, long turn, String call) {}

/**
 * The RDMA device: which one, its limits, errors of its calls. Must not: know peers. Called by: the other packages of
 * {@code ib}. Tests: {@code VerbsFaultsRxeTest}.
 */
package org.sluice.ib.adapter;

/**
 * Boots guests with a software RDMA device under QEMU, runs a command in them, and brings its output and exit status
 * back. What a guest does is in {@code tools/vm}; docs/project/vm.md draws the whole. Must not know what the command
 * is. Called by {@code bench/cli}; tests: {@code FaultPlanTest}, {@code EndMarkTest}, {@code GuestScriptTest},
 * {@code HostCounterTest}, {@code QemuCommandTest} and, with real guests, {@code VmProcessTest}.
 */
package org.sluice.cli.vm;

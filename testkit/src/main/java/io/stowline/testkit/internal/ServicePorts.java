package io.stowline.testkit.internal;

/**
 * The loopback ports of one running emulator.
 *
 * @param blob the port of the blob service
 * @param queue the port of the queue service
 * @param table the port of the table service
 */
public record ServicePorts(int blob, int queue, int table) {}

package io.stowline.testkit.internal;

/**
 * The loopback ports of one emulator; 0 is a free port that the operating system chooses.
 *
 * @param blob the port of the blob service
 * @param queue the port of the queue service
 * @param table the port of the table service
 */
public record ServicePorts(int blob, int queue, int table) {

    /** Free ports for all three services. */
    public static final ServicePorts FREE = new ServicePorts(0, 0, 0);

    /**
     * Checks the ports.
     *
     * @throws IllegalArgumentException if one is none, or two services have the same
     */
    public ServicePorts {
        check("blob", blob);
        check("queue", queue);
        check("table", table);
        if (same(blob, queue) || same(blob, table) || same(queue, table)) {
            throw new IllegalArgumentException(
                    "each service needs a port for itself, not " + blob + ", " + queue + " and " + table);
        }
    }

    private static boolean same(int one, int other) {
        return one != 0 && one == other;
    }

    private static void check(String service, int port) {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("the " + service + " port is 0 (a free one) to 65535, not " + port);
        }
    }
}

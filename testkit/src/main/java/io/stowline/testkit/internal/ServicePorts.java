package io.stowline.testkit.internal;

/** The loopback ports of one emulator; 0 is a free port that the operating system chooses. */
public record ServicePorts(int blob, int queue, int table) {

    /** Free ports for all three services. */
    public static final ServicePorts FREE = new ServicePorts(0, 0, 0);

    /**
     * Checks ports that an application has chosen.
     *
     * @throws IllegalArgumentException if one is out of range, or two services have the same
     */
    public static ServicePorts of(int blob, int queue, int table) {
        check("blob", blob);
        check("queue", queue);
        check("table", table);
        if (same(blob, queue) || same(blob, table) || same(queue, table)) {
            throw new IllegalArgumentException(
                    "each service needs a port for itself, not " + blob + ", " + queue + " and " + table);
        }
        return new ServicePorts(blob, queue, table);
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

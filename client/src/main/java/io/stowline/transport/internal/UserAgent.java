package io.stowline.transport.internal;

/** How this client names itself to the service. */
final class UserAgent {

    static final String TEXT = "stowline/" + version() + " (Java " + System.getProperty("java.version") + "; "
            + System.getProperty("os.name") + " " + System.getProperty("os.version") + ")";

    private UserAgent() {}

    private static String version() {
        String version = UserAgent.class.getPackage().getImplementationVersion();
        return version == null ? "dev" : version;
    }
}

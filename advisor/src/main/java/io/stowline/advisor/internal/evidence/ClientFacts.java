package io.stowline.advisor.internal.evidence;

import java.util.List;

/**
 * The facts of the clients of a process.
 *
 * @param services the services of its open clients; empty where an application uses other clients
 * @param builtInLastHour the clients that were built in the last hour
 * @param javaVersion the feature version of the Java runtime
 * @param processors the processors that the runtime sees
 * @param sdk whether clients of the Azure SDK report
 */
public record ClientFacts(
        List<ServiceFacts> services, long builtInLastHour, int javaVersion, int processors, boolean sdk) {

    /** Returns whether clients of the Azure SDK report, and no other. */
    public boolean onlySdk() {
        return sdk && services.isEmpty();
    }
}

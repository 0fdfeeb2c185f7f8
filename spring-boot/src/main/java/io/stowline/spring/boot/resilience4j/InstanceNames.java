package io.stowline.spring.boot.resilience4j;

import java.util.List;

/** The names of the instances of Resilience4j that belong to a service of an account: {@code stowline-table}, {@code stowline-archive-table}. */
final class InstanceNames {

    static final List<String> SERVICES = List.of("table", "queue", "blob");

    /** The default account, and the first word of all names. */
    private static final String STOWLINE = "stowline";

    private InstanceNames() {}

    /** Returns the name for a service of an account, which is {@code stowline} for the default one. */
    static String of(String account, String service) {
        return account.equals(STOWLINE) ? STOWLINE + "-" + service : STOWLINE + "-" + account + "-" + service;
    }
}

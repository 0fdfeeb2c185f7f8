package io.stowline.spring.boot.resilience4j;

import io.stowline.spring.boot.account.AccountClients;
import java.util.List;

/** The names of the instances of Resilience4j that belong to a service of an account: {@code stowline-table}, {@code stowline-archive-table}. */
final class InstanceNames {

    static final List<String> SERVICES = List.of("table", "queue", "blob");

    private static final String FIRST = "stowline-";

    private InstanceNames() {}

    /** Returns the name for a service of an account, which is {@code stowline} for the default one. */
    static String of(String account, String service) {
        return (account.equals(AccountClients.MAIN) ? FIRST : FIRST + account + "-") + service;
    }
}

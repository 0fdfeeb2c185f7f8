package io.stowline.observe;

import java.util.Objects;

/**
 * An operation that begins. Immutable.
 *
 * @param account the account's name
 * @param service {@code table}, {@code queue} or {@code blob}
 * @param name the verb, such as {@code insert}, {@code transaction}, {@code send} or {@code upload}
 * @param resource what it is asked of, such as {@code registrations(partition, row)}: for traces and logs, never for a metric
 */
public record OperationInfo(String account, String service, String name, String resource) {

    /**
     * Checks that everything is there.
     *
     * @param account the account's name
     * @param service {@code table}, {@code queue} or {@code blob}
     * @param name the verb
     * @param resource what it is asked of
     */
    public OperationInfo {
        Objects.requireNonNull(account, "account");
        Objects.requireNonNull(service, "service");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(resource, "resource");
    }
}

package io.stowline.observe;

import io.stowline.error.internal.PrintableText;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An operation that begins. Immutable.
 *
 * @param account the account's name
 * @param service {@code table}, {@code queue} or {@code blob}
 * @param name the verb, such as {@code insert}, {@code transaction}, {@code send} or {@code upload}; verbs stay the same over releases, and
 *     the page on observability lists them
 * @param resource the resource, such as {@code registrations(partition, row)}: for traces and logs, never for a metric
 * @param queryClass of a read of a table what the service looks at for it, such as {@code point} or {@code table-scan}; {@code null} of
 *     any other operation
 * @param headers trace context that the handled message carries, such as {@code traceparent}; empty of any other operation
 */
public record OperationInfo(
        String account,
        String service,
        String name,
        String resource,
        @Nullable String queryClass,
        Map<String, String> headers) {

    /**
     * Checks that everything is there.
     *
     * @param account the account's name
     * @param service {@code table}, {@code queue} or {@code blob}
     * @param name the verb
     * @param resource the resource
     * @param queryClass what the service looks at for a read, or {@code null}
     * @param headers trace context of a handled message
     */
    public OperationInfo {
        Objects.requireNonNull(account, "account");
        Objects.requireNonNull(service, "service");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(resource, "resource");
        headers = Map.copyOf(headers);
    }

    @Override
    public String toString() {
        return PrintableText.of("OperationInfo[account=" + account + ", service=" + service + ", name=" + name
                + ", resource=" + resource + ", queryClass=" + queryClass + ", headers=" + headers + "]");
    }

    /**
     * An operation that handles no message.
     *
     * @param account the account's name
     * @param service {@code table}, {@code queue} or {@code blob}
     * @param name the verb
     * @param resource the resource
     * @param queryClass what the service looks at for a read, or {@code null}
     */
    public OperationInfo(String account, String service, String name, String resource, @Nullable String queryClass) {
        this(account, service, name, resource, queryClass, Map.of());
    }

    /** Returns whether code of the application handles a message. */
    boolean isHandling() {
        return name.equals("handle");
    }

    /**
     * An operation that is no read of a table.
     *
     * @param account the account's name
     * @param service {@code table}, {@code queue} or {@code blob}
     * @param name the verb
     * @param resource the resource
     */
    public OperationInfo(String account, String service, String name, String resource) {
        this(account, service, name, resource, null);
    }
}

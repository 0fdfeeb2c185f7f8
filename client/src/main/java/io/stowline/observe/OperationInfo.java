package io.stowline.observe;

import io.stowline.error.internal.PrintableText;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
 * @param endpoint the endpoint of the service; {@code null} where it is not known
 * @param messages the messages whose handling it is; empty of any other operation
 */
public record OperationInfo(
        String account,
        String service,
        String name,
        String resource,
        @Nullable String queryClass,
        @Nullable URI endpoint,
        List<HandledMessage> messages) {

    private static final Pattern CONTAINER = Pattern.compile("[$A-Za-z0-9-]+(?=$|[(/])");

    /**
     * A message that code of the application handles. Immutable.
     *
     * @param id the id that the service gave it
     * @param headers the trace context that it carries, such as {@code traceparent}; empty without one
     */
    public record HandledMessage(String id, Map<String, String> headers) {

        /**
         * Keeps a copy of the headers.
         *
         * @param id the id that the service gave it
         * @param headers the trace context that it carries
         */
        public HandledMessage {
            Objects.requireNonNull(id, "id");
            headers = Map.copyOf(headers);
        }

        @Override
        public String toString() {
            return PrintableText.of("HandledMessage[id=" + id + ", headers=" + headers + "]");
        }
    }

    /**
     * Checks that everything is there.
     *
     * @param account the account's name
     * @param service {@code table}, {@code queue} or {@code blob}
     * @param name the verb
     * @param resource the resource
     * @param queryClass what the service looks at for a read, or {@code null}
     * @param endpoint the endpoint of the service, or {@code null}
     * @param messages the handled messages
     */
    public OperationInfo {
        Objects.requireNonNull(account, "account");
        Objects.requireNonNull(service, "service");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(resource, "resource");
        messages = List.copyOf(messages);
    }

    @Override
    public String toString() {
        return PrintableText.of("OperationInfo[account=" + account + ", service=" + service + ", name=" + name
                + ", resource=" + resource + ", queryClass=" + queryClass + ", endpoint="
                + endpoint + ", messages=" + messages + "]");
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
        this(account, service, name, resource, queryClass, null, List.of());
    }

    /**
     * Returns the trace context that a handling continues: that of its message.
     *
     * @return the headers; empty of a batch of several messages, which have a context each, and of any other operation
     */
    public Map<String, String> headers() {
        return messages.size() == 1 ? messages.get(0).headers() : Map.of();
    }

    /** Returns the name of the table, the queue or the container; {@code null} of an operation on the account. */
    @Nullable
    String container() {
        Matcher name = CONTAINER.matcher(resource);
        return name.lookingAt() ? name.group() : null;
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

package io.stowline;

import io.stowline.retry.Deadline;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.Tables;
import io.stowline.table.internal.TableService;
import io.stowline.transport.internal.AccountConnection;
import io.stowline.transport.internal.Await;
import io.stowline.transport.internal.ConnectionString;
import io.stowline.transport.internal.StorageAccount;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The client of one storage account. Make one, share it, close it.
 *
 * <pre>{@code
 * try (Stowline storage = Stowline.connect(connectionString)) {
 *     Table<Runner> runners = storage.table("registrations", Runner.class);
 *     runners.createIfMissing();
 *     runners.insertOrReplace(new Runner("2026 Marathon__Full", "BIB:01234", "John", 55));
 * }
 * }</pre>
 *
 * <p>It holds its own connections, at most the parallelism and one, and a few daemon threads named {@code stowline-<account>-<role>-<n>}.
 * Nothing is opened before the first request.
 *
 * <p>Thread-safe.
 */
public final class Stowline implements AutoCloseable {

    private final StorageAccount account;
    private final AccountConnection connection;
    private final TableService tableService;
    private final Tables tables;
    private final Duration closeTimeout;
    private final AtomicReference<@Nullable Mono<Void>> closing = new AtomicReference<>();

    private Stowline(Builder builder, StorageAccount account) {
        this.account = account;
        this.closeTimeout = builder.closeTimeout;
        this.connection = AccountConnection.open(account, builder.parallelism, builder.retry, builder.callbacks);
        this.tableService = new TableService(account, connection, builder.retry);
        this.tables = new Tables(tableService);
    }

    /**
     * Connects with the defaults.
     *
     * @param connectionString the account's connection string with its key, or {@code UseDevelopmentStorage=true} for an emulator
     * @return the client
     * @throws IllegalArgumentException naming the setting that is missing or wrong; the key is never shown
     */
    public static Stowline connect(String connectionString) {
        return builder().connectionString(connectionString).build();
    }

    /**
     * Begins a client with other settings.
     *
     * @return a builder with the defaults
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * A table of entities whose properties are not known before.
     *
     * @param name the table's name: 3 to 63 letters and digits
     * @return the table, which need not exist yet
     */
    public Table<Entity> table(String name) {
        return table(name, Entity.class);
    }

    /**
     * A table of entities of one record type.
     *
     * @param name the table's name: 3 to 63 letters and digits
     * @param type a record with {@code @PartitionKey} and {@code @RowKey}
     * @param <T> the record
     * @return the table, which need not exist yet
     * @throws IllegalArgumentException if the name is not allowed
     * @throws io.stowline.projection.UnmappableTypeException if the type cannot be mapped
     */
    public <T> Table<T> table(String name, Class<T> type) {
        return tables.table(name, type);
    }

    /**
     * The names of all tables of the account.
     *
     * @return the names
     */
    public List<String> listTables() {
        return Objects.requireNonNull(Await.on(tables.names()), "the list of tables ended without a result");
    }

    /**
     * The same entry without blocking.
     *
     * @return the reactive face of this client
     */
    public ReactiveStowline reactive() {
        return new ReactiveStowline(this);
    }

    Tables tables() {
        return tables;
    }

    Mono<Void> closeAsync() {
        closing.compareAndSet(null, Mono.defer(this::closeOnce).cache());
        return Objects.requireNonNull(closing.get());
    }

    /** One deadline for all of it; the transport is closed whatever the writers had to say. */
    private Mono<Void> closeOnce() {
        Deadline deadline = Deadline.in(closeTimeout, connection.timer());
        return tableService.close(closeTimeout).materialize().flatMap(end -> connection
                .close(deadline.remaining())
                .then(end.isOnError() ? Mono.<Void>error(end.getThrowable()) : Mono.empty()));
    }

    /**
     * Closes the writers that are still open, waits for what is in flight, then closes connections and threads. May be called again.
     *
     * @throws io.stowline.batching.UncollectedFailuresException if a writer that was still open had failures that nobody took
     */
    @Override
    public void close() {
        Await.on(closeAsync());
    }

    @Override
    public String toString() {
        return "Stowline[" + account.name() + "]";
    }

    /** Collects the settings of a client. Not thread-safe. */
    public static final class Builder {

        private static final int MOST_PARALLELISM = 1_000;

        private @Nullable String connectionString;
        private RetrySettings retry = RetrySettings.defaults();
        private int parallelism = 8;
        private Duration closeTimeout = Duration.ofMinutes(2);
        private @Nullable Executor callbacks;

        private Builder() {}

        /**
         * Sets the account.
         *
         * @param connectionString its connection string
         * @return this builder
         */
        public Builder connectionString(String connectionString) {
            this.connectionString = Objects.requireNonNull(connectionString, "connectionString");
            return this;
        }

        /**
         * Changes how operations are tried. The default: 4 retries at about 2, 6, 14 and 30 s, all within 120 s.
         *
         * @param settings changes the settings
         * @return this builder
         */
        public Builder retry(UnaryOperator<RetrySettings.Builder> settings) {
            this.retry = settings.apply(retry.toBuilder()).build();
            return this;
        }

        /**
         * Sets how many requests may be in flight for each service.
         *
         * @param parallelism 1 to 1,000; the default is 8
         * @return this builder
         */
        public Builder parallelism(int parallelism) {
            if (parallelism < 1 || parallelism > MOST_PARALLELISM) {
                throw new IllegalArgumentException("parallelism is 1 to " + MOST_PARALLELISM + ", not " + parallelism);
            }
            this.parallelism = parallelism;
            return this;
        }

        /**
         * Sets how long {@link Stowline#close} waits for what is under way.
         *
         * @param closeTimeout more than zero; the default is 2 minutes
         * @return this builder
         */
        public Builder closeTimeout(Duration closeTimeout) {
            if (closeTimeout.isNegative() || closeTimeout.isZero()) {
                throw new IllegalArgumentException("closeTimeout is more than zero, not " + closeTimeout);
            }
            this.closeTimeout = closeTimeout;
            return this;
        }

        /**
         * Sets where the user's code runs: callbacks and the results of the reactive faces. The default is a few daemon threads of the
         * client. An executor that is given is not closed.
         *
         * @param callbacks the executor
         * @return this builder
         */
        public Builder callbacks(Executor callbacks) {
            this.callbacks = Objects.requireNonNull(callbacks, "callbacks");
            return this;
        }

        /**
         * Makes the client.
         *
         * @return the client
         * @throws IllegalArgumentException naming the setting that is missing or wrong
         */
        public Stowline build() {
            if (connectionString == null) {
                throw new IllegalArgumentException("connectionString is not set");
            }
            return new Stowline(this, ConnectionString.parse(connectionString));
        }
    }
}

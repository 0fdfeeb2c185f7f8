package io.stowline.testkit;

import io.stowline.testkit.internal.AzuriteCommand;
import io.stowline.testkit.internal.AzuriteProcess;
import io.stowline.testkit.internal.AzuriteSettings;
import io.stowline.testkit.internal.CacheFolder;
import io.stowline.testkit.internal.HealthProbe;
import io.stowline.testkit.internal.Launcher;
import io.stowline.testkit.internal.NodeTools;
import io.stowline.testkit.internal.OutputLog;
import io.stowline.testkit.internal.ServicePorts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A running Azurite 3.35.0, the emulator of Azure Blob, Queue and Table storage, with a separate, empty state.
 *
 * <pre>{@code
 * try (Azurite azurite = Azurite.start()) {
 *     connect(azurite.connectionString());
 * }
 * }</pre>
 *
 * <p>Azurite comes from npm, pinned by a lock file in this jar, and is installed at the first start ({@link NpmPackages} documents
 * where); that needs Node.js 20 or newer with npm on the PATH and takes up to half a minute. A start after that takes about a
 * second and uses no network.
 *
 * <p>All three services listen on 127.0.0.1 only, on free ports unless {@link Builder#ports} sets them, over plain HTTP with the
 * account in the path. Data is held in memory and gone with the process; telemetry is off; any service version is accepted.
 * Idle connections stay open for 60 s unless set otherwise (Azurite's own 5 s makes pooled clients meet resets). A script of
 * this jar makes Azurite find entities by an index instead of reading their partition; its responses stay the same.
 *
 * <p>The process ends with {@link #close()}, and also when this JVM ends in any way, killed included: it watches a pipe that
 * this JVM holds open.
 *
 * <p>Safe for use by several threads.
 */
public final class Azurite implements AutoCloseable {

    static final String WELL_KNOWN_ACCOUNT = "devstoreaccount1";
    // Published by Microsoft for every emulator; not a secret.
    static final String WELL_KNOWN_KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
    private static final int LOG_CAPACITY = 1 << 20;

    private final Map<String, String> accounts;
    private final Function<OutputLog, AzuriteProcess> starter;
    private final OutputLog log = new OutputLog(LOG_CAPACITY);
    private volatile AzuriteProcess process;
    private boolean closed;

    Azurite(Map<String, String> accounts, Function<OutputLog, AzuriteProcess> starter) {
        this.accounts = accounts;
        this.starter = starter;
        this.process = starter.apply(log);
    }

    /**
     * Starts an emulator with the defaults, and blocks until all three services listen.
     *
     * @return the running emulator
     * @throws NodeRequiredException if Node.js is missing or too old
     * @throws TestkitException if Azurite cannot be installed or does not start, with the end of the output
     */
    public static Azurite start() {
        return builder().start();
    }

    /**
     * Collects settings for an emulator.
     *
     * @return a builder with the defaults
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the connection string of the well-known account: shared key, with the endpoints spelled out.
     *
     * @return a connection string that is valid until the next {@link #restart()}
     */
    public String connectionString() {
        return connectionString(WELL_KNOWN_ACCOUNT);
    }

    /**
     * Returns the connection string of an account: shared key, with the endpoints spelled out.
     *
     * @param account the well-known account or one given to the builder
     * @return a connection string that is valid until the next {@link #restart()}
     * @throws IllegalArgumentException if the emulator has no such account
     */
    public String connectionString(String account) {
        String key = accounts.get(account);
        if (key == null) {
            throw new IllegalArgumentException("no account '" + account + "', only " + accounts.keySet());
        }
        ServicePorts ports = process.ports();
        return "DefaultEndpointsProtocol=http;AccountName=" + account + ";AccountKey=" + key
                + ";BlobEndpoint=" + endpoint(ports.blob(), account)
                + ";QueueEndpoint=" + endpoint(ports.queue(), account)
                + ";TableEndpoint=" + endpoint(ports.table(), account) + ";";
    }

    /**
     * Returns the blob endpoint of the well-known account.
     *
     * @return {@code http://127.0.0.1:<port>/devstoreaccount1}
     */
    public URI blobEndpoint() {
        return endpoint(process.ports().blob(), WELL_KNOWN_ACCOUNT);
    }

    /**
     * Returns the queue endpoint of the well-known account.
     *
     * @return {@code http://127.0.0.1:<port>/devstoreaccount1}
     */
    public URI queueEndpoint() {
        return endpoint(process.ports().queue(), WELL_KNOWN_ACCOUNT);
    }

    /**
     * Returns the table endpoint of the well-known account.
     *
     * @return {@code http://127.0.0.1:<port>/devstoreaccount1}
     */
    public URI tableEndpoint() {
        return endpoint(process.ports().table(), WELL_KNOWN_ACCOUNT);
    }

    private static URI endpoint(int port, String account) {
        return URI.create("http://127.0.0.1:" + port + "/" + account);
    }

    /**
     * Returns the name of the well-known account.
     *
     * @return {@code devstoreaccount1}
     */
    public String accountName() {
        return WELL_KNOWN_ACCOUNT;
    }

    /**
     * Returns the published key of the well-known account.
     *
     * @return the key in Base64
     */
    public String accountKey() {
        return WELL_KNOWN_KEY;
    }

    /**
     * Replaces the process by a new one with an empty state and, unless they are set, <strong>other ports</strong>: take the connection string
     * again afterwards. The old process is killed, whatever it is busy with.
     *
     * @throws IllegalStateException if this emulator was closed
     * @throws TestkitException if the new process does not start; the emulator is then down, and may be restarted again
     */
    public synchronized void restart() {
        if (closed) {
            throw new IllegalStateException("this Azurite was closed");
        }
        process.kill();
        log.add("(restarted)");
        process = starter.apply(log);
    }

    /**
     * Returns what the emulator has printed over all its restarts: the latest 1,048,576 characters.
     *
     * @return lines of text; requests are among them only with {@link Builder#accessLog(boolean)}
     */
    public String log() {
        return log.text();
    }

    /**
     * Returns whether the process runs. It may run and yet be of no use: see {@link #isHealthy()}.
     *
     * @return {@code false} after {@link #close()} or when the process died
     */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Returns whether the emulator is of use: the process runs, the three ports accept, and an entity group transaction
     * gets no server error.
     *
     * <p>The last of these detects a poisoned emulator: Azurite 3.35.0 refuses every later transaction with 500 after one that held
     * a good operation followed by one that it fails on, such as an unknown EDM type. The probe changes no data and takes a few
     * milliseconds.
     *
     * @return whether it works; when not, {@link #restart()} helps
     */
    public boolean isHealthy() {
        AzuriteProcess current = process;
        return current.isAlive() && new HealthProbe(WELL_KNOWN_ACCOUNT, WELL_KNOWN_KEY).isHealthy(current.ports());
    }

    ProcessHandle handle() {
        return process.handle();
    }

    /** Stops the process: requests its end, and kills it when it has not ended after 5 s. Has no effect the second time. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            process.stop();
        }
    }

    @Override
    public String toString() {
        return "Azurite[table=" + tableEndpoint() + ", alive=" + isAlive() + "]";
    }

    /** Settings of an emulator. Not safe for use by several threads. */
    public static final class Builder {

        private static final Pattern ACCOUNT = Pattern.compile("[a-z0-9]{3,24}");

        private final Map<String, String> accounts = new LinkedHashMap<>(Map.of(WELL_KNOWN_ACCOUNT, WELL_KNOWN_KEY));
        private ServicePorts ports = ServicePorts.FREE;
        private Duration keepAliveTimeout = Duration.ofSeconds(60);
        private Duration startTimeout = Duration.ofSeconds(60);
        private boolean accessLog;
        private @Nullable Path debugLog;

        private Builder() {}

        /**
         * Adds an account beside the well-known one.
         *
         * @param name 3 to 24 lower-case letters and digits
         * @param key its key in Base64
         * @return this builder
         * @throws IllegalArgumentException if the name or the key is not of that form, or the account is there already
         */
        public Builder account(String name, String key) {
            if (!ACCOUNT.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "account name must be 3 to 24 lower-case letters and digits: '" + name + "'");
            }
            if (accounts.containsKey(name)) {
                throw new IllegalArgumentException("account name is taken already: '" + name + "'");
            }
            accounts.put(name, checkedKey(name, key));
            return this;
        }

        private static String checkedKey(String name, String key) {
            try {
                if (Base64.getDecoder().decode(key).length > 0) {
                    return key;
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("the key of account '" + name + "' is not Base64", e);
            }
            throw new IllegalArgumentException("the key of account '" + name + "' is empty");
        }

        /**
         * Sets where the services listen; free ports unless set. On 10000, 10001 and 10002 any client finds them by {@code
         * UseDevelopmentStorage=true}. A restarted emulator has the same ports.
         *
         * @param blob the port of the blob service, 0 for a free one
         * @param queue the port of the queue service, 0 for a free one
         * @param table the port of the table service, 0 for a free one
         * @return this builder
         * @throws IllegalArgumentException if one is not 0 to 65535, or two are the same
         */
        public Builder ports(int blob, int queue, int table) {
            ports = ServicePorts.of(blob, queue, table);
            return this;
        }

        /**
         * Sets how long an idle connection stays open; 60 s unless set. Short times show how a client bears resets.
         *
         * @param timeout at least 1 s; fractions of a second are dropped
         * @return this builder
         * @throws IllegalArgumentException if it is shorter
         */
        public Builder keepAliveTimeout(Duration timeout) {
            if (timeout.toSeconds() < 1) {
                throw new IllegalArgumentException("keepAliveTimeout must be at least 1 s: " + timeout);
            }
            keepAliveTimeout = timeout;
            return this;
        }

        /**
         * Sets how long a start may take, once Azurite is installed; 60 s unless set.
         *
         * @param timeout a positive duration
         * @return this builder
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder startTimeout(Duration timeout) {
            if (timeout.isNegative() || timeout.isZero()) {
                throw new IllegalArgumentException("startTimeout must be positive: " + timeout);
            }
            startTimeout = timeout;
            return this;
        }

        /**
         * Makes each request a line of {@link Azurite#log()}; off unless set.
         *
         * @param on whether requests are logged
         * @return this builder
         */
        public Builder accessLog(boolean on) {
            accessLog = on;
            return this;
        }

        /**
         * Makes Azurite write its full debug log into a file; off unless set. Slow, and large.
         *
         * @param file the file to write
         * @return this builder
         */
        public Builder debugLog(Path file) {
            debugLog = file;
            return this;
        }

        /**
         * Installs Azurite if need be, starts it, and blocks until all three services listen.
         *
         * @return the running emulator
         * @throws NodeRequiredException if Node.js is missing or too old
         * @throws TestkitException if Azurite cannot be installed or does not start, with the end of the output
         */
        public Azurite start() {
            AzuriteSettings settings = new AzuriteSettings(
                    Map.copyOf(accounts), ports, keepAliveTimeout, startTimeout, accessLog, debugLog);
            Path packages = NpmPackages.of(Azurite.class, "azurite").install();
            AzuriteCommand command = command(settings, packages);
            return new Azurite(
                    settings.accounts(),
                    log -> AzuriteProcess.start(command.prepare(), Launcher.REAL, settings.startTimeout(), log));
        }

        private static AzuriteCommand command(AzuriteSettings settings, Path packages) {
            try {
                return AzuriteCommand.of(
                        settings, NodeTools.ofThisProcess(), CacheFolder.ofThisProcess(), packages, Azurite.class);
            } catch (IOException e) {
                throw new TestkitException("cannot prepare the start of Azurite: " + e, e);
            }
        }
    }
}

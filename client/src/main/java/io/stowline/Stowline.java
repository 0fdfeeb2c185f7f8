package io.stowline;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.ProxyOptions;
import com.azure.core.util.Configuration;
import com.azure.core.util.serializer.JsonSerializer;
import io.stowline.access.AccountSasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.internal.client.DefaultBlobContainer;
import io.stowline.caching.ResponseCache;
import io.stowline.observe.StowlineListener;
import io.stowline.projection.Mapping;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ShardSettings;
import io.stowline.queue.ShardedQueue;
import io.stowline.queue.internal.client.DefaultMessageQueue;
import io.stowline.queue.internal.client.DefaultShardedQueue;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.QuotaSettings;
import io.stowline.retry.RetrySettings;
import io.stowline.service.Cors;
import io.stowline.service.ServiceProperties;
import io.stowline.service.ServiceType;
import io.stowline.table.Entity;
import io.stowline.table.ScanPolicy;
import io.stowline.table.Table;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.table.outbox.Outbox;
import io.stowline.table.transfer.TableTransfers;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.internal.account.AccountBuilder;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.client.ClientSettings;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.concurrent.LeakDetector;
import io.stowline.transport.internal.netty.HttpSettings;
import io.stowline.transport.internal.request.ServiceVersion;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

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
 * <p>It holds its own connections, one for each request in flight and each download being read, and a few daemon threads named
 * {@code stowline-<account>-<role>-<n>}. Nothing is opened before the first request.
 *
 * <p>Thread-safe.
 */
public final class Stowline implements AutoCloseable {

    private final ClientServices services;

    private Stowline(ClientServices services) {
        this.services = services;
        watch(this, services);
    }

    /** Static: the cleaner must not reference the object it watches. */
    private static void watch(Stowline holder, ClientServices services) {
        LeakDetector.shared()
                .watch(holder, "the client of " + services.account().name(), services::isOpen);
    }

    /**
     * Connects with the defaults.
     *
     * @param connectionString the account's connection string with its key or a shared access signature, or {@code
     *     UseDevelopmentStorage=true} for an emulator
     * @return the client
     * @throws IllegalArgumentException naming the setting that is missing or wrong; keys and signatures are never shown
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
     * Returns a table of entities whose properties are not known before.
     *
     * @param name the table's name: 3 to 63 letters and digits
     * @return the table, which need not exist yet
     */
    public Table<Entity> table(String name) {
        return table(name, Entity.class);
    }

    /**
     * Returns a table of entities of one Java type.
     *
     * @param name the table's name: 3 to 63 letters and digits
     * @param type a record or an immutable class with {@code @PartitionKey} and {@code @RowKey}, see
     *     {@link io.stowline.projection.EntityType}; or a sealed interface of such types, each with
     *     {@link io.stowline.projection.RowPrefix} or {@link io.stowline.projection.Discriminator}
     * @param <T> the Java type
     * @return the table, which need not exist yet
     * @throws IllegalArgumentException if the name is not allowed
     * @throws io.stowline.projection.UnmappableTypeException if the type cannot be mapped
     */
    public <T> Table<T> table(String name, Class<T> type) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        return DefaultTable.of(services.tables(), name, type, Mapping.standard());
    }

    /**
     * Returns a table of entities of one Java type, with a mapping of what the type does not declare itself.
     *
     * <pre>{@code
     * Table<Runner> runners = storage.table("registrations", Runner.class, m -> m.zeroForMissing());
     * }</pre>
     *
     * @param name the table's name: 3 to 63 letters and digits
     * @param type a record or an immutable class with {@code @PartitionKey} and {@code @RowKey}
     * @param mapping changes the standard mapping; {@link io.stowline.table.Query#as} keeps to it, too
     * @param <T> the Java type
     * @return the table, which need not exist yet; keep it, since each call maps the type again
     * @throws IllegalArgumentException if the name is not allowed
     * @throws io.stowline.projection.UnmappableTypeException if the type cannot be mapped
     */
    public <T> Table<T> table(String name, Class<T> type, UnaryOperator<Mapping.Builder> mapping) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(mapping, "mapping");
        return DefaultTable.of(
                services.tables(), name, type, mapping.apply(Mapping.builder()).build());
    }

    /**
     * Returns the transfers of whole tables: export, import, copy and comparison.
     *
     * @return the transfers; making them costs nothing
     */
    public TableTransfers tables() {
        return services.transfers();
    }

    /**
     * Returns the names of all tables of the account.
     *
     * @return the names
     */
    public List<String> listTables() {
        return BlockingAwait.result(services.listTables());
    }

    /**
     * Returns a queue of text messages.
     *
     * @param name the queue's name: 3 to 63 lower-case letters, digits and single hyphens
     * @return the queue, which need not exist yet
     * @throws IllegalArgumentException if the name is not allowed, or the account has no queue endpoint
     */
    public MessageQueue<String> queue(String name) {
        return queue(name, String.class);
    }

    /**
     * Returns a queue whose messages carry values of one type: as JSON, but for {@code String} and {@code byte[]}, which are sent as they
     * are. {@link Builder#messageSerializer} sets the mapping to JSON.
     *
     * @param name the queue's name: 3 to 63 lower-case letters, digits and single hyphens
     * @param type the type of the bodies
     * @param <T> that type
     * @return the queue, which need not exist yet
     * @throws IllegalArgumentException if the name is not allowed, or the account has no queue endpoint
     */
    public <T> MessageQueue<T> queue(String name, Class<T> type) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        return DefaultMessageQueue.of(services.consumers(), name, type);
    }

    /**
     * Returns several queues as one, for more messages than one queue handles. The queues are {@code <name>-0}, {@code <name>-1} and so on.
     *
     * @param name the name that they share
     * @param type the type of the bodies: as JSON, but for {@code String} and {@code byte[]}, which are sent as they are
     * @param settings sets how many queues get messages, and how many are received from
     * @param <T> the type of the bodies
     * @return the sharded queue, whose queues need not exist yet; keep it, since each call begins its round with a random shard
     * @throws IllegalArgumentException if a name or a number is not allowed, or the account has no queue endpoint
     */
    public <T> ShardedQueue<T> shardedQueue(String name, Class<T> type, UnaryOperator<ShardSettings.Builder> settings) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(settings, "settings");
        return DefaultShardedQueue.of(services.consumers(), name, type, settings);
    }

    /**
     * Returns the names of all queues of the account.
     *
     * @return the names
     * @throws IllegalArgumentException if the account has no queue endpoint
     */
    public List<String> listQueues() {
        return BlockingAwait.result(services.listQueues(List.of("")));
    }

    /**
     * Returns the names of the queues of the account that begin with one of the prefixes, which are listed 8 at a time: those of
     * {@link io.stowline.projection.key.KeyFormat#prefixes}, for names that begin with a hash.
     *
     * @param prefixes the beginnings, in any order; none of them gives no name
     * @return the names in their order, each once
     * @throws IllegalArgumentException if the account has no queue endpoint
     */
    public List<String> listQueues(Collection<String> prefixes) {
        return BlockingAwait.result(services.listQueues(prefixes));
    }

    /**
     * Returns the outbox: the messages that {@link io.stowline.table.Transaction#send} has stored beside entities, and the relay that sends them.
     *
     * @return the outbox; making it costs nothing
     */
    public Outbox outbox() {
        return services.outbox();
    }

    /**
     * Returns a container of blobs.
     *
     * @param name the container's name: 3 to 63 lower-case letters, digits and single hyphens, or one of {@code $root}, {@code $web},
     *     {@code $logs} and {@code $blobchangefeed}
     * @return the container, which need not exist yet
     * @throws IllegalArgumentException if the name is not allowed, or the account has no blob endpoint
     */
    public BlobContainer container(String name) {
        Objects.requireNonNull(name, "name");
        return DefaultBlobContainer.of(services.blobs(), name);
    }

    /**
     * Returns the names of all containers of the account. The service leaves out its own, such as {@code $logs}, and deleted ones.
     *
     * @return the names
     * @throws IllegalArgumentException if the account has no blob endpoint
     */
    public List<String> listContainers() {
        return BlockingAwait.result(services.listContainers(List.of("")));
    }

    /**
     * Returns the names of the containers of the account that begin with one of the prefixes, which are listed 8 at a time: those of
     * {@link io.stowline.projection.key.KeyFormat#prefixes}, for names that begin with a hash.
     *
     * @param prefixes the beginnings, in any order; none of them gives no name
     * @return the names in their order, each once
     * @throws IllegalArgumentException if the account has no blob endpoint
     */
    public List<String> listContainers(Collection<String> prefixes) {
        return BlockingAwait.result(services.listContainers(prefixes));
    }

    /**
     * Returns the CORS rules of a service: the pages of other origins that may use it from a browser.
     *
     * @param service the service
     * @return its rules
     * @throws IllegalArgumentException if the account has no endpoint of the service
     */
    public Cors cors(ServiceType service) {
        Objects.requireNonNull(service, "service");
        return services.cors(service);
    }

    /**
     * Returns the properties of a service: soft delete, static website, default version, logging and metrics.
     *
     * @param service the service
     * @return its properties
     * @throws IllegalArgumentException if the account has no endpoint of the service
     */
    public ServiceProperties serviceProperties(ServiceType service) {
        Objects.requireNonNull(service, "service");
        return services.serviceProperties(service);
    }

    /**
     * Begins a signature that opens the account, or some of its services, for others. Its {@code uri()} is the endpoint of the blobs, or where this
     * client has none that of the queues or tables.
     *
     * @return its builder
     */
    public AccountSasBuilder<SharedAccessSignature> sas() {
        return services.sas(BlockingAwait::result);
    }

    /**
     * Returns the name of the account.
     *
     * @return the name, as it stands in metrics and errors
     */
    public String accountName() {
        return services.account().name();
    }

    /**
     * Returns the endpoints of the services that this client can use, without any credential.
     *
     * @return the primary endpoints by service: {@code table}, {@code queue} and {@code blob}, each if it is known. Of a host with an
     *     underscore {@link URI#getHost} gives {@code null}, and {@link URI#getAuthority} the host
     */
    public Map<String, URI> endpoints() {
        Map<String, URI> endpoints = new TreeMap<>();
        services.account().endpoints().forEach((service, root) -> endpoints.put(service.host(), root));
        return Collections.unmodifiableMap(endpoints);
    }

    /**
     * Returns the non-blocking form of this client.
     *
     * @return the reactive face of this client
     */
    public ReactiveStowline reactive() {
        return new ReactiveStowline(this, services);
    }

    /**
     * Stops the queue consumers, closes the writers that are still open, waits for what is in flight, then closes connections and threads. May be called again.
     *
     * @throws io.stowline.table.UncollectedFailuresException if a writer that was still open had failures that no caller took
     * @throws IllegalStateException in a handler of one of its queue consumers, as far as {@link io.stowline.queue.QueueConsumer#canAwaitStop} knows it, in a
     *     {@link StowlineListener}, in other code that one of its operations calls and waits for (a filter or action of
     *     {@link io.stowline.queue.PoisonQueue}, a codec, the stream or publisher of an upload, the stream of a download, the progress listener of an
     *     upload), or on a thread that must not block; nothing is closed then
     */
    @Override
    public void close() {
        String refusal = services.closeRefusal();
        if (refusal != null) {
            throw new IllegalStateException(refusal + "; close the client in another thread");
        }
        BlockingAwait.onEvenIfInterrupted(services.close());
    }

    @Override
    public String toString() {
        return "Stowline[" + accountName() + "]";
    }

    /** A builder that collects the settings of a client. Not thread-safe. */
    public static final class Builder {

        private static final int MAX_FIXED = 1_000;

        private final AccountBuilder account = new AccountBuilder();
        private HttpSettings http = HttpSettings.DEFAULT;
        private ClientSettings client = ClientSettings.DEFAULT;
        private ScanPolicy scans = ScanPolicy.ALLOW;
        private Duration closeTimeout = Duration.ofMinutes(2);
        private @Nullable JsonSerializer messageSerializer;

        private Builder() {}

        /**
         * Sets the account. A connection string without key and signature goes with {@link #credential(TokenCredential) credential}.
         *
         * @param connectionString its connection string
         * @return this builder
         * @throws IllegalArgumentException naming the setting that is unknown or wrong; keys and signatures are never shown
         */
        public Builder connectionString(String connectionString) {
            account.connectionString(Objects.requireNonNull(connectionString, "connectionString"));
            return this;
        }

        /**
         * Sets the account by the endpoint of any one of its services; those of the others follow from it. A host that does not show its
         * service is given to {@link #tableEndpoint}, {@link #queueEndpoint} or {@link #blobEndpoint}.
         *
         * @param endpoint such as {@code https://acct.blob.core.windows.net}
         * @return this builder
         * @throws IllegalArgumentException if it is no endpoint of Azure Storage; Azure Cosmos DB is none
         */
        public Builder endpoint(String endpoint) {
            Objects.requireNonNull(endpoint, "endpoint");
            account.endpoint(endpoint);
            return this;
        }

        /**
         * Sets where the tables are, whatever else sets it: a custom or private domain, or an address with the account as its path.
         *
         * @param endpoint such as {@code https://tables.example.com} or {@code http://127.0.0.1:10002/devstoreaccount1}
         * @return this builder
         * @throws IllegalArgumentException if it is no endpoint of Azure Storage; Azure Cosmos DB is none
         */
        public Builder tableEndpoint(String endpoint) {
            Objects.requireNonNull(endpoint, "endpoint");
            account.endpoint(Service.TABLE, endpoint);
            return this;
        }

        /**
         * Sets where the queues are, whatever else sets it.
         *
         * @param endpoint such as {@code https://queues.example.com} or {@code http://127.0.0.1:10001/devstoreaccount1}
         * @return this builder
         * @throws IllegalArgumentException if it is no endpoint of Azure Storage
         */
        public Builder queueEndpoint(String endpoint) {
            Objects.requireNonNull(endpoint, "endpoint");
            account.endpoint(Service.QUEUE, endpoint);
            return this;
        }

        /**
         * Sets where the blobs are, whatever else sets it.
         *
         * @param endpoint such as {@code https://blobs.example.com} or {@code http://127.0.0.1:10000/devstoreaccount1}
         * @return this builder
         * @throws IllegalArgumentException if it is no endpoint of Azure Storage
         */
        public Builder blobEndpoint(String endpoint) {
            Objects.requireNonNull(endpoint, "endpoint");
            account.endpoint(Service.BLOB, endpoint);
            return this;
        }

        /**
         * Sets the account's name, for threads and errors, where neither its endpoints nor its credential show it.
         *
         * @param accountName the name
         * @return this builder
         * @throws IllegalArgumentException if it cannot be one
         */
        public Builder accountName(String accountName) {
            Objects.requireNonNull(accountName, "accountName");
            account.accountName(accountName);
            return this;
        }

        /**
         * Opens the account with its key. The key may be exchanged by {@code update} while the client runs: from then on the new one
         * signs, and a request that was refused because of the old one is sent once more.
         *
         * @param credential the account's name and key
         * @return this builder
         * @throws IllegalArgumentException if the key is not Base64; it is not shown
         */
        public Builder credential(AzureNamedKeyCredential credential) {
            Objects.requireNonNull(credential, "credential");
            account.credential(credential);
            return this;
        }

        /**
         * Opens the account with a shared access signature, which may be exchanged by {@code update} while the client runs.
         *
         * @param credential the signature
         * @return this builder
         * @throws IllegalArgumentException if it is no shared access signature; it is not shown
         */
        public Builder credential(AzureSasCredential credential) {
            Objects.requireNonNull(credential, "credential");
            account.credential(credential);
            return this;
        }

        /**
         * Lets a shared access signature leave in plain text, to an {@code http} endpoint that is not this machine: for an emulator in
         * another container. Any observer of the traffic can use it until it expires.
         *
         * @return this builder
         */
        public Builder allowSasOverHttp() {
            account.allowSasOverHttp();
            return this;
        }

        /**
         * Opens the account with tokens of Microsoft Entra ID, over https only. The client keeps them until shortly before they expire. It
         * calls the credential on a separate thread, so that it may block.
         *
         * @param credential gives tokens for the scope {@code https://storage.azure.com/.default}
         * @return this builder
         */
        public Builder credential(TokenCredential credential) {
            Objects.requireNonNull(credential, "credential");
            account.credential(credential);
            return this;
        }

        /**
         * Sends over this HTTP client, which is not closed. It should neither retry nor follow redirects. Such a client does not report when
         * it writes, so that every error but a failed connection counts as a lost response.
         *
         * @param httpClient the HTTP client
         * @return this builder
         */
        public Builder httpClient(HttpClient httpClient) {
            this.http = http.client(Objects.requireNonNull(httpClient, "httpClient"));
            return this;
        }

        /**
         * Sends through this proxy. The default is that of {@link #configuration}.
         *
         * @param proxy the proxy
         * @return this builder
         */
        public Builder proxy(ProxyOptions proxy) {
            this.http = http.proxy(Objects.requireNonNull(proxy, "proxy"));
            return this;
        }

        /**
         * Sets where the proxy is looked for. The default is azure-core's global configuration: the environment's {@code HTTPS_PROXY},
         * {@code HTTP_PROXY} and {@code NO_PROXY}, which never count for this machine itself, and the JVM's properties. {@link
         * Configuration#NONE} sends without a proxy.
         *
         * @param configuration the configuration
         * @return this builder
         */
        public Builder configuration(Configuration configuration) {
            this.http = http.configuration(Objects.requireNonNull(configuration, "configuration"));
            return this;
        }

        /**
         * Sets the application's name, in front of this library's own name in the {@code User-Agent} of all requests. The default is not at
         * all.
         *
         * @param applicationId 1 to 24 letters, digits and {@code . - _ /}, such as {@code myapp/1.2}
         * @return this builder
         */
        public Builder applicationId(String applicationId) {
            Objects.requireNonNull(applicationId, "applicationId");
            this.http = http.applicationId(applicationId);
            return this;
        }

        /**
         * Sets how old a connection becomes at most. A change of DNS, such as a failover, is seen by new connections only. An HTTP client
         * of the application manages the age of its connections itself.
         *
         * @param age 1 s to 365 days; the default is 10 minutes
         * @return this builder
         * @throws IllegalArgumentException if the age is out of range
         */
        public Builder connectionAge(Duration age) {
            this.http = http.connectionAge(Objects.requireNonNull(age, "age"));
            return this;
        }

        /**
         * Sets how far the clocks of the service's machines may differ. After a lost response an entity counts as another writer's only if
         * it is older than the first attempt by more than this.
         *
         * @param tolerance zero to 15 minutes; the default is 2 s
         * @return this builder
         * @throws IllegalArgumentException if the tolerance is out of range
         */
        public Builder clockTolerance(Duration tolerance) {
            this.client = client.clockTolerance(Objects.requireNonNull(tolerance, "tolerance"));
            return this;
        }

        /**
         * Sets the version of the storage services that all requests name in {@code x-ms-version}. An older one is for a cloud or an emulator
         * that does not have the default yet, such as Azure Stack Hub; a newer one for what the service does differently since. Verbs that
         * the version does not have are refused, by this library or by the service.
         *
         * @param version the date of a version from 2017-11-09 on, such as {@code 2019-07-07}; the default is {@code 2022-11-02}, the oldest
         *     one that has all verbs of this library
         * @return this builder
         * @throws IllegalArgumentException if it is no such date
         */
        public Builder serviceVersion(String version) {
            this.client = client.with(ServiceVersion.of(version));
            return this;
        }

        /**
         * Changes how operations are tried. The default: 4 retries at about 2, 6, 14 and 30 s, all within 120 s.
         *
         * @param settings changes the settings
         * @return this builder
         */
        public Builder retry(UnaryOperator<RetrySettings.Builder> settings) {
            Objects.requireNonNull(settings, "settings");
            this.client = client.with(settings.apply(client.retry().toBuilder()).build());
            return this;
        }

        /**
         * Sets how many requests may be in flight for each service, always.
         *
         * @param parallelism 1 to 1,000
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder parallelism(int parallelism) {
            if (parallelism < 1 || parallelism > MAX_FIXED) {
                throw new IllegalArgumentException("parallelism is 1 to " + MAX_FIXED + ", not " + parallelism);
            }
            return parallelism(ParallelismSettings.fixed(parallelism));
        }

        /**
         * Sets how many requests may be in flight for each service. The default adapts to what the service can take: it starts at 8 and
         * goes up to 64 as long as that helps, and down when the service throttles or slows down.
         *
         * @param parallelism how many
         * @return this builder
         */
        public Builder parallelism(ParallelismSettings parallelism) {
            this.client = client.with(client.bounds().with(Objects.requireNonNull(parallelism, "parallelism")));
            return this;
        }

        /**
         * Sets the bounds of the cache behind {@link Table#cached} and {@link BlobContainer#cached}: the bytes in memory, 64 MiB unless
         * set, and the folder and size of a tier on disk for large blobs, none unless set. The cache is made by {@link #build}, and closed
         * with the client. Without this one with the defaults is made by the first such read.
         *
         * @param settings changes the default settings of the cache
         * @return this builder
         */
        public Builder cache(UnaryOperator<ResponseCache.Builder> settings) {
            this.client = client.caching(Objects.requireNonNull(settings, "settings"));
            return this;
        }

        /**
         * Sets what retries may cost each service of the account, so that a failing one is not buried under them. On by default; a direct
         * call that meets an empty quota fails, a writer waits.
         *
         * @param quota the quota
         * @return this builder
         */
        public Builder retryQuota(QuotaSettings quota) {
            this.client = client.with(client.bounds().with(Objects.requireNonNull(quota, "quota")));
            return this;
        }

        /**
         * Keeps the rates of requests below these targets by waiting. Off by default.
         *
         * @param targets the rates, such as {@link ScalabilityTargets#everywhere}
         * @return this builder
         */
        public Builder rateTargets(ScalabilityTargets targets) {
            this.client = client.with(client.bounds().with(Objects.requireNonNull(targets, "targets")));
            return this;
        }

        /**
         * Keeps the rates of requests below targets by waiting, such as {@code rateTargets(t -> t.rampOver(Duration.ofMinutes(5)))}.
         *
         * @param settings changes the targets of {@link ScalabilityTargets#everywhere}
         * @return this builder
         */
        public Builder rateTargets(UnaryOperator<ScalabilityTargets.Builder> settings) {
            Objects.requireNonNull(settings, "settings");
            return rateTargets(
                    settings.apply(ScalabilityTargets.everywhere().toBuilder()).build());
        }

        /**
         * Puts a circuit breaker of Resilience4j before each service of the account, named {@code <account>-table}, {@code
         * <account>-queue} and {@code <account>-blob}. Off by default. A justified refusal of the service, such as a
         * conflict, counts as success; throttling, faults and lost responses count as failures. Needs {@code
         * resilience4j-circuitbreaker}.
         *
         * @param breakers the breakers, such as {@code CircuitBreakers.of(registry)}
         * @return this builder
         */
        public Builder circuitBreakers(CircuitBreakers breakers) {
            Objects.requireNonNull(breakers, "breakers");
            this.client = client.with(client.bounds().with(breakers.byName()));
            return this;
        }

        /**
         * Sets the policy for queries that make the service scan a whole table; a view may override it.
         *
         * @param policy what becomes of them; the default is {@link ScanPolicy#ALLOW}
         * @return this builder
         */
        public Builder scans(ScanPolicy policy) {
            this.scans = Objects.requireNonNull(policy, "policy");
            return this;
        }

        /**
         * Sets the listener to operations and to the client's state. The default is no listener.
         *
         * @param listener the listener
         * @return this builder
         */
        public Builder listener(StowlineListener listener) {
            this.client = client.with(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * Sets where safe reads go whose results name where they came from; a view may override it.
         *
         * @param source where they go; the default is {@link ReadFrom#PRIMARY}
         * @return this builder
         */
        public Builder readFrom(ReadFrom source) {
            this.client = client.with(Objects.requireNonNull(source, "source"));
            return this;
        }

        /**
         * Sets how long {@link Stowline#close} waits for operations in flight.
         *
         * @param closeTimeout 1 ms to 24 hours; the default is 2 minutes
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder closeTimeout(Duration closeTimeout) {
            this.closeTimeout = ClientServices.checked(closeTimeout);
            return this;
        }

        /**
         * Sets where the user's code runs: callbacks and the results of the reactive faces. The default is a few daemon threads of the
         * client. An executor that is given is not closed. One that runs tasks in its caller ({@code Runnable::run}) has user code run on
         * I/O threads: it must not block there, and blocking verbs refuse to.
         *
         * @param callbacks the executor
         * @return this builder
         */
        public Builder callbacks(Executor callbacks) {
            this.client = client.with(Objects.requireNonNull(callbacks, "callbacks"));
            return this;
        }

        /**
         * Sets how bodies of messages are mapped to JSON: those of queues with a type, in envelopes and outboxes, too. The default is the
         * library's mapping, see {@link io.stowline.queue.MessageCodec#json(Class)}; a queue may override it by its codec.
         *
         * @param serializer the serializer, which has to be thread-safe
         * @return this builder
         */
        public Builder messageSerializer(JsonSerializer serializer) {
            this.messageSerializer = Objects.requireNonNull(serializer, "serializer");
            return this;
        }

        /**
         * Makes the client.
         *
         * @return the client
         * @throws IllegalArgumentException naming the setting that is missing or does not fit the others. There is no default account: an
         *     emulator must be configured explicitly
         */
        public Stowline build() {
            http.checked();
            return new Stowline(
                    new ClientServices(account.account(), client.with(http), scans, closeTimeout, messageSerializer));
        }
    }
}

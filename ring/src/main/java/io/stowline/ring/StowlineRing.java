package io.stowline.ring;

import io.stowline.Stowline;
import io.stowline.observe.ServiceState;
import io.stowline.observe.StowlineListener;
import io.stowline.ring.RingAccount.Membership;
import io.stowline.ring.internal.blob.BlobMover;
import io.stowline.ring.internal.blob.BlobRoutes;
import io.stowline.ring.internal.blob.ContainerBlobStore;
import io.stowline.ring.internal.blob.DefaultRingContainer;
import io.stowline.ring.internal.blob.RoutedContainer;
import io.stowline.ring.internal.move.ContainerMover;
import io.stowline.ring.internal.move.RingChange;
import io.stowline.ring.internal.place.AccountServices;
import io.stowline.ring.internal.place.RingMember;
import io.stowline.ring.internal.place.RingMembers;
import io.stowline.ring.internal.place.RoutedTable;
import io.stowline.ring.internal.queue.DefaultRingQueue;
import io.stowline.ring.internal.table.DefaultRingTable;
import io.stowline.table.Entity;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Several storage accounts as one. Make one, share it, close it.
 *
 * <pre>{@code
 * try (StowlineRing ring = StowlineRing.of(r -> r.account("eu1", connectionString).account("eu2", otherConnectionString))) {
 *     System.out.println(ring.accountOf("customer-17"));
 * }
 * }</pre>
 *
 * <p><b>Placement</b>: a placement is a text, such as the partition key of an entity or the name of a blob. Its account is chosen by weighted
 * rendezvous hashing among the accounts of a region: each gets the share of its weight. All processes whose rings have the same accounts
 * agree on it, whatever the order of the accounts. An account that is added takes its share from all others, and no placement moves
 * between those.
 *
 * <p><b>Regions</b> are an outer choice: {@link #inRegion} returns a view whose placements are on the accounts of that region.
 *
 * <p>Each account has a separate client, with its own connections, limits and circuit breakers: an account that fails or throttles does
 * not hold up the others.
 *
 * <p>Thread-safe.
 */
public final class StowlineRing implements AutoCloseable {

    /** The region of accounts and views that name none, in a ring that names none. */
    public static final String DEFAULT_REGION = "default";

    /** The longest time after which a process compares its ring with the description in the accounts. */
    private static final Duration LONGEST_CHECK = Duration.ofSeconds(30);

    private final RingMembers members;
    private final String region;
    private final List<Stowline> made;
    private final RingChange change;

    private StowlineRing(RingMembers members, String region, List<Stowline> made, RingChange change) {
        this.members = members;
        this.region = region;
        this.made = made;
        this.change = change;
    }

    /**
     * Makes a ring.
     *
     * @param settings sets the accounts
     * @return the ring
     * @throws IllegalArgumentException if there is no account, two have one name or one endpoint, or the home region has none; naming the
     *     setting of a client that is missing or wrong, without keys and signatures
     */
    public static StowlineRing of(UnaryOperator<Builder> settings) {
        Objects.requireNonNull(settings, "settings");
        return settings.apply(new Builder()).build();
    }

    /**
     * Returns the same ring with the placements of another region.
     *
     * @param region the region's name
     * @return a view of this ring; closing either closes both
     * @throws IllegalArgumentException if no account is in this region
     */
    public StowlineRing inRegion(String region) {
        RingAccount.checkedName("region", region);
        checkRegion(members, region);
        return new StowlineRing(members, region, made, change);
    }

    private static void checkRegion(RingMembers members, String region) {
        if (!members.regions().contains(region)) {
            throw new IllegalArgumentException(
                    "region " + region + " has no account in this ring; the regions are " + members.regions());
        }
    }

    /**
     * Returns the region of this view.
     *
     * @return its name
     */
    public String region() {
        return region;
    }

    /**
     * Returns the account of a placement, after the change if an account joins or leaves.
     *
     * @param placement any text
     * @return the name of the account in the ring
     */
    public String accountOf(String placement) {
        return members.after(region, Objects.requireNonNull(placement, "placement"))
                .name();
    }

    /**
     * Returns the accounts of all regions.
     *
     * @return the accounts, in the order in which they were added; unmodifiable
     */
    public List<RingAccount> accounts() {
        return members.all().stream().map(RingMember::account).toList();
    }

    /**
     * Returns the client of an account: for what the ring does not offer. If the ring has made it, it is closed with the ring.
     *
     * @param account the name of the account in the ring
     * @return its client
     * @throws IllegalArgumentException if the ring has no such account
     */
    public Stowline client(String account) {
        RingMember member = members.named(RingAccount.checkedName("account", account));
        if (member == null) {
            throw new IllegalArgumentException("the ring has no account " + account + "; its accounts are "
                    + members.all().stream().map(RingMember::name).toList());
        }
        return member.client();
    }

    /**
     * Returns a table whose partitions are placed by their keys.
     *
     * @param name the table's name, the same in all accounts
     * @param type a record with {@code @PartitionKey} and {@code @RowKey}, a sealed interface of such records, or {@link Entity}
     * @param <T> the Java type
     * @return the table, which need not exist yet; keep it, since each call maps the type again
     * @throws IllegalArgumentException if the name is not allowed
     * @throws io.stowline.projection.UnmappableTypeException if the type cannot be mapped
     */
    public <T> RingTable<T> table(String name, Class<T> type) {
        return table(name, type, UnaryOperator.identity());
    }

    /**
     * Returns a table whose partitions are placed by a function of their keys, such as the tenant that a key begins with: partitions of one
     * placement are in one account.
     *
     * <pre>{@code
     * RingTable<Entity> orders = ring.table("orders", Entity.class, key -> key.substring(0, key.indexOf('|')));
     * }</pre>
     *
     * @param name the table's name, the same in all accounts
     * @param type a record with {@code @PartitionKey} and {@code @RowKey}, a sealed interface of such records, or {@link Entity}
     * @param placement gives the placement of a partition key. All processes need the same function, for ever: a changed one does not find
     *     what the old one has placed
     * @param <T> the Java type
     * @return the table, which need not exist yet; keep it, since each call maps the type again
     * @throws IllegalArgumentException if the name is not allowed
     * @throws io.stowline.projection.UnmappableTypeException if the type cannot be mapped
     */
    public <T> RingTable<T> table(String name, Class<T> type, UnaryOperator<String> placement) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(placement, "placement");
        RoutedTable<T> table = new RoutedTable<>(name, type, members, region, placement);
        return new DefaultRingTable<>(table, change::routes, type);
    }

    /**
     * Returns a queue whose messages are placed by a text that is given with each.
     *
     * @param name the queue's name, the same in all accounts
     * @param type the type of the bodies: as JSON, but for {@code String} and {@code byte[]}, which are sent as they are
     * @param <T> that type
     * @return the queue, which need not exist yet
     * @throws IllegalArgumentException if the name is not allowed, or an account has no queue endpoint
     */
    public <T> RingQueue<T> queue(String name, Class<T> type) {
        return DefaultRingQueue.of(
                members, region, Objects.requireNonNull(name, "name"), Objects.requireNonNull(type, "type"));
    }

    /**
     * Returns a container whose blobs are placed by their names.
     *
     * @param name the container's name, the same in all accounts
     * @return the container, which need not exist yet
     * @throws IllegalArgumentException if the name is not allowed, or an account has no blob endpoint
     */
    public RingContainer container(String name) {
        return container(name, UnaryOperator.identity());
    }

    /**
     * Returns a container whose blobs are placed by a function of their names, such as the folder that a name begins with: blobs of one
     * placement are in one account.
     *
     * @param name the container's name, the same in all accounts
     * @param placement gives the placement of a blob's name. All processes need the same function, for ever: a changed one does not find
     *     what the old one has placed
     * @return the container, which need not exist yet
     * @throws IllegalArgumentException if the name is not allowed, or an account has no blob endpoint
     */
    public RingContainer container(String name, UnaryOperator<String> placement) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(placement, "placement");
        RoutedContainer container = new RoutedContainer(name, members, region, placement);
        return new DefaultRingContainer(container, new BlobRoutes(container, change.check(), change.pause()));
    }

    /**
     * Returns the load of the accounts of all regions. Meters have it for each account by the tag {@code account}.
     *
     * @return the figures at present, of the accounts that have been used and whose clients the ring has made
     */
    public RingStats stats() {
        Map<String, RingStats.AccountLoad> loads = new LinkedHashMap<>();
        for (RingMember member : members.all()) {
            List<ServiceState> states = member.services().states();
            if (!states.isEmpty()) {
                loads.put(member.name(), RingStats.AccountLoad.of(states));
            }
        }
        return new RingStats(loads);
    }

    /**
     * Begins the move of the partitions and blobs that an account gets when it joins, or loses when it leaves.
     *
     * @return a move without tables and containers; making it costs nothing
     * @throws IllegalStateException if no account of this ring joins or leaves
     */
    public RingMove move() {
        return change.move(this::movers);
    }

    private List<ContainerMover> movers(String name, UnaryOperator<String> placement) {
        return members.regions().stream()
                .<ContainerMover>map(any ->
                        new BlobMover(new ContainerBlobStore(new RoutedContainer(name, members, any, placement))))
                .toList();
    }

    /**
     * Stops the consumers and closes the writers that are still open, then the clients that the ring has made. A failure does not keep the
     * others open. May be called again.
     *
     * @throws io.stowline.table.UncollectedFailuresException if a writer that was still open had failures that no caller took
     * @throws IllegalStateException where {@link RingConsumer#canAwaitStop} is {@code false}; nothing is closed then
     */
    @Override
    public void close() {
        throwFirst(closeAll(made, members.work().close()));
    }

    private static List<RuntimeException> closeAll(Collection<Stowline> open, List<RuntimeException> before) {
        List<RuntimeException> failures = new ArrayList<>(before);
        for (Stowline client : open) {
            try {
                client.close();
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        return failures;
    }

    private static void throwFirst(List<RuntimeException> failures) {
        if (!failures.isEmpty()) {
            RuntimeException first = failures.get(0);
            failures.stream().skip(1).filter(other -> other != first).forEach(first::addSuppressed);
            throw first;
        }
    }

    @Override
    public String toString() {
        return "StowlineRing" + accounts();
    }

    /** The builder that collects the accounts of a ring. Not thread-safe. */
    public static final class Builder {

        private final Map<String, Entry> entries = new LinkedHashMap<>();
        private final List<Stowline> made = new ArrayList<>();
        private String region = DEFAULT_REGION;
        private Duration checkEvery = LONGEST_CHECK;
        private UnaryOperator<Stowline.Builder> clients = UnaryOperator.identity();
        private final List<StowlineListener> listeners = new ArrayList<>();

        private record Entry(
                Membership membership,
                Function<AccountServices, Stowline> client,
                UnaryOperator<RingAccount.Builder> account) {}

        private Builder() {}

        /**
         * Adds an account of weight 1 in the home region.
         *
         * @param name its name in the ring, which decides on its placements: 1 to 63 letters, digits and {@code . - _}
         * @param connectionString its connection string
         * @return this builder
         * @throws IllegalArgumentException if the name is not allowed or there twice
         */
        public Builder account(String name, String connectionString) {
            return add(name, Membership.STAYING, connected(connectionString), UnaryOperator.identity());
        }

        /**
         * Adds an account.
         *
         * @param name its name in the ring, which decides on its placements: 1 to 63 letters, digits and {@code . - _}
         * @param client sets the account's endpoints and credential, and other settings of its client
         * @param account sets its weight and region
         * @return this builder
         * @throws IllegalArgumentException if the name is not allowed or there twice
         */
        public Builder account(
                String name, UnaryOperator<Stowline.Builder> client, UnaryOperator<RingAccount.Builder> account) {
            return add(name, Membership.STAYING, made(client), account);
        }

        /**
         * Adds an account with a client that the application has, and which the ring does not close.
         *
         * @param name its name in the ring
         * @param client its client, to which {@link #clients} does not apply
         * @param account sets its weight and region
         * @return this builder
         * @throws IllegalArgumentException if the name is not allowed or there twice
         */
        public Builder account(String name, Stowline client, UnaryOperator<RingAccount.Builder> account) {
            Objects.requireNonNull(client, "client");
            return add(name, Membership.STAYING, services -> client, account);
        }

        /**
         * Adds an account of weight 1 in the home region that joins the ring: its share of the data is still in the other accounts.
         *
         * @param name its name in the ring
         * @param connectionString its connection string
         * @return this builder
         * @throws IllegalArgumentException if the name is not allowed or there twice
         */
        public Builder joining(String name, String connectionString) {
            return add(name, Membership.JOINING, connected(connectionString), UnaryOperator.identity());
        }

        /**
         * Adds an account that joins the ring: its share of the data is still in the other accounts.
         *
         * @param name its name in the ring
         * @param client sets the account's endpoints and credential, and other settings of its client
         * @param account sets its weight and region
         * @return this builder
         * @throws IllegalArgumentException if the name is not allowed or there twice
         */
        public Builder joining(
                String name, UnaryOperator<Stowline.Builder> client, UnaryOperator<RingAccount.Builder> account) {
            return add(name, Membership.JOINING, made(client), account);
        }

        /**
         * Adds an account that joins the ring, with a client that the application has, and which the ring does not close.
         *
         * @param name its name in the ring
         * @param client its client, to which {@link #clients} does not apply
         * @param account sets its weight and region
         * @return this builder
         * @throws IllegalArgumentException if the name is not allowed or there twice
         */
        public Builder joining(String name, Stowline client, UnaryOperator<RingAccount.Builder> account) {
            Objects.requireNonNull(client, "client");
            return add(name, Membership.JOINING, services -> client, account);
        }

        /**
         * Adds an account of weight 1 in the home region that leaves the ring: its data is still there.
         *
         * @param name its name in the ring
         * @param connectionString its connection string
         * @return this builder
         * @throws IllegalArgumentException if the name is not allowed or there twice
         */
        public Builder leaving(String name, String connectionString) {
            return add(name, Membership.LEAVING, connected(connectionString), UnaryOperator.identity());
        }

        /**
         * Adds an account that leaves the ring: its data is still there.
         *
         * @param name its name in the ring
         * @param client sets the account's endpoints and credential, and other settings of its client
         * @param account sets its weight and region
         * @return this builder
         * @throws IllegalArgumentException if the name is not allowed or there twice
         */
        public Builder leaving(
                String name, UnaryOperator<Stowline.Builder> client, UnaryOperator<RingAccount.Builder> account) {
            return add(name, Membership.LEAVING, made(client), account);
        }

        /**
         * Adds an account that leaves the ring, with a client that the application has, and which the ring does not close.
         *
         * @param name its name in the ring
         * @param client its client, to which {@link #clients} does not apply
         * @param account sets its weight and region
         * @return this builder
         * @throws IllegalArgumentException if the name is not allowed or there twice
         */
        public Builder leaving(String name, Stowline client, UnaryOperator<RingAccount.Builder> account) {
            Objects.requireNonNull(client, "client");
            return add(name, Membership.LEAVING, services -> client, account);
        }

        /**
         * Sets the home region: that of accounts that name none, and of the ring without {@link StowlineRing#inRegion}.
         *
         * @param region its name; the default is {@link StowlineRing#DEFAULT_REGION}
         * @return this builder
         * @throws IllegalArgumentException if the name is not allowed
         */
        public Builder region(String region) {
            this.region = RingAccount.checkedName("region", region);
            return this;
        }

        /**
         * Sets what the clients of all accounts have in common, such as retries and limits. It is applied before the settings of an
         * account.
         *
         * @param settings changes the settings of each client
         * @return this builder
         */
        public Builder clients(UnaryOperator<Stowline.Builder> settings) {
            this.clients = Objects.requireNonNull(settings, "settings");
            return this;
        }

        /**
         * Adds a listener to the clients that the ring makes. One that the settings of a client set takes the place of these, and {@link
         * StowlineRing#stats} leaves that account out.
         *
         * @param listener the listener
         * @return this builder
         */
        public Builder listener(StowlineListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * Sets how long this process uses an account before it compares its ring with the one that the account describes, in a table
         * {@code stowlinering}. A process with other accounts, weights or regions is refused. Queues are not guarded, nor containers in an account without a table endpoint.
         *
         * @param time more than 0 and at most 30 s, which is the default; all processes and the move have the same
         * @return this builder
         */
        public Builder checkEvery(Duration time) {
            if (time.isNegative() || time.isZero() || time.compareTo(LONGEST_CHECK) > 0) {
                throw new IllegalArgumentException(
                        "checkEvery is more than 0 and at most " + LONGEST_CHECK + ", not " + time);
            }
            this.checkEvery = time;
            return this;
        }

        private Function<AccountServices, Stowline> connected(String connectionString) {
            Objects.requireNonNull(connectionString, "connectionString");
            return made(client -> client.connectionString(connectionString));
        }

        private Function<AccountServices, Stowline> made(UnaryOperator<Stowline.Builder> settings) {
            Objects.requireNonNull(settings, "client");
            return services -> {
                List<StowlineListener> all = new ArrayList<>(listeners);
                all.add(services);
                Stowline.Builder client =
                        Stowline.builder().listener(StowlineListener.all(all.toArray(StowlineListener[]::new)));
                Stowline built = settings.apply(clients.apply(client)).build();
                made.add(built);
                return built;
            };
        }

        private Builder add(
                String name,
                Membership membership,
                Function<AccountServices, Stowline> client,
                UnaryOperator<RingAccount.Builder> account) {
            RingAccount.checkedName("account", name);
            Objects.requireNonNull(account, "account");
            if (entries.putIfAbsent(name, new Entry(membership, client, account)) != null) {
                throw new IllegalArgumentException("the ring has two accounts of the name " + name);
            }
            return this;
        }

        private StowlineRing build() {
            if (entries.isEmpty()) {
                throw new IllegalArgumentException("a ring needs at least one account");
            }
            List<RingMember> all = new ArrayList<>();
            try {
                entries.forEach((name, entry) -> all.add(member(name, entry)));
                checkEndpoints(all);
                RingMembers members = new RingMembers(all);
                checkRegion(members, region);
                return new StowlineRing(members, region, List.copyOf(made), new RingChange(members, checkEvery));
            } catch (RuntimeException e) {
                closeAll(made, List.of()).forEach(e::addSuppressed);
                throw e;
            }
        }

        private RingMember member(String name, Entry entry) {
            RingAccount account =
                    entry.account().apply(new RingAccount.Builder(region)).build(name, entry.membership());
            AccountServices services = new AccountServices();
            return new RingMember(account, entry.client().apply(services), services);
        }

        private static void checkEndpoints(List<RingMember> members) {
            Map<URI, String> names = new HashMap<>();
            for (RingMember member : members) {
                for (URI endpoint : member.client().endpoints().values()) {
                    String other = names.putIfAbsent(endpoint, member.name());
                    if (other != null) {
                        throw new IllegalArgumentException("accounts " + other + " and " + member.name()
                                + " have one endpoint, " + endpoint + ": each account of a ring is a storage account");
                    }
                }
            }
        }
    }
}

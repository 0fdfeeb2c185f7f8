package io.stowline.advisor.internal.evidence;

import io.stowline.advisor.AdviceReport.Slice;
import io.stowline.advisor.AdviceReport.Totals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The evidence of a window at one time, which rules judge. Immutable. */
public final class Snapshot {

    private static final double MIN_SECONDS = 1;

    private final EvidencePart sum;
    private final List<PartTraffic> parts;
    private final ClientFacts clients;
    private final List<ContainerTraffic> containers;
    private final List<QueryTraffic> queries;
    private final List<Hitter> accounts;
    private final List<Hitter> partitions;
    private final List<Hitter> sharedWrites;
    private final List<Hitter> blobs;
    private final long startMillis;
    private final long endMillis;
    private final boolean whole;
    private final double minSeconds;
    private final long missed;
    private final long shippedBytes;

    /** The counters of one part, and the time that it covers. */
    private record PartTraffic(long startMillis, double seconds, boolean rated, CounterTable<Tally> tallies) {

        double perSecond(Tally tally) {
            return tallies.get(0, tally) / seconds;
        }

        Slice slice() {
            return new Slice(
                    Instant.ofEpochMilli(startMillis),
                    tallies.get(0, Tally.ATTEMPTS),
                    tallies.get(0, Tally.FAILURES),
                    tallies.get(0, Tally.THROTTLED),
                    tallies.get(0, Tally.ENTITIES),
                    tallies.get(0, Tally.MESSAGES),
                    tallies.get(0, Tally.BYTES_SENT) + tallies.get(0, Tally.BYTES_RECEIVED));
        }
    }

    /** The sum of one key over the parts. */
    private static final class HitterSum {

        private final int container;
        private long weight;
        private long attempts;
        private long throttled;
        private long beside;
        private double peak;
        private double bytesPeak;

        HitterSum(int container) {
            this.container = container;
        }

        void add(HeavyHitters sketch, int counter, double seconds) {
            weight += sketch.least(counter);
            attempts += sketch.attempts(counter);
            throttled += sketch.throttled(counter);
            beside += sketch.beside(counter);
            peak = Math.max(peak, sketch.least(counter) / seconds);
            bytesPeak = Math.max(bytesPeak, sketch.beside(counter) / seconds);
        }

        Hitter named(String name) {
            return new Hitter(name, container, weight, attempts, throttled, peak, beside, bytesPeak);
        }
    }

    private Snapshot(
            List<EvidencePart> window,
            TrafficRecorder traffic,
            ClientFacts clients,
            long startMillis,
            long endMillis,
            long partMillis,
            long missed) {
        this.sum = new EvidencePart();
        this.clients = clients;
        this.startMillis = startMillis;
        this.endMillis = endMillis;
        this.missed = missed;
        this.shippedBytes = traffic.shippedBytes();
        this.minSeconds = Math.max(MIN_SECONDS, partMillis / 1_000.0);
        this.whole = endMillis - startMillis >= (EvidenceStore.PARTS - 1) * partMillis;
        List<PartTraffic> all = new ArrayList<>();
        Map<EvidencePart, Double> seconds = new HashMap<>();
        for (EvidencePart part : window) {
            sum.addAll(part);
            long start = Math.max(part.startMillis(), startMillis);
            double covered =
                    (Math.min(endMillis, part.startMillis() / partMillis * partMillis + partMillis) - start) / 1_000.0;
            boolean rated = covered * 1_000 >= partMillis / 3.0 || window.size() == 1;
            // A burst in a part that has just begun is spread over a whole one: the window may have no other part.
            double counted = Math.max(rated && window.size() > 1 ? MIN_SECONDS : minSeconds, covered);
            all.add(new PartTraffic(start, counted, rated, part.tallies.copy()));
            seconds.put(part, counted);
        }
        this.parts = List.copyOf(all);
        this.accounts = hitters(window, seconds, part -> part.accounts, traffic.accounts());
        this.partitions = hitters(window, seconds, part -> part.partitions, traffic.keys());
        this.sharedWrites = hitters(window, seconds, part -> part.sharedWrites, traffic.keys());
        this.blobs = hitters(window, seconds, part -> part.blobs, traffic.keys());
        this.containers = containers(window, seconds, traffic.containers());
        this.queries = queries(traffic.shapes());
    }

    static Snapshot of(
            List<EvidencePart> window,
            TrafficRecorder traffic,
            ClientFacts clients,
            long startMillis,
            long endMillis,
            long partMillis,
            long missed) {
        return new Snapshot(window, traffic, clients, startMillis, endMillis, partMillis, missed);
    }

    private static List<Hitter> hitters(
            List<EvidencePart> window,
            Map<EvidencePart, Double> seconds,
            Function<EvidencePart, HeavyHitters> sketches,
            KeyTexts names) {
        Map<Long, HitterSum> sums = new HashMap<>();
        for (EvidencePart part : window) {
            HeavyHitters sketch = sketches.apply(part);
            double covered = seconds.getOrDefault(part, Double.POSITIVE_INFINITY);
            for (int i = 0; i < sketch.size(); i++) {
                int owner = sketch.owner(i);
                sums.computeIfAbsent(sketch.key(i), key -> new HitterSum(owner)).add(sketch, i, covered);
            }
        }
        return sums.entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<Long, HitterSum> entry) -> -entry.getValue().weight)
                        .thenComparing(Map.Entry::getKey))
                .limit(10)
                .map(entry -> entry.getValue().named(names.text(entry.getKey())))
                .toList();
    }

    private List<ContainerTraffic> containers(
            List<EvidencePart> window, Map<EvidencePart, Double> seconds, Containers known) {
        List<ContainerTraffic> all = new ArrayList<>();
        for (int place = 0; place < Containers.PLACES; place++) {
            Map<ContainerTally, Long> counts = new EnumMap<>(ContainerTally.class);
            for (ContainerTally tally : ContainerTally.values()) {
                counts.put(tally, sum.containers.get(place, tally));
            }
            if (counts.getOrDefault(ContainerTally.ATTEMPTS, 0L) > 0) {
                int row = place;
                double peak = window.stream()
                        .mapToDouble(part -> part.containers.get(row, ContainerTally.UNITS)
                                / seconds.getOrDefault(part, Double.POSITIVE_INFINITY))
                        .max()
                        .orElse(0);
                all.add(new ContainerTraffic(
                        place, known.service(place), known.name(place), counts, sum.keyLengths(place), peak));
            }
        }
        return List.copyOf(all);
    }

    private List<QueryTraffic> queries(QueryShapes known) {
        List<QueryTraffic> all = new ArrayList<>();
        for (int place = 0; place < QueryShapes.PLACES; place++) {
            Map<ShapeTally, Long> counts = new EnumMap<>(ShapeTally.class);
            for (ShapeTally tally : ShapeTally.values()) {
                counts.put(tally, sum.shapes.get(place, tally));
            }
            if (counts.getOrDefault(ShapeTally.PAGES, 0L) > 0) {
                all.add(new QueryTraffic(known.text(place), known.queryClass(place), counts));
            }
        }
        all.sort(Comparator.comparingLong((QueryTraffic query) -> -query.count(ShapeTally.SCANNED)));
        return List.copyOf(all);
    }

    /** Returns the time that rates are counted by: a burst at the start is spread over a part of the window. */
    public double seconds() {
        return Math.max(minSeconds, (endMillis - startMillis) / 1_000.0);
    }

    /** Returns the time that the evidence covers. */
    public Duration covered() {
        return Duration.ofMillis(endMillis - startMillis);
    }

    /** Returns the end of the window. */
    public Instant end() {
        return Instant.ofEpochMilli(endMillis);
    }

    /** Returns a counter. */
    public long count(Tally tally) {
        return sum.get(tally);
    }

    /** Returns a counter by the time of the window. */
    public double perSecond(Tally tally) {
        return count(tally) / seconds();
    }

    /** Returns the share of a counter in another one, in the given parts: 100 for percent. */
    public double share(Tally tally, Tally of, double whole) {
        return count(of) == 0 ? 0 : whole * count(tally) / count(of);
    }

    /** Returns the rate of two counters in the quietest part, or 0 before a window has passed. */
    public double sustained(Tally one, Tally other) {
        ToDoubleFunction<PartTraffic> rate = part -> part.perSecond(one) + part.perSecond(other);
        return whole
                ? parts.stream()
                        .filter(PartTraffic::rated)
                        .mapToDouble(rate)
                        .min()
                        .orElse(0)
                : 0;
    }

    /** Returns the accounts with the most traffic. */
    public List<Hitter> accounts() {
        return accounts;
    }

    /** Returns the partitions of tables with the most entities. */
    public List<Hitter> partitions() {
        return partitions;
    }

    /** Returns the partitions whose single writes within a second of one another take the most time. */
    public List<Hitter> sharedWrites() {
        return sharedWrites;
    }

    /** Returns the blobs with the most requests. */
    public List<Hitter> blobs() {
        return blobs;
    }

    /** Returns the tables, queues or containers of a service. */
    public List<ContainerTraffic> containers(String service) {
        return containers.stream().filter(one -> one.service().equals(service)).toList();
    }

    /** Returns the name of the container of a hitter. */
    public String container(Hitter hitter) {
        return container(hitter.container());
    }

    /** Returns the name of the container with a number. */
    public String container(int number) {
        return containers.stream()
                .filter(one -> one.number() == number)
                .map(ContainerTraffic::name)
                .findFirst()
                .orElse("");
    }

    /** Returns the queries, those that scan most first. */
    public List<QueryTraffic> queries() {
        return queries;
    }

    /** Returns the facts of the clients. */
    public ClientFacts clients() {
        return clients;
    }

    /** Returns the time of small reads on open connections, in nanoseconds. */
    public long roundTrip(double quantile) {
        return sum.roundTrips.quantile(quantile);
    }

    /** Returns how many small reads there were. */
    public long roundTrips() {
        return sum.roundTrips.total();
    }

    /** Returns the time of writes of one entity, in nanoseconds. */
    public long singleWrite(double quantile) {
        return sum.singleWrites.quantile(quantile);
    }

    /** Returns the time of opening a connection, in nanoseconds. */
    public long connect(double quantile) {
        return sum.connects.quantile(quantile);
    }

    /** Returns how many connections were opened. */
    public long connects() {
        return sum.connects.total();
    }

    /** Returns how many attempts passed the wait for a permit, without those of transactions. */
    public long permits() {
        return sum.permits.total();
    }

    /** Returns the wait for a permit, in nanoseconds. */
    public long permit(double quantile) {
        return sum.permits.quantile(quantile);
    }

    /** Returns the bytes of a message on the wire. */
    public long message(double quantile) {
        return sum.messages.quantile(quantile);
    }

    /** Returns the bytes of the largest entity. */
    public long largestEntity() {
        return sum.largestEntity();
    }

    /** Returns the bytes of the largest body of a blob request. */
    public long largestBlobBody() {
        return sum.largestBlobBody();
    }

    /** Returns the bytes of blobs since the start, both ways. */
    public long shippedBytes() {
        return shippedBytes;
    }

    /** Returns the traffic of the window. */
    public Totals totals() {
        long open = Stream.of("table", "queue", "blob")
                .mapToLong(service -> clients.services().stream()
                        .filter(one -> one.service().equals(service))
                        .count())
                .max()
                .orElse(0);
        return new Totals(
                (int) open,
                count(Tally.ATTEMPTS),
                count(Tally.FAILURES),
                count(Tally.THROTTLED),
                count(Tally.BYTES_SENT),
                count(Tally.BYTES_RECEIVED),
                missed);
    }

    /** Returns the traffic of each part, the oldest first. */
    public List<Slice> timeline() {
        return parts.stream().map(PartTraffic::slice).toList();
    }
}

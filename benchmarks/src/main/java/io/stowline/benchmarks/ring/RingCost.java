package io.stowline.benchmarks.ring;

import io.stowline.Stowline;
import io.stowline.benchmarks.side.Meter;
import io.stowline.benchmarks.side.StubProcess;
import io.stowline.benchmarks.side.report.Figures;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Order;
import io.stowline.benchmarks.side.work.Orders;
import io.stowline.benchmarks.side.work.Task;
import io.stowline.outcome.WriteOutcome;
import io.stowline.ring.RingTable;
import io.stowline.ring.StowlineRing;
import io.stowline.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.function.ToDoubleFunction;

/**
 * A program that prints processor time and allocated bytes of a point read and an insert by a table of a ring over two accounts, beside those
 * by a table of one account, in alternation. It also prints the time in which a ring of five accounts finds the account of a placement.
 */
public final class RingCost {

    private static final int ROUNDS = 15;
    private static final int WARM_UPS = 8;
    private static final int SIZE = 40_000;
    private static final int ENTITIES = 16 * 64;
    private static final int PLACEMENTS = 2_000_000;

    private RingCost() {}

    /**
     * Measures.
     *
     * @param args none
     * @throws Exception if a server does not start
     */
    public static void main(String[] args) throws Exception {
        try (StubProcess first = StubProcess.start(0, 0);
                StubProcess second = StubProcess.start(0, 0);
                Stowline client = client(Stowline.builder(), first.account()).build();
                StowlineRing ring = StowlineRing.of(r -> r.account("a", c -> client(c, first.account()), a -> a)
                        .account("b", c -> client(c, second.account()), a -> a))) {
            Table<Order> read = client.table(Account.READ, Order.class);
            Table<TenantRow> written = client.table(Account.WRITTEN, TenantRow.class);
            RingTable<Order> ringRead = ring.table(Account.READ, Order.class);
            RingTable<TenantRow> ringWritten = ring.table(Account.WRITTEN, TenantRow.class);
            print(List.of(
                    verb(
                            "find, Table",
                            n -> check(read.find(Orders.partition(n), Orders.row(n % ENTITIES))
                                    .isPresent())),
                    verb(
                            "find, RingTable",
                            n -> check(ringRead.find(Orders.partition(n), Orders.row(n % ENTITIES))
                                    .isPresent())),
                    verb(
                            "insert, Table",
                            n -> check(written.insert(TenantRow.of(n, 1)).outcome() == WriteOutcome.CONFIRMED)),
                    verb(
                            "insert, RingTable",
                            n -> check(ringWritten.insert(TenantRow.of(n, 1)).outcome() == WriteOutcome.CONFIRMED))));
        }
        placements();
    }

    private static Stowline.Builder client(Stowline.Builder builder, Account account) {
        return builder.tableEndpoint(account.endpoint())
                .accountName(account.name())
                .credential(account.credential());
    }

    private static void check(boolean found) {
        if (!found) {
            throw new IllegalStateException("the server has lost an entity");
        }
    }

    /**
     * A verb that is measured.
     *
     * @param name its name in the report
     * @param call calls it with a number of an entity
     * @param rounds the figures so far
     */
    private record MeasuredVerb(String name, LongConsumer call, List<Figures> rounds) {}

    private static MeasuredVerb verb(String name, LongConsumer call) {
        return new MeasuredVerb(name, call, new ArrayList<>());
    }

    private static void print(List<MeasuredVerb> verbs) {
        for (int round = -WARM_UPS; round < ROUNDS; round++) {
            for (MeasuredVerb verb : verbs) {
                Meter meter = new Meter();
                for (long n = 0; n < SIZE; n++) {
                    verb.call().accept(n);
                }
                Figures measured = meter.over(Task.Done.of(SIZE));
                if (round >= 0) {
                    verb.rounds().add(measured);
                }
            }
        }
        verbs.forEach(verb -> System.out.printf(
                Locale.ROOT,
                "%-18s %6.1f us processor time, %,7.0f bytes%n",
                verb.name(),
                median(verb.rounds(), Figures::cpuMicros),
                median(verb.rounds(), Figures::bytes)));
    }

    private static double median(List<Figures> rounds, ToDoubleFunction<Figures> figure) {
        return rounds.stream().mapToDouble(figure).sorted().toArray()[rounds.size() / 2];
    }

    private static void placements() {
        try (StowlineRing ring = StowlineRing.of(r -> {
            for (int i = 0; i < 5; i++) {
                r.account("eu" + i, "AccountName=acct" + i + ";AccountKey=a2V5;EndpointSuffix=core.windows.net");
            }
            return r;
        })) {
            for (int round = 0; round < 5; round++) {
                long begin = System.nanoTime();
                int length = 0;
                for (int i = 0; i < PLACEMENTS; i++) {
                    length += ring.accountOf("tenant-" + i).length();
                }
                check(length > 0);
                System.out.printf(
                        Locale.ROOT,
                        "account of a placement among five: %.0f ns%n",
                        (double) (System.nanoTime() - begin) / PLACEMENTS);
            }
        }
    }
}

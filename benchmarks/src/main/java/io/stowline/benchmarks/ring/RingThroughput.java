package io.stowline.benchmarks.ring;

import io.stowline.benchmarks.side.StubProcess;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.ring.RingTable;
import io.stowline.ring.RingWriter;
import io.stowline.ring.StowlineRing;
import io.stowline.table.FlushReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * A program that writes by a ring over one account and over two, in alternation, to servers that take a number of entities per second each and
 * refuse more. It prints the rates, and how many times more two accounts take.
 */
public final class RingThroughput {

    /** Transactions of up to 100 entities. */
    private static final int ROWS = 100;

    private static final int ROUNDS = 5;

    private final List<Account> one;
    private final List<Account> two;
    private long partitions;

    /** Makes the program for three servers, since an account belongs to one ring only. */
    RingThroughput(Account alone, Account first, Account second) {
        this.one = List.of(alone);
        this.two = List.of(first, second);
    }

    /**
     * Measures.
     *
     * @param args the target of an account in entities per second, 20,000 unless given; the seconds of a round, 5 unless given
     * @throws Exception if a server does not start, or an entity is not written
     */
    public static void main(String[] args) throws Exception {
        int target = args.length == 0 ? 20_000 : Integer.parseInt(args[0]);
        int seconds = args.length < 2 ? 5 : Integer.parseInt(args[1]);
        try (StubProcess alone = StubProcess.start(0, target);
                StubProcess first = StubProcess.start(0, target);
                StubProcess second = StubProcess.start(0, target)) {
            RingThroughput ring = new RingThroughput(alone.account(), first.account(), second.account());
            System.out.printf(
                    Locale.ROOT,
                    "%,d entities per second and account; warm-up %,.0f%n",
                    target,
                    ring.overTwo(2 * target));
            List<Double> one = new ArrayList<>();
            List<Double> two = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                one.add(ring.overOne(seconds * target));
                two.add(ring.overTwo(2 * seconds * target));
                System.out.printf(Locale.ROOT, "one %,.0f, two %,.0f%n", one.get(round), two.get(round));
            }
            System.out.printf(
                    Locale.ROOT,
                    "medians: one account %,.0f, two accounts %,.0f entities per second, %.2f times%n",
                    median(one),
                    median(two),
                    median(two) / median(one));
        }
    }

    private static double median(List<Double> rates) {
        return rates.stream().sorted(Comparator.naturalOrder()).toList().get(rates.size() / 2);
    }

    double overOne(int entities) {
        return rate(one, entities);
    }

    double overTwo(int entities) {
        return rate(two, entities);
    }

    /**
     * Writes entities over accounts, and returns how many were written in a second.
     *
     * @throws IllegalStateException if an entity is not written
     */
    private double rate(List<Account> accounts, int entities) {
        try (StowlineRing ring = StowlineRing.of(r -> {
            for (int i = 0; i < accounts.size(); i++) {
                Account account = accounts.get(i);
                r.account(
                        "account" + i,
                        client -> client.tableEndpoint(account.endpoint())
                                .accountName(account.name())
                                .credential(account.credential()),
                        settings -> settings);
            }
            return r;
        })) {
            RingTable<TenantRow> table = ring.table(Account.WRITTEN, TenantRow.class);
            long begin = System.nanoTime();
            FlushReport written;
            try (RingWriter<TenantRow> writer = table.writer()) {
                for (int i = 0; i < entities; i += ROWS) {
                    partitions++;
                    for (int row = 0; row < ROWS; row++) {
                        var unused = writer.insertOrReplace(TenantRow.of(partitions, row));
                    }
                }
                written = writer.flush();
            }
            if (written.failed() > 0) {
                throw new IllegalStateException(written.failed() + " entities were not written");
            }
            return entities * 1e9 / (System.nanoTime() - begin);
        }
    }
}

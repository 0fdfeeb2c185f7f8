package io.stowline.examples.ring;

import io.stowline.examples.shared.Dots;
import io.stowline.examples.shared.Program;
import io.stowline.ring.RingMove;
import io.stowline.ring.RingTable;
import io.stowline.ring.StowlineRing;
import io.stowline.testkit.Azurite;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A program that lets a third account join a ring of two while writers run, and proves that no order is lost. Exits with 0 when all is as it
 * should be, with 1 when an order is wrong or the program failed, and with 2 when the options are wrong.
 */
public final class RingGrowth {

    static final String HELP = """
        Writes orders of tenants to a ring of two accounts, lets a third one join while the writers run, and compares all
        orders with those that were accepted. Runs an Azurite of its own with three accounts.

          --tenants N   tenants, which are the placements; 120 unless given
          --writers N   threads that write; 4 unless given
          --help        show this text
        """;

    static final Program<Size> PROGRAM = Program.ofOptions(
            HELP,
            (arguments, environment) ->
                    new Size(arguments.within("--tenants", 1, 100_000, 120), arguments.within("--writers", 1, 64, 4)),
            RingGrowth::run);

    private static final Duration CHECK = Duration.ofSeconds(1);
    private static final String TABLE = "orders";
    private static final String KEY = "YSBrZXkgdGhhdCBvcGVucyBub3RoaW5n";
    private static final List<String> NAMES = List.of("tenants1", "tenants2", "tenants3");

    private final Map<String, String> connectionStrings;
    private final Duration checkEvery;
    private final Duration deadline;
    private final PrintStream out;

    /**
     * The size of a run.
     *
     * @param tenants how many tenants
     * @param writers how many threads write
     */
    record Size(int tenants, int writers) {}

    /**
     * Makes the program.
     *
     * @param connectionStrings those of {@code tenants1} to {@code tenants3}
     * @param checkEvery how often a process compares its ring with that of the accounts
     * @param deadline the longest time that a write takes
     * @param out where the program writes its progress
     */
    RingGrowth(Map<String, String> connectionStrings, Duration checkEvery, Duration deadline, PrintStream out) {
        this.connectionStrings = Map.copyOf(connectionStrings);
        this.checkEvery = checkEvery;
        this.deadline = deadline;
        this.out = out;
    }

    /**
     * Runs the program and ends the process.
     *
     * @param arguments the options; {@code --help} lists them
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] arguments) throws InterruptedException {
        PROGRAM.runAndExit(arguments);
    }

    private static List<String> run(Size size, PrintStream out) throws InterruptedException {
        try (Azurite azurite = Dots.during(
                out, "Starting Azurite, which npm installs the first time (190 MB) ", RingGrowth::emulator)) {
            GrowthFindings findings =
                    new RingGrowth(connectionStrings(azurite), CHECK, Duration.ofSeconds(5), out).grow(size);
            out.println();
            findings.lines().forEach(out::println);
            return findings.wrong();
        }
    }

    /** Starts an emulator with the accounts. */
    static Azurite emulator() {
        Azurite.Builder builder = Azurite.builder();
        NAMES.forEach(name -> builder.account(name, KEY));
        return builder.start();
    }

    /** Returns the connection strings of the emulator's accounts. */
    static Map<String, String> connectionStrings(Azurite azurite) {
        return Map.of(
                NAMES.get(0), azurite.connectionString(NAMES.get(0)),
                NAMES.get(1), azurite.connectionString(NAMES.get(1)),
                NAMES.get(2), azurite.connectionString(NAMES.get(2)));
    }

    /** Lets the third account join while writers run. */
    GrowthFindings grow(Size size) throws InterruptedException {
        try (StowlineRing two = ring(r -> account(account(r, 0), 1));
                StowlineRing joining = ring(r -> account(account(r, 0), 1).joining(NAMES.get(2), connection(2)));
                StowlineRing three = ring(r -> account(account(account(r, 0), 1), 2))) {
            RingTable<TenantOrder> orders = table(two);
            orders.createIfMissing();
            try (OrderWriters writers = new OrderWriters(size.writers(), size.tenants(), orders)) {
                out.println("Writing to two accounts");
                TimeUnit.SECONDS.sleep(1);
                out.println("Every process gets the ring with the account that joins");
                writers.use(table(joining));
                TimeUnit.MILLISECONDS.sleep(deadline.toMillis());

                long before = writers.writes();
                RingMove move = joining.move().table(TABLE).longestCall(deadline);
                out.println("Moving the share of the new account");
                move.run();
                long during = writers.writes() - before;
                out.println("Moved: " + move.verify());

                out.println("Every process gets the ring of three accounts");
                writers.use(table(three));
                TimeUnit.MILLISECONDS.sleep(deadline.toMillis());
                move.finish();
                writers.end();

                List<TenantOrder> found = table(three).query().list();
                return new GrowthFindings(
                        size.tenants(),
                        moved(two, three, size.tenants()),
                        writers.writes(),
                        during,
                        writers.repeated(),
                        writers.longestMillis(),
                        found.size(),
                        GrowthFindings.wrong(found, writers.accepted()));
            }
        }
    }

    private static int moved(StowlineRing two, StowlineRing three, int tenants) {
        int moved = 0;
        for (int i = 0; i < tenants; i++) {
            String tenant = "tenant-" + i;
            if (!two.accountOf(tenant).equals(three.accountOf(tenant))) {
                moved++;
            }
        }
        return moved;
    }

    private static RingTable<TenantOrder> table(StowlineRing ring) {
        return ring.table(TABLE, TenantOrder.class);
    }

    private StowlineRing ring(UnaryOperator<StowlineRing.Builder> accounts) {
        return StowlineRing.of(r -> accounts.apply(
                r.checkEvery(checkEvery).clients(client -> client.retry(retry -> retry.deadline(deadline)))));
    }

    private StowlineRing.Builder account(StowlineRing.Builder ring, int number) {
        return ring.account(NAMES.get(number), connection(number));
    }

    private String connection(int number) {
        String connection = connectionStrings.get(NAMES.get(number));
        if (connection == null) {
            throw new IllegalArgumentException("no connection string of " + NAMES.get(number));
        }
        return connection;
    }
}

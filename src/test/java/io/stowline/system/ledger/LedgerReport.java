package io.stowline.system.ledger;

import io.stowline.system.ledger.script.Weather;
import io.stowline.system.ledger.subject.Client;
import io.stowline.system.ledger.verdict.Page;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Prints the numbers of wrong results, by kind of operation. Arguments: how many seeds (20), the first one (1), the
 * weather (ROUGH), and, to leave the others out, one client.
 */
public final class LedgerReport {

    private static final int SEEDS = 20;

    private LedgerReport() {}

    /**
     * Runs the seeds and prints the report.
     *
     * @param args how many seeds, the first one, the weather, and a client
     * @throws InterruptedException if interrupted
     */
    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws InterruptedException {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : SEEDS;
        long from = args.length > 1 ? Long.parseLong(args[1]) : 1;
        Weather weather = args.length > 2 ? Weather.valueOf(args[2]) : Weather.ROUGH;
        List<Client> clients = args.length > 3 ? List.of(Client.valueOf(args[3])) : List.of(Client.values());
        Map<Client, List<Page>> pages = new TreeMap<>();
        try (Ledger ledger = new Ledger(weather)) {
            for (Client client : clients) {
                pages.put(client, ledger.run(client, from, count, page -> print(client, page)));
            }
        }
        System.out.println("\n" + LedgerTable.of(pages));
    }

    /** Prints at once, so that a run that is ended early loses nothing. */
    @SuppressWarnings("SystemOut")
    private static void print(Client client, Page page) {
        System.out.println(client + " " + page);
        if (client == Client.STOWLINE) {
            page.violations().forEach(violation -> System.out.println("seed " + page.seed() + ": " + violation));
        }
    }
}

package io.stowline.system.ledger.consumer;

import io.stowline.system.ledger.subject.Client;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Prints what became of messages whose consumers lose responses, are closed and are killed. Arguments: how many seeds (20), the first one (1), and one client. */
public final class ConsumerReport {

    private static final int SEEDS = 20;
    private static final Duration AT_MOST = Duration.ofSeconds(60);

    private ConsumerReport() {}

    /**
     * Runs the seeds and prints the report.
     *
     * @param args how many seeds, the first one, and a client
     * @throws InterruptedException if interrupted
     */
    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws InterruptedException {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : SEEDS;
        long from = args.length > 1 ? Long.parseLong(args[1]) : 1;
        List<Client> clients = args.length > 2 ? List.of(Client.valueOf(args[2])) : List.of(Client.values());
        Map<Client, List<ConsumerPage>> pages = new TreeMap<>();
        for (Client client : clients) {
            try (ConsumerLedger ledger = new ConsumerLedger(AT_MOST)) {
                pages.put(client, ledger.run(client, from, count, page -> print(client, page)));
            }
        }
        System.out.println("\n" + ConsumerTable.of(pages));
    }

    /** Prints at once, so that a run that is ended early loses nothing. */
    @SuppressWarnings("SystemOut")
    private static void print(Client client, ConsumerPage page) {
        System.out.println(client + " " + page);
        if (client == Client.STOWLINE) {
            page.violations().forEach(violation -> System.out.println("seed " + page.seed() + ": " + violation));
        }
    }
}

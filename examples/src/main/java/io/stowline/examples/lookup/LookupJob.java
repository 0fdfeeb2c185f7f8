package io.stowline.examples.lookup;

import io.stowline.Stowline;
import io.stowline.caching.Freshness;
import io.stowline.examples.shared.Mismatches;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.RequestLog;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Looks up settings and prices on many threads while another client changes them, and proves that no read was older than allowed.
 *
 * @param account the account
 * @param folder where the cache keeps what is large
 * @param out where to tell about it
 */
record LookupJob(ProgramAccount account, Path folder, PrintStream out) {

    private static final Duration WINDOW = Duration.ofMillis(300);
    private static final Duration STALE = Duration.ofMillis(700);
    private static final Duration ALLOWED = WINDOW.plus(STALE);
    private static final Freshness FRESHNESS = Freshness.fresh(WINDOW).staleWhileRevalidating(STALE);
    private static final long MILLIS_BETWEEN_CHANGES = 400;
    private static final long MEMORY = 1 << 20;
    private static final long DISK = 64 << 20;

    /** Does it for so many seconds, and returns what is not as it should be. */
    List<String> run(int seconds) throws InterruptedException {
        RequestLog log = new RequestLog();
        try (RequestCounter wire = RequestCounter.to(account);
                Stowline writing = account.connect();
                Stowline reading = wire.connect(settings ->
                        settings.listener(log).cache(c -> c.memory(MEMORY).disk(folder, DISK)));
                Shop shop = Shop.open(writing, reading)) {
            Usage usage = Usage.of(shop, wire, log);
            return run(seconds, shop, usage);
        }
    }

    private List<String> run(int seconds, Shop shop, Usage usage) throws InterruptedException {
        Tally settingReads = new Tally(ALLOWED);
        Tally priceReads = new Tally(ALLOWED);
        List<LookupItem> settings = shop.settings(settingReads);
        LookupItem prices = shop.prices(priceReads);
        out.printf(Locale.ROOT, "Reading for %d s with %s%n", seconds, FRESHNESS);
        try (Readers readers = Readers.start(settings, prices, FRESHNESS)) {
            change(settings, prices, Duration.ofSeconds(seconds));
            readers.end();
        }
        usage.overview(settingReads, priceReads).print(out, ALLOWED);
        return differences(settings, prices);
    }

    /** Changes one thing after the other, the prices as often as the settings together. */
    private static void change(List<LookupItem> settings, LookupItem prices, Duration time)
            throws InterruptedException {
        long start = System.nanoTime();
        for (int i = 0; System.nanoTime() - start < time.toNanos(); i++) {
            TimeUnit.MILLISECONDS.sleep(MILLIS_BETWEEN_CHANGES);
            (i % 2 == 0 ? prices : settings.get(i / 2 % settings.size())).change();
        }
    }

    private static List<String> differences(List<LookupItem> settings, LookupItem prices) {
        Mismatches differences = new Mismatches();
        List<LookupItem> all = new ArrayList<>(settings);
        all.add(prices);
        all.forEach(item -> differences.expect(
                item.name() + " at the end", item.present(), item.versions().last()));
        List<String> found = new ArrayList<>(differences.list());
        found.addAll(settings.get(0).tally().tooOld());
        found.addAll(prices.tally().tooOld());
        return found;
    }
}

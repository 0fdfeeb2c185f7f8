package io.stowline.system.ledger;

import io.stowline.system.ledger.script.Weather;
import io.stowline.system.ledger.subject.Client;
import io.stowline.system.ledger.verdict.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Runs seeds against its own emulator, several at a time: most of their time is waiting. Close it. */
public final class Ledger implements AutoCloseable {

    private static final int AT_A_TIME = 5;

    private final TestBed arena;
    private final ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
    private final BlockingQueue<Integer> slots =
            new LinkedBlockingQueue<>(IntStream.range(0, AT_A_TIME).boxed().toList());

    private final Weather weather;

    /**
     * Starts the emulator and the proxies before it.
     *
     * @param weather what happens to requests
     */
    public Ledger(Weather weather) {
        this.weather = weather;
        this.arena = new TestBed(AT_A_TIME * SeedRun.WORKERS, weather.isWide());
    }

    /**
     * Runs seeds.
     *
     * @param client with which client
     * @param from the first seed
     * @param count how many
     * @param each notified of each seed as soon as it is done, one at a time
     * @return what came of each, in order
     * @throws InterruptedException if the thread was interrupted
     */
    public List<Page> run(Client client, long from, int count, Consumer<Page> each) throws InterruptedException {
        List<Future<Page>> pages = new ArrayList<>();
        for (long seed = from; seed < from + count; seed++) {
            long next = seed;
            pages.add(threads.submit(() -> run(client, next, each)));
        }
        List<Page> done = new ArrayList<>();
        for (Future<Page> page : pages) {
            try {
                done.add(page.get());
            } catch (ExecutionException e) {
                throw new IllegalStateException("the ledger could not be kept", e.getCause());
            }
        }
        return done;
    }

    private Page run(Client client, long seed, Consumer<Page> each) throws InterruptedException {
        int slot = slots.take();
        try {
            Page page = new SeedRun(arena, slot, client, weather, seed).run();
            synchronized (this) {
                each.accept(page);
            }
            return page;
        } finally {
            slots.add(slot);
        }
    }

    /** Stops the emulator. */
    @Override
    public void close() {
        threads.shutdownNow();
        arena.close();
    }
}

package io.stowline.journal.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.journal.JournalSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;

class CrashPointsTest {

    private static final int STEPS = 120;
    private static final long ROTATE_AT = 100_000;

    /** The records that must be there, those that may be, and all of them. */
    private static final class Ledger {
        private final Map<Long, String> texts = new HashMap<>();
        private final Set<Long> accepted = new HashSet<>();
        private final Map<CompletableFuture<Long>, String> waiting = new HashMap<>();

        /** A journal that is opened again gives ids of records that are done to new ones. */
        private void reopened() {
            synchronized (texts) {
                texts.keySet().retainAll(accepted);
            }
        }

        private void collect() {
            for (Iterator<Map.Entry<CompletableFuture<Long>, String>> i =
                            waiting.entrySet().iterator();
                    i.hasNext(); ) {
                Map.Entry<CompletableFuture<Long>, String> each = i.next();
                if (each.getKey().isDone()) {
                    accepted.add(each.getKey().join());
                    i.remove();
                }
            }
        }
    }

    @Property(tries = 25)
    @Label("BATCH-15: after a crash at any point all that was accepted and not done is there, whole")
    void survivesACrashAnywhere(@ForAll long seed) {
        Random random = new Random(seed);
        Path folder = Folders.temporary();
        Ledger ledger = new Ledger();
        RecordJournal journal = open(folder);
        try {
            for (int step = 0; step < STEPS; step++) {
                step(journal, ledger, random);
                if (random.nextInt(15) == 0) {
                    crash(folder, ledger);
                }
                if (random.nextInt(30) == 0) {
                    journal.close();
                    journal = open(folder);
                    ledger.collect();
                    assertThat(Folders.contents(journal).keySet()).isEqualTo(ledger.accepted);
                    ledger.reopened();
                }
            }
        } finally {
            journal.close();
            Folders.delete(folder);
        }
    }

    private static RecordJournal open(Path folder) {
        return RecordJournal.open(folder, JournalSettings.builder().build(), "", ROTATE_AT);
    }

    private static void step(RecordJournal journal, Ledger ledger, Random random) {
        ledger.collect();
        if (random.nextInt(5) < 3 || ledger.accepted.isEmpty()) {
            String text = random.nextInt() + "~".repeat(random.nextInt(random.nextInt(8) == 0 ? 20_000 : 500));
            CompletableFuture<Long> append = journal.append(text.getBytes(StandardCharsets.UTF_8));
            ledger.waiting.put(append, text);
            var unused = append.thenAccept(id -> {
                synchronized (ledger.texts) {
                    ledger.texts.put(id, text);
                }
            });
        } else {
            Iterator<Long> any = ledger.accepted.iterator();
            journal.complete(any.next());
            any.remove();
        }
    }

    private static void crash(Path folder, Ledger ledger) {
        Path copy;
        try {
            copy = Folders.copy(folder);
        } catch (java.io.UncheckedIOException rotated) {
            return;
        }
        try (RecordJournal after = open(copy)) {
            Map<Long, String> found = Folders.contents(after);
            assertThat(found.keySet()).containsAll(ledger.accepted);
            synchronized (ledger.texts) {
                assertThat(found).allSatisfy((id, text) -> assertThat(ledger.texts.getOrDefault(id, text))
                        .isEqualTo(text));
            }
        } finally {
            Folders.delete(copy);
        }
    }
}

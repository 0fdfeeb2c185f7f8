package io.stowline.blob.internal.directory;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The blobs of a listing whose files would stand where other blobs need folders: {@code a} beside {@code a/b}. Such a blob gives way, so
 * that the many below it arrive. In the order of names, and in that of folders, all names that begin with a name follow it at once: its
 * step waits until the listing is past them, so that memory grows with the length of names only. One for each plan. Thread-safe: the
 * listing is ahead of the plan.
 */
final class FolderClashes {

    private final Predicate<String> hasFile;
    private final BiFunction<String, String, IOException> reason;

    /** Names below which the listing may still show blobs; each begins with the one before it. */
    private final Deque<String> open = new ArrayDeque<>();

    /** Keyed by the name of a blob that gives way; the value is the first one below it. */
    private final Map<String, String> clashes = new HashMap<>();

    /** The steps of open names, in the order of their arrival. */
    private final Map<String, TransferStep> waiting = new LinkedHashMap<>();

    /**
     * Makes a check without blobs.
     *
     * @param hasFile whether a name can have a file at all
     * @param reason the reason why a blob gives way, by its name and that of the one below it
     */
    FolderClashes(Predicate<String> hasFile, BiFunction<String, String, IOException> reason) {
        this.hasFile = hasFile;
        this.reason = reason;
    }

    /** Takes the next name of the listing that is to become a file. */
    synchronized void listed(String name) {
        while (!open.isEmpty() && !name.startsWith(open.getLast())) {
            open.removeLast();
        }
        for (Iterator<String> all = open.iterator(); all.hasNext(); ) {
            String above = all.next();
            if (name.startsWith("/", above.length()) && hasFile.test(name)) {
                all.remove();
                clashes.put(above, name);
            }
        }
        open.add(name);
    }

    /** Notes the end of the listing. */
    synchronized void ended() {
        open.clear();
    }

    /**
     * Takes the next step of the plan.
     *
     * @param name the blob that becomes a file, or {@code null} of a step about something else
     * @return the steps that wait no longer
     */
    synchronized List<TransferStep> next(@Nullable String name, TransferStep step) {
        List<TransferStep> ready = ready();
        if (name == null) {
            ready.add(step);
        } else if (open.contains(name)) {
            waiting.put(name, step);
        } else {
            ready.add(decided(name, step));
        }
        return ready;
    }

    /** Returns the steps that still wait at the end of the listing. */
    synchronized List<TransferStep> rest() {
        return ready();
    }

    private List<TransferStep> ready() {
        List<TransferStep> ready = new ArrayList<>(1);
        for (Iterator<Map.Entry<String, TransferStep>> all = waiting.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, TransferStep> one = all.next();
            if (!open.contains(one.getKey())) {
                all.remove();
                ready.add(decided(one.getKey(), one.getValue()));
            }
        }
        return ready;
    }

    private TransferStep decided(String name, TransferStep step) {
        String below = clashes.remove(name);
        return below == null ? step : TransferStep.skipped(name, reason.apply(name, below));
    }
}

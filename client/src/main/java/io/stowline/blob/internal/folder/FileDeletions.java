package io.stowline.blob.internal.folder;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The files that a mirrored download is about to delete: a file {@code x} goes before the folder {@code x} is made for the blob {@code x/y}.
 * A deletion is forgotten at its end, so that their number is that of the steps that the plan is ahead, in whatever order names come. One for
 * each plan. Thread-safe.
 */
public final class FileDeletions {

    /** The character behind the slash: what begins with a name and a slash sorts before the name and this. */
    public static final char BEHIND_SLASH = '/' + 1;

    private final Map<String, Sinks.Empty<Void>> planned = new ConcurrentHashMap<>();

    /** Returns the deletion of a file, whose end others can wait for. */
    public <T> Mono<T> add(String name, Mono<T> deletion) {
        Sinks.Empty<Void> ended = Sinks.empty();
        planned.put(name, ended);
        return deletion.doFinally(end -> {
            planned.remove(name, ended);
            ended.tryEmitEmpty();
        });
    }

    /**
     * Returns the deletions of files that stand where a blob needs folders; each ends when its deletion has, in
     * whatever way.
     */
    public List<Mono<Void>> above(String name) {
        if (planned.isEmpty()) {
            return List.of();
        }
        List<Mono<Void>> above = new ArrayList<>(0);
        for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
            Sinks.Empty<Void> ended = planned.get(name.substring(0, slash));
            if (ended != null) {
                above.add(ended.asMono());
            }
        }
        return above;
    }
}
